import Foundation
import TestServers
import XCTest

/// What a task of a plan does not take.
final class PlanRefusalTests: PlanTestCase {
    func testWhatDoesNotFitIsRefusedAtOnce() throws {
        try makePlan()
        XCTAssertEqual(try task(3).wait(), 2)
        XCTAssertEqual(try task(0, ["--size", "12"]).wait(), 2)
        XCTAssertEqual(try task(0, ["--fresh"]).wait(), 2)
        XCTAssertEqual(try task(0).wait(), 0)
        // No reasons are not all of them.
        let further = folder.appending(path: "further").path
        XCTAssertEqual(
            try ProgramRun(["plan", "--failed-of", output.path, "--class", "", "-o", further]).wait(), 2)
        XCTAssertFalse(FileManager.default.fileExists(atPath: further))
        // A plan is not replaced.
        XCTAssertEqual(try ProgramRun(["plan", localCatalog(), "-o", plan.path]).wait(), 4)
        // Another plan's tasks.
        try FileManager.default.removeItem(at: plan)
        let before = try names(in: "data")
        let other = try ProgramRun(
            [
                "plan", localCatalog(), "-o", plan.path, "--tasks", "3", "--rows-per-shard", "4", "--filter", "none",
                "--size", "17",
            ])
        XCTAssertEqual(other.wait(), 0, other.error)
        let refused = try task(1)
        XCTAssertEqual(refused.wait(), 2)
        XCTAssert(refused.error.contains("--size was 16, and is 17 now"), refused.error)
        XCTAssertEqual(try names(in: "data"), before)
        try FileManager.default.removeItem(at: plan)
        XCTAssertEqual(try task(1).wait(), 3)
    }

    func testARunsFolderIsNoPlansAndAPlansIsNoRuns() throws {
        try makePlan()
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        let run = ["develop", catalog, "--layout", "webdataset", "-o"]
        let mine = folder.appending(path: "mine").path
        XCTAssertEqual(try ProgramRun(run + [mine]).wait(), 0)
        let index = try Data(contentsOf: URL(filePath: mine + "/index.jsonl"))
        let (status, problem) = try end(["develop", "--plan", plan.path, "--task", "0", "-o", mine])
        XCTAssertEqual(status, 2, problem)
        XCTAssert(problem.contains("what a run without a plan wrote; take another --output folder"), problem)
        XCTAssertEqual(try end(["plan", catalog, "-o", mine]).status, 4)
        XCTAssertEqual(try Data(contentsOf: URL(filePath: mine + "/index.jsonl")), index)
        XCTAssertFalse(FileManager.default.fileExists(atPath: mine + "/plan.json"))
        XCTAssertFalse(FileManager.default.fileExists(atPath: mine + "/tasks"))
        XCTAssertEqual(try ProgramRun(run + [mine]).wait(), 0, "it goes on")

        XCTAssertEqual(try task(0).wait(), 0)
        for place in [output.path, plan.path] {
            let before = try FileManager.default.contentsOfDirectory(atPath: place).sorted()
            for words in [run + [place], run + [place, "--dry-run"], ["develop", catalog, "-o", place]] {
                let (status, problem) = try end(words)
                XCTAssertEqual(status, 2, problem)
                XCTAssert(problem.contains("belongs to a plan; take another --output folder"), problem)
            }
            XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: place).sorted(), before)
        }
        // Somebody's own file of that name is none of a plan.
        try Data("{}".utf8).write(to: folder.appending(path: "plan.json"))
        XCTAssertEqual(try ProgramRun(["develop", catalog, "-o", folder.path]).wait(), 0)
    }

    func testTheWrongCommandOfAFolderNamesTheRightOne() throws {
        try makePlan()
        XCTAssertEqual(try task(0).wait(), 0)
        for place in [output.path, plan.path] {
            let (status, problem) = try end(["report", place])
            XCTAssertEqual(status, 2)
            for command in ["status", "merge"] {
                XCTAssert(problem.contains("classicphotos \(command) \(place) "), problem)
            }
        }
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        XCTAssertEqual(try ProgramRun(["develop", catalog, "-o", "mine"], in: folder).wait(), 0)
        for words in [["status"], ["merge"], ["verify"], ["develop", "-o", "x", "--task", "0", "--plan"]] {
            let (status, problem) = try end(words + ["mine"])
            XCTAssertEqual(status, 3)
            XCTAssert(problem.contains("classicphotos report mine "), problem)
        }
        XCTAssert(try end(["report", "."]).problem.contains("there is no journal in it"))
        XCTAssert(try end(["status", "."]).problem.contains("there is no plan.json"))
    }

    private func end(_ words: [String]) throws -> (status: Int32, problem: String) {
        let run = try ProgramRun(words, in: folder)
        return (run.wait(), run.error)
    }

    func testAnAddressIsNotTakenForStandardInput() throws {
        let input = Data("url\nhttps://a.example/\n".utf8)
        for scheme in ["https", "HTTPS", "Http"] {
            let address = scheme + "://example.org/list.csv"
            let refused = try ProgramRun(["plan", address, "-o", plan.path], input: input)
            XCTAssertEqual(refused.wait(), 2, address)
            // Read from standard input, its relative addresses would be files of this machine, and so would its local ones.
            XCTAssert(refused.error.contains("catalog convert \(address) list.jsonl"), refused.error)
        }
        XCTAssertFalse(FileManager.default.fileExists(atPath: plan.path))
    }

    func testTheOutputOfAnotherCatalogIsRefused() throws {
        try makePlan()
        XCTAssertEqual(try task(0).wait(), 0)
        let before = try names(in: "data") + names(in: "done")
        // One row more, and otherwise the same.
        let catalog = folder.appending(path: "other.csv")
        let text = try String(contentsOfFile: localCatalog(), encoding: .utf8)
        try Data((text + "more,0.jpg,more\n").utf8).write(to: catalog)
        try FileManager.default.removeItem(at: plan)
        let other = try ProgramRun([
            "plan", catalog.path, "-o", plan.path, "--tasks", "3", "--rows-per-shard", "4", "--filter", "none",
            "--size", "16",
        ])
        XCTAssertEqual(other.wait(), 0, other.error)
        let refused = try task(1)
        XCTAssertEqual(refused.wait(), 2)
        XCTAssert(refused.error.contains("it was made of another catalog; take that plan, or"), refused.error)
        XCTAssertEqual(try names(in: "data") + names(in: "done"), before)
    }
}
