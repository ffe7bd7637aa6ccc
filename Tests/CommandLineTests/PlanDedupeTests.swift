import Foundation
import ImageCodecs
import TestServers
import XCTest

/// `classicphotos plan --dedupe`, from the catalog to the data set.
final class PlanDedupeTests: PlanTestCase {
    private var servers: [FaultServer] = []

    override func setUpWithError() throws {
        try super.setUpWithError()
        servers = try (1...3).map { try FaultServer(address: "127.0.1.\($0)") }
    }

    override func tearDown() {
        for server in servers { server.stop() }
        super.tearDown()
    }

    /// A catalog of 12 photos at three hosts, each named by five rows; of each host the first one is not there at first.
    private func repeatedCatalog() throws -> String {
        var text = "name,url\n"
        for photo in 0..<12 {
            let steps: [FaultScript.Step] = photo < 3 ? [.status(404), .answer] : [.answer]
            servers[photo % 3].serve(
                FaultScript(try Self.image(.jpeg, width: 20 + photo, height: 16), steps), at: "/\(photo).jpg")
        }
        for row in 0..<60 { text += "row \(row),\(servers[row % 12 % 3].url("/\(row % 12).jpg"))\n" }
        return text
    }

    private func plan(_ words: [String], input: String) throws -> ProgramRun {
        let run = try ProgramRun(
            ["plan", "-", "-o", plan.path, "--tasks", "3", "--rows-per-shard", "2", "--filter", "none", "--size", "16"]
                + words, input: Data(input.utf8))
        XCTAssertEqual(run.wait(), 0, run.error)
        return run
    }

    private func doTasks(of folder: URL) throws {
        for number in 0..<3 {
            let task = try ProgramRun([
                "develop", "--plan", folder.path, "--task", "\(number)", "-o", output.path, "--retries", "0",
            ])
            XCTAssertEqual(task.wait(), 0, task.error)
        }
    }

    private func index() throws -> [[String: Any]] {
        try Data(contentsOf: output.appending(path: "index.jsonl")).split(separator: UInt8(ascii: "\n")).map {
            try XCTUnwrap(JSONSerialization.jsonObject(with: $0) as? [String: Any])
        }
    }

    func testEachAddressIsPlannedOnceAndAskedForOnce() throws {
        let run = try plan(["--dedupe"], input: repeatedCatalog())
        let told = run.output.split(separator: "\n")
        XCTAssert(told[0].hasPrefix("12 photos in 3 tasks and "), run.output)
        XCTAssertEqual(told[1], "48 rows were left out, as earlier ones have their addresses")
        // Earlier programs, which would call its samples otherwise, refuse it by that.
        let file = try Data(contentsOf: plan.appending(path: "plan.json"))
        let object = try XCTUnwrap(JSONSerialization.jsonObject(with: file) as? [String: Any])
        XCTAssertEqual(object["format"] as? Int, 2)
        try doTasks(of: plan)
        for photo in 0..<12 { XCTAssertEqual(servers[photo % 3].requestCount("/\(photo).jpg"), 1) }
        let status = try self.run("status")
        XCTAssertEqual(status.status, 0, status.run.error)
        XCTAssert(
            status.run.output.contains(
                "\n9 photos written and 3 failed, of 12\n48 rows were left out, as earlier ones have their addresses\n"),
            status.run.output)
        // What failed, and what is damaged, is done again, under the same keys.
        let again = folder.appending(path: "again")
        let further = try ProgramRun(["plan", "--failed-of", output.path, "-o", again.path])
        XCTAssertEqual(further.wait(), 0, further.error)
        XCTAssert(further.output.hasPrefix("3 photos in 3 tasks"), further.output)
        XCTAssertFalse(further.output.contains("left out"), further.output)
        try doTasks(of: again)
        let tar = try XCTUnwrap(names(in: "data").last { $0.hasSuffix(".tar") })
        try FileManager.default.removeItem(at: output.appending(path: "data/\(tar)"))
        let mended = folder.appending(path: "mended")
        let repair = try ProgramRun(["plan", plan.path, "--repair", output.path, "-o", mended.path])
        XCTAssertEqual(repair.wait(), 0, repair.error)
        let task = try ProgramRun(["develop", "--plan", mended.path, "--task", "0", "-o", output.path])
        XCTAssertEqual(task.wait(), 0, task.error)
        XCTAssertEqual(try self.run("merge").status, 0)
        let rows = try index()
        XCTAssertEqual(
            rows.compactMap { $0["key"] as? String }.sorted(), (1...12).map { String(format: "%05d", $0) })
        XCTAssertEqual(rows.compactMap { $0["name"] as? String }.sorted(), (0..<12).map { "row \($0)" }.sorted())
        XCTAssert(rows.allSatisfy { $0["status"] as? String == "filtered" })
        let totals = try JSONSerialization.jsonObject(with: Data(contentsOf: output.appending(path: "totals.json")))
        XCTAssertEqual((totals as? [String: Any])?["repeatedRows"] as? Int, 48)
        XCTAssertEqual((totals as? [String: Any])?["rows"] as? Int, 12)
        XCTAssertEqual(try self.run("verify").status, 0)
    }

    /// Rows that stay may have numbers that are larger than how many there are.
    func testKeysAreTheNumbersOfTheCatalog() throws {
        let copies = String(repeating: "copy,\(servers[0].url("/1.jpg"))\n", count: 100)
        servers[1].serve(FaultScript(try Self.image(.jpeg, width: 20, height: 16), [.answer]), at: "/2.jpg")
        _ = try plan(["--dedupe"], input: "name,url\n" + copies + "last,\(servers[1].url("/2.jpg"))\n")
        try doTasks(of: plan)
        let again = try ProgramRun([
            "plan", "--failed-of", output.path, "-o", folder.appending(path: "again").path, "--tasks", "1",
        ])
        XCTAssertEqual(again.wait(), 0, again.error)
        XCTAssertEqual(try run("merge").status, 0)
        XCTAssertEqual(try index().compactMap { $0["key"] as? String }.sorted(), ["00001", "00101"])
        XCTAssertEqual(try run("verify").status, 0)
    }

    func testAnotherPlanOfTheSameCatalogIsRefused() throws {
        let catalog = try repeatedCatalog()
        _ = try plan(["--dedupe"], input: catalog)
        try doTasks(of: plan)
        try FileManager.default.removeItem(at: plan)
        XCTAssertFalse(try plan([], input: catalog).output.contains("left out"))
        let refused = try task(0)
        XCTAssertEqual(refused.wait(), 2)
        XCTAssert(refused.error.contains("--dedupe was given, and is not now"), refused.error)
        for words in [["--failed-of", output.path], ["--repair", output.path]] {
            let wrong = try ProgramRun(["plan", "--dedupe", "-o", folder.appending(path: "x").path] + words)
            XCTAssertEqual(wrong.wait(), 2)
            XCTAssert(wrong.error.contains("--dedupe cannot be given with"), wrong.error)
        }
    }
}
