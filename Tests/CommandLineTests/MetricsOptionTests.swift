import Foundation
import TestServers
import XCTest

/// `develop --metrics`.
final class MetricsOptionTests: DevelopTestCase {
    private var metrics: URL { folder.appending(path: "run.prom") }

    /// The figure of a line that begins so.
    private func figure(_ line: String) throws -> Double? {
        let text = try String(contentsOf: metrics, encoding: .utf8)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix(line + " ") }
        return lines.count == 1 ? Double(lines[0].dropFirst(line.count + 1)) : nil
    }

    private func rows(_ outcome: String, _ reason: String = "") -> String {
        "classicphotos_rows_total{outcome=\"\(outcome)\",reason=\"\(reason)\"}"
    }

    func testTheFiguresOfTheEndAreThoseOfTheRun() throws {
        let catalog = try catalog([
            ("a", server.url("/a.jpg").absoluteString), ("gone", server.url("/status/404").absoluteString),
            ("again", server.url("/a.jpg").absoluteString), ("page", server.url("/page.jpg").absoluteString),
        ])
        let first = try develop(catalog, ["--metrics", metrics.path])
        XCTAssertEqual(first.status, 1, first.run.error)
        XCTAssertEqual(try figure("classicphotos_catalog_rows"), 4)
        XCTAssertEqual(try figure(rows("filtered")), 2)
        XCTAssertEqual(try figure(rows("failed", "http")), 1)
        XCTAssertEqual(try figure(rows("failed", "not-an-image")), 1)
        XCTAssertEqual(try figure(rows("failed", "timeout")), 0)
        XCTAssertEqual(try figure("classicphotos_running"), 0)
        XCTAssertEqual(try figure("classicphotos_stage_duration_seconds_count{stage=\"write\"}"), 1)
        XCTAssertEqual(try figure("classicphotos_stage_duration_seconds_count{stage=\"download\"}"), 3)
        let result = try Data(contentsOf: output.appending(path: first.rows[0][5]))
        XCTAssertEqual(try figure("classicphotos_written_bytes_total"), Double(result.count))
        let received = first.rows.compactMap { Double($0[6]) }.reduce(0, +)
        XCTAssertEqual(try figure("classicphotos_received_bytes_total"), received)
        XCTAssertLessThan(
            abs(try XCTUnwrap(figure("classicphotos_start_time_seconds")) - Date().timeIntervalSince1970), 600)
        let text = try String(contentsOf: metrics, encoding: .utf8)
        for word in ["127.0.0.1", "localhost", "\"a\"", server.url("/").absoluteString] {
            XCTAssertFalse(text.contains(word), word)
        }
        // What earlier runs did is apart, as the counters are those of the process.
        let second = try develop(catalog, ["--metrics", metrics.path])
        XCTAssertEqual(second.status, 1, second.run.error)
        XCTAssertEqual(try figure(rows("filtered")), 0)
        XCTAssertEqual(try figure(rows("failed", "http")), 0)
        XCTAssertEqual(try figure("classicphotos_earlier_rows{outcome=\"filtered\"}"), 2)
        XCTAssertEqual(try figure("classicphotos_earlier_rows{outcome=\"failed\"}"), 2)
    }

    func testWhatVariantsShareCountsOnce() throws {
        let words = ["--variant", "a:40:none:jpeg", "--variant", "b:40:none:png", "--metrics", metrics.path]
        let run = try develop(try catalog([("a", server.url("/a.jpg").absoluteString)]), words)
        XCTAssertEqual(run.status, 0, run.run.error)
        for (stage, count) in [("download", 1.0), ("decode", 1), ("write", 2)] {
            XCTAssertEqual(
                try figure("classicphotos_stage_duration_seconds_count{stage=\"\(stage)\"}"), count, stage)
        }
    }

    func testTheFileIsThereWhileTheRunGoesOnAndAfterAnInterruption() throws {
        let catalog = try catalog([
            ("a", server.url("/a.jpg").absoluteString), ("slow", server.url("/stall").absoluteString),
        ])
        let run = try ProgramRun(["develop", catalog, "-o", output.path, "--metrics", metrics.path])
        // The second writing, five seconds after the first one, knows of it.
        wait("the row that is done") { (try? figure(rows("filtered"))) == 1 }
        XCTAssertEqual(try figure("classicphotos_running"), 1)
        XCTAssertEqual(try figure("classicphotos_transfers"), 1)
        XCTAssertEqual(try figure("classicphotos_hosts{class=\"working\"}"), 1)
        run.send(SIGINT)
        XCTAssertEqual(run.wait(), 130, run.error)
        XCTAssertEqual(try figure("classicphotos_running"), 0)
        XCTAssertEqual(try figure(rows("filtered")), 1)
    }

    func testAFileThatCannotBeWrittenIsToldBeforeAnythingIsFetched() throws {
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        for (path, words) in [
            (folder.path + "/no/such.prom", ["cannot write the metrics", "name another file"]),
            (catalog, ["it is the catalog"]), (report.path, ["it is the report"]),
            (journal.appending(path: "run.db").path, ["a file of the run itself"]), ("/dev/null", ["a device"]),
        ] {
            let run = try develop(catalog, ["--metrics", path]).run
            XCTAssertEqual(run.wait(), 4, run.error)
            for word in words { XCTAssert(run.error.contains(word), run.error) }
        }
        XCTAssertEqual(server.requestCount("/a.jpg"), 0)
        XCTAssertEqual(try ProgramRun(["develop", catalog, "-o", output.path, "--metrics", ""]).wait(), 2)
    }

    func testNoneOfTheFilesBesideIsAResult() throws {
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        let first = try develop(catalog)
        XCTAssertEqual(first.status, 0, first.run.error)
        let result = output.appending(path: first.rows[0][5])
        let bytes = try Data(contentsOf: result)
        for option in ["--metrics", "--report", "--trace", "--contact-sheet"] {
            let run = try ProgramRun(["develop", catalog, "-o", output.path, "--fresh", option, result.path])
            XCTAssertEqual(run.wait(), 4, "\(option): \(run.error)")
            XCTAssert(run.error.contains("the name of a result"), run.error)
            XCTAssertEqual(try Data(contentsOf: result), bytes)
        }
    }

    func testMetricsThatFailLaterAreWarnedOfOnceAndTheRunGoesOn() throws {
        let place = folder.appending(path: "place")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let catalog = try catalog([
            ("slow", server.url("/stall").absoluteString), ("a", server.url("/a.jpg").absoluteString),
        ])
        let run = try ProgramRun([
            "develop", catalog, "-o", output.path, "--metrics", place.path + "/run.prom", "--timeout", "8", "--retries",
            "0",
        ])
        wait("the first writing") { FileManager.default.fileExists(atPath: place.path + "/run.prom") }
        // In one step, as a file may come while a folder is removed.
        try FileManager.default.moveItem(at: place, to: folder.appending(path: "aside"))
        XCTAssertEqual(run.wait(), 1, run.error)
        XCTAssertEqual(run.error.ranges(of: "cannot write the metrics").count, 1, run.error)
        XCTAssert(run.error.contains("the run goes on"), run.error)
        XCTAssert(run.output.contains("1 of 2 photos"), run.output)
    }

    func testDownloadsOfPhotosThatAreTheSameCount() throws {
        let rows = (0..<4).map { ("\($0)", server.url("/a.jpg").absoluteString + "?\($0)") }
        let run = try develop(try catalog(rows), ["--dedupe", "content", "--metrics", metrics.path])
        XCTAssertEqual(run.status, 0, run.run.error)
        XCTAssertEqual(try figure(self.rows("filtered")), 4)
        XCTAssertEqual(try figure("classicphotos_stage_duration_seconds_count{stage=\"download\"}"), 4)
        XCTAssertEqual(try figure("classicphotos_stage_duration_seconds_count{stage=\"write\"}"), 1)
    }
}
