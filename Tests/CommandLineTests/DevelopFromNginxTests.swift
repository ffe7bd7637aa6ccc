import Foundation
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// `develop` against a server as the world runs it, with photographs as people take them.
final class DevelopFromNginxTests: DevelopTestCase {
    private static let photographs = URL(filePath: "/usr/share/backgrounds/mate/nature")

    func testPhotographsOverHTTPAndTheFaultsOfARealServer() throws {
        try XCTSkipIf(NginxServer.executable == nil, "nginx is not installed")
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.photographs.path).sorted()
        try XCTSkipIf(names.isEmpty, "mate-backgrounds is not installed")
        let nginx = try NginxServer(root: Self.photographs)
        defer { nginx.stop() }
        var rows = names.map { ($0, nginx.url("/\($0)").absoluteString) }
        rows.append(("moved", nginx.url("/redirect/\(names[0])").absoluteString))
        rows.append(("gone", nginx.url("/nothing.jpg").absoluteString))
        rows.append(("broken", nginx.url("/status/500").absoluteString))

        let (status, report, run) = try develop(try catalog(rows), ["--size", "256"])
        XCTAssertEqual(status, 1, run.error)
        XCTAssertEqual(report.map { $0[3] }, Array(repeating: "", count: names.count + 1) + ["http", "http"])
        XCTAssert(report[names.count + 1][4].hasPrefix("404"))
        XCTAssert(report[names.count + 2][4].hasPrefix("500"))
        for row in report where row[2] == "filtered" {
            let image = try ImageDecoder.decode(Data(contentsOf: output.appending(path: row[5])), longestSide: nil)
            XCTAssertEqual(max(image.size.width, image.size.height), 256, row[0])
        }
    }

    func testACertificateThatNobodyKnowsIsUnreachable() throws {
        try XCTSkipIf(NginxServer.executable == nil, "nginx is not installed")
        let nginx = try NginxServer(root: folder, transport: .https)
        defer { nginx.stop() }
        let (status, report, run) = try develop(try catalog([("secret", nginx.url("/a.jpg").absoluteString)]))
        XCTAssertEqual(status, 1, run.error)
        XCTAssertEqual(report[0][3], "unreachable")
    }
}
