import Foundation
import Glibc
import ImageCodecs
import TestServers
import XCTest

/// `develop --cache`: what was downloaded is not downloaded again.
final class DevelopCacheTests: DevelopTestCase {
    private var cache: [String] { ["--cache", folder.appending(path: "cache").path] }

    func testASecondRunDownloadsNothingAndWorksOffline() throws {
        server.serve(try Self.image(.jpeg), at: "/a.jpg", headers: ["Cache-Control": "max-age=600"])
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        let (status, rows, run) = try develop(catalog, cache + ["--cache-size", "8MB"])
        XCTAssertEqual(status, 0, run.error)
        XCTAssertGreaterThan(Int(rows[0][6]) ?? 0, 0)
        server.stop()
        let again = try develop(catalog, cache + ["--filter", "none", "--fresh"])
        XCTAssertEqual(again.status, 0, again.run.error)
        XCTAssertEqual(again.rows[0][6], "0")
        XCTAssertEqual(server.requestCount("/a.jpg"), 1)
    }

    func testAnInterruptedRunKeepsWhatHasArrived() throws {
        var rows: [(String, String)] = []
        for number in 0..<4 {
            server.serve(try Self.image(.jpeg), at: "/\(number).jpg", headers: ["Cache-Control": "max-age=600"])
            rows.append(("\(number)", server.url("/\(number).jpg").absoluteString))
        }
        rows.append(("stalls", server.url(.stall).absoluteString))
        let catalog = try catalog(rows)
        let run = try ProgramRun(["develop", catalog, "--output", output.path, "--jobs", "2"] + cache)
        wait("four photos") { (try? files().filter { $0.hasSuffix(".jpg") }.count) ?? 0 == 4 }
        run.send(SIGINT)
        XCTAssertEqual(run.wait(), 130, run.error)
        // Into another folder, where no journal says that they are done.
        let again = try ProgramRun(["develop", catalog, "--output", output.path + "-2", "--timeout", "0.5"] + cache)
        XCTAssertEqual(again.wait(), 1)
        for number in 0..<4 { XCTAssertEqual(server.requestCount("/\(number).jpg"), 1, "\(number)") }
    }

    func testACacheThatCannotWorkIsToldOf() throws {
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        let (status, _, run) = try develop(catalog, ["--cache", catalog])
        XCTAssertEqual(status, 0)
        XCTAssert(run.error.contains("The cache in \(catalog) is not used: "), run.error)
    }

    func testWithoutTheOptionNothingIsKept() throws {
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        XCTAssertEqual(try develop(catalog, ["--cache", "off"]).status, 0)
        XCTAssertEqual(try develop(catalog, ["--fresh"]).status, 0)
        XCTAssertEqual(server.requestCount("/a.jpg"), 2)
        XCTAssertEqual(try develop(catalog, ["--cache-size", "8MB"]).status, 2)
        XCTAssertEqual(try develop(catalog, ["--cache", "x", "--cache-size", "1MB"]).status, 2)
    }
}
