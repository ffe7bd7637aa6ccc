import Foundation
import ImageCodecs
import TestServers
import XCTest

/// `develop --min-size` and `--max-aspect`.
final class BoundsTests: DevelopTestCase {
    func testPicturesThatAreTooSmallOrTooLongAreLeftOutForReasonsOfTheirOwn() throws {
        var rows: [(String, String)] = []
        for (width, height) in [(300, 200), (299, 200), (300, 199), (600, 200), (601, 200), (200, 601)] {
            server.serve(try Self.image(.jpeg, width: width, height: height), at: "/\(width)x\(height)")
            rows.append(("\(width)x\(height)", server.url("/\(width)x\(height)").absoluteString))
        }
        let catalog = try catalog(rows)
        let options = ["--min-size", "300x200", "--max-aspect", "3", "--size", "64"]
        let (status, report, run) = try develop(catalog, options)
        XCTAssertEqual(status, 1, run.error)
        XCTAssertEqual(report.map { $0[3] }, ["", "too-small", "too-small", "", "aspect", "too-small"])
        XCTAssert(report[1][4].contains("299x200") && report[1][4].contains("300x200"), report[1][4])
        XCTAssert(report[4][4].contains("601x200"), report[4][4])
        XCTAssertEqual(try files().count, 2)
        XCTAssertEqual(try develop(catalog, options + ["--only-failed=aspect"]).status, 1)
        XCTAssertEqual(server.requestCount("/601x200"), 2)
        XCTAssertEqual(server.requestCount("/299x200"), 1)
        let other = try develop(catalog, ["--size", "64"])
        XCTAssertEqual(other.status, 2)
        XCTAssert(other.run.error.contains("--min-size was 300x200, and is none now"), other.run.error)
    }

    func testOriginalsAreHeldToTheirSizeToo() throws {
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        XCTAssertEqual(try develop(catalog, ["--original", "--min-size", "320x201"]).rows.map { $0[3] }, ["too-small"])
        XCTAssertEqual(try develop(catalog, ["--original", "--min-size", "200", "--fresh"]).rows.map { $0[3] }, [""])
    }

    func testWrongUsageIsTold() throws {
        for options in [
            ["--min-size", "0x3"], ["--min-size", "x"], ["--max-aspect", "0.5"], ["--max-aspect", "16:9"],
        ] {
            let run = try ProgramRun(["develop", "none.csv", "-o", output.path] + options)
            XCTAssertEqual(run.wait(), 2, "\(options): \(run.error)")
            XCTAssert(run.error.contains(options[0]), run.error)
        }
    }
}
