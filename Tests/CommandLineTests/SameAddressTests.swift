import Foundation
import ImageCodecs
import Pixels
import TestServers
import XCTest

/// Catalogs that name one address many times.
final class SameAddressTests: DevelopTestCase {
    private func rows(_ count: Int, of path: String, as prefix: String) -> [(String, String)] {
        (0..<count).map { ("\(prefix) \($0)", server.url(path).absoluteString) }
    }

    func testAnAddressIsFetchedOnceHoweverManyRowsNameIt() throws {
        let catalog = try catalog(
            rows(150, of: "/a.jpg", as: "first") + rows(1, of: "/b.png", as: "other")
                + rows(150, of: "/a.jpg", as: "second"))
        let sheet = folder.appending(path: "sheet.jpg")
        let (status, report, run) = try develop(catalog, ["--jobs", "8", "--contact-sheet", sheet.path])
        XCTAssertEqual(status, 0, run.error)
        XCTAssertEqual(server.requestCount("/a.jpg"), 1)
        XCTAssertEqual(report.count, 301)
        XCTAssertEqual(Set(report.map { $0[5] }).count, 301)
        XCTAssertEqual(try files(), report.map { $0[5] }.sorted())
        let whole = try Data(contentsOf: output.appending(path: report[0][5]))
        for row in report where row[0] != "other 0" {
            XCTAssertEqual(try Data(contentsOf: output.appending(path: row[5])), whole)
        }
        XCTAssert(run.output.contains("301 of 301 photos written"), run.output)
        // All sixty places of the sheet are filled.
        XCTAssertEqual(try ImageDecoder.probe(Data(contentsOf: sheet)).size.height, 20 * 180 + 21 * 16)
    }

    func testRowsThatAreEqualShareTheirFile() throws {
        let same = ("same", server.url("/a.jpg").absoluteString)
        let (status, report, run) = try develop(try catalog([same, same, same]))
        XCTAssertEqual(status, 0, run.error)
        XCTAssertEqual(report.map { $0[2] }, ["filtered", "filtered", "filtered"])
        XCTAssertEqual(try files(), [report[0][5]])
        XCTAssertEqual(server.requestCount(), 1)
    }

    func testAFailureIsThatOfEveryRow() throws {
        let (status, report, run) = try develop(
            try catalog(rows(40, of: "/status/404", as: "gone") + rows(40, of: "/page.jpg", as: "page")))
        XCTAssertEqual(status, 1, run.error)
        XCTAssertEqual(server.requestCount("/status/404"), 1)
        XCTAssertEqual(server.requestCount("/page.jpg"), 1)
        XCTAssertEqual(report.count { $0[3] == "http" && $0[4].hasPrefix("404") }, 40)
        XCTAssertEqual(report.count { $0[3] == "not-an-image" }, 40)
    }

    /// Rows that wait for another one's picture take no place from those that could go on.
    func testRowsThatWaitHoldNobodyUpAndAreCancelledWithTheFirst() throws {
        let others = (0..<30).map { ("free \($0)", server.url("/a.jpg").absoluteString + "?\($0)") }
        let run = try ProgramRun([
            "develop", try catalog(rows(100, of: Fault.gate.rawValue, as: "held") + others), "--output", output.path,
            "--report", report.path, "--jobs", "1",
        ])
        let end = Date(timeIntervalSinceNow: 60)
        while (try? files().count { $0.hasSuffix(".jpg") }) ?? 0 < 30, Date() < end { usleep(10_000) }
        run.send(SIGINT)
        XCTAssertEqual(run.wait(), 130, run.error)
        let report = try self.rows()
        XCTAssertEqual(
            report.map { $0[2] }, Array(repeating: "cancelled", count: 100) + Array(repeating: "filtered", count: 30))
        XCTAssertEqual(server.requestCount(Fault.gate.rawValue), 1)
    }

    func testADiskThatIsFullFailsTheFirstRowOnly() throws {
        server.serve(try Self.image(.png, width: 640, height: 640), at: "/large.png")
        let run = try ProgramRun(
            [
                "develop", try catalog(rows(50, of: "/large.png", as: "x")), "--output", output.path, "--report",
                report.path, "--format", "png", "--filter", "none",
            ], limits: "ulimit -f 200")
        XCTAssertEqual(run.wait(), 4, run.error)
        XCTAssertEqual(try self.rows().map { $0[2] }, ["failed"] + Array(repeating: "cancelled", count: 49))
        XCTAssertEqual(try files(), [])
    }

    func testWhatIsThereAlreadyIsTakenOver() throws {
        let all = rows(20, of: "/a.jpg", as: "x")
        let (_, first, _) = try develop(try catalog(all))
        for row in first.dropFirst() { try FileManager.default.removeItem(at: output.appending(path: row[5])) }
        try FileManager.default.removeItem(at: journal)
        let (status, _, run) = try develop(try catalog(all), ["--skip-existing"])
        XCTAssertEqual(status, 0, run.error)
        XCTAssertEqual(try files(), first.map { $0[5] }.sorted())
        XCTAssertEqual(server.requestCount("/a.jpg"), 1)
        XCTAssert(run.output.contains("19 of 20") && run.output.contains("1 was there"), run.output)
    }
}
