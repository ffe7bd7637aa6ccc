import Foundation
import ImageCodecs
import TestServers
import XCTest

/// `--robots` and `--respect`.
final class RobotsOptionTests: DevelopTestCase {
    func testWhatSitesAskForHasReasonsOfItsOwn() throws {
        server.serve(
            Data("User-agent: *\nDisallow: /\n\nUser-agent: ClassicPhotos\nDisallow: /b.png\n".utf8), at: "/robots.txt")
        server.serve(try Self.image(.jpeg), at: "/tagged.jpg", headers: ["X-Robots-Tag": "noindex, noai"])
        let broken = try FaultServer()
        defer { broken.stop() }
        broken.serve(FaultScript(Data(), [.status(503)]), at: "/robots.txt")
        let addresses = ["/a.jpg", "/b.png", "/tagged.jpg"].map { server.url($0) } + [broken.url("/a.jpg")]
        let list = try catalog(addresses.enumerated().map { ("photo \($0)", $1.absoluteString) })
        let options = ["--robots", "--respect", "noimageai,NoAI", "--per-host", "1"]
        let (status, report, run) = try develop(list, options)
        XCTAssertEqual(status, 1, run.error)
        XCTAssertEqual(report.map { $0[3] }, ["", "robots", "opted-out", "robots"], run.error)
        XCTAssert(report[2][4].contains("noai"), "\(report)")
        XCTAssert(report[3][4].contains("503"), "\(report)")
        XCTAssertEqual(server.requestCount("/robots.txt"), 1)
        XCTAssertEqual(server.requestCount("/b.png"), 0)
        // Who does not ask gets it, and so does who has another name and is not forbidden anything.
        let again = try develop(list, ["--only-failed=robots,opted-out"])
        XCTAssertEqual(again.rows.map { $0[3] }, ["", "", "", "http"], again.run.error)
        XCTAssertEqual(server.requestCount("/robots.txt"), 1)
        let other = try develop(list, ["--fresh", "--robots", "--user-agent", "Reader/1"])
        XCTAssertEqual(other.rows.map { $0[3] }, ["robots", "robots", "robots", "robots"], other.run.error)
    }

    func testWordsThatAreNone() throws {
        for words in ["", "noai,", "no ai", "noai;noindex", "noai:1"] {
            XCTAssertEqual(try develop(try catalog([("a", "http://a/b")]), ["--respect", words]).status, 2, words)
        }
    }
}
