import Foundation
import ImageCodecs
import TestServers
import XCTest

/// Plans and outputs in which something is not what it was.
final class PlanDamageTests: PlanTestCase {
    func testDamageIsFoundAndNamed() throws {
        try makePlan(tasks: 1, rowsPerShard: 20)
        XCTAssertEqual(try task(0).wait(), 0)
        let tar = try XCTUnwrap(names(in: "data").first { $0.hasPrefix("00001.") && $0.hasSuffix(".tar") })
        let place = output.appending(path: "data/\(tar)")
        var bytes = try Data(contentsOf: place)
        bytes[600] ^= 1
        try bytes.write(to: place)
        var verified = try run("verify")
        XCTAssertEqual(verified.status, 1)
        XCTAssert(verified.run.error.contains("shard 1"), verified.run.error)
        XCTAssert(verified.run.error.contains("plan --repair"), verified.run.error)
        XCTAssert(verified.run.error.contains(tar), verified.run.error)
        try FileManager.default.removeItem(at: place)
        verified = try run("verify")
        XCTAssertEqual(verified.status, 1)
        XCTAssert(verified.run.error.contains(tar), verified.run.error)
        try Data("{\"plan\":".utf8).write(to: output.appending(path: "done/00002.json"))
        for command in ["status", "verify", "merge"] {
            let told = try run(command)
            XCTAssertEqual(told.status, 1, command)
            XCTAssert(told.run.error.contains("done/00002.json"), told.run.error)
        }
        XCTAssertFalse(FileManager.default.fileExists(atPath: output.appending(path: "dataset").path))
    }

    /// Two plans of one catalog in another order, whose files were mixed, would lose rows and double others.
    func testAFileOfAnotherPlanIsNoTask() throws {
        try makePlan()
        let own = plan.appending(path: "tasks/00000.jsonl.zst")
        let before = try Data(contentsOf: own)
        let other = folder.appending(path: "other.csv")
        let lines = try String(contentsOfFile: localCatalog(), encoding: .utf8).split(separator: "\n")
        try Data((lines[..<1] + lines[1...].reversed()).joined(separator: "\n").utf8).write(to: other)
        let run = try ProgramRun([
            "plan", other.path, "-o", folder.path + "/other", "--tasks", "3", "--rows-per-shard", "4", "--filter",
            "none", "--size", "16",
        ])
        XCTAssertEqual(run.wait(), 0, run.error)
        try Data(contentsOf: folder.appending(path: "other/tasks/00000.jsonl.zst")).write(to: own)
        let refused = try task(0)
        XCTAssertEqual(refused.wait(), 3)
        XCTAssert(refused.error.contains("tasks/00000.jsonl.zst: it is not the file that plan.json"), refused.error)
        XCTAssertEqual(try task(1).wait(), 0)
        try before.write(to: own)
        XCTAssertEqual(try task(0).wait(), 0)
    }

    /// A worker of a plan that was given up goes on, and its folder has become another plan's.
    func testAWorkerCommitsNothingIntoTheFolderOfAnotherPlan() throws {
        let list = folder.appending(path: "held.txt")
        try Data("\(server.url(.gate).absoluteString)\n".utf8).write(to: list)
        server.serve(try Self.image(.jpeg), at: Fault.gate.rawValue)
        let held = folder.appending(path: "held").path
        XCTAssertEqual(
            try ProgramRun(["plan", list.path, "-o", held, "--tasks", "1", "--filter", "none"]).wait(), 0)
        let worker = try ProgramRun(["develop", "--plan", held, "--task", "0", "-o", output.path])
        XCTAssert(server.waitForRequests(Fault.gate.rawValue, seconds: 60))
        try FileManager.default.removeItem(at: output)
        try makePlan()
        XCTAssertEqual(try task(1).wait(), 0)
        let before = try names(in: "data") + names(in: "done")
        server.openGate()
        XCTAssertEqual(worker.wait(), 2, worker.error)
        XCTAssert(worker.error.contains("belongs to another plan"), worker.error)
        XCTAssertEqual(try names(in: "data") + names(in: "done"), before)
        for number in [0, 2] { XCTAssertEqual(try task(number).wait(), 0) }
        try checkNothingIsLostOrDoubled()
    }

    /// What others have put in the place of a marker is no commit.
    func testAMarkerThatCannotBeUsedIsNotTakenForDone() throws {
        try makePlan(tasks: 1, rowsPerShard: 20)
        XCTAssertEqual(try task(0).wait(), 0)
        func marker(_ shard: Int) -> URL { output.appending(path: "done/0000\(shard).json") }
        for bytes in [Data(), Data("{\"plan\":".utf8), try Data(contentsOf: marker(1))] {
            try bytes.write(to: marker(0))
            let again = try task(0)
            XCTAssertEqual(again.wait(), 3)
            XCTAssert(again.error.contains("shards 0"), again.error)
        }
    }

    /// Replaces a part of the marker of shard 0.
    private func alterMarker(_ part: String, to other: String) throws -> () throws -> Void {
        let place = output.appending(path: "done/00000.json")
        let before = try Data(contentsOf: place)
        let text = String(decoding: before, as: UTF8.self)
        XCTAssert(text.contains(part), text)
        try Data(text.replacing(part, with: other).utf8).write(to: place)
        return { try before.write(to: place) }
    }

    func testAMarkerWhoseNumbersCannotBeIsDamaged() throws {
        try makePlan(tasks: 1, rowsPerShard: 20)
        XCTAssertEqual(try task(0).wait(), 0)
        for (part, other) in [
            ("\"written\":18", "\"written\":9223372036854775807"),
            ("\"written\":18", "\"written\":-9223372036854775808"),
            ("\"rows\":20", "\"rows\":9223372036854775807"), ("\"rows\":20", "\"rows\":0"),
            ("\"not-found\":2", "\"not-found\":9223372036854775807"), ("\"not-found\":2", "\"not-found\":-2"),
            ("\"bytes\":", "\"bytes\":922337203685"), ("\"attempt\":\"", "\"attempt\":\"../data/"),
        ] {
            let mend = try alterMarker(part, to: other)
            for command in ["status", "merge", "verify"] {
                let told = try run(command)
                XCTAssertEqual(told.status, 1, "\(command): \(other)")
                XCTAssert(told.run.error.contains("done/00000.json"), told.run.error)
            }
            try mend()
        }
        try checkNothingIsLostOrDoubled()
    }

    func testNothingIsRemovedWhereAMarkerNamesFilesThatAreNotThere() throws {
        try makePlan(tasks: 1, rowsPerShard: 20)
        XCTAssertEqual(try task(0).wait(), 0)
        let before = try names(in: "data")
        let mend = try alterMarker("\"attempt\":\"", to: "\"attempt\":\"0")
        XCTAssertEqual(try run("verify", "--gc").status, 1)
        XCTAssertEqual(try names(in: "data"), before)
        try mend()
        try checkNothingIsLostOrDoubled()
    }

    func testAnIndexThatWasAlteredIsNotMerged() throws {
        try checkIsNotMerged(".jsonl") {
            Data(String(decoding: $0, as: UTF8.self).replacing("photo, 2", with: "photo; 2").utf8)
        }
    }

    func testATarFileThatIsCutOffIsNotMerged() throws {
        try checkIsNotMerged(".tar") { $0.dropLast(512) }
    }

    /// Changes a file of a shard, by its ending.
    private func checkIsNotMerged(_ ending: String, _ change: (Data) -> Data) throws {
        try makePlan(tasks: 1, rowsPerShard: 20)
        XCTAssertEqual(try task(0).wait(), 0)
        let name = try XCTUnwrap(names(in: "data").first { $0.hasPrefix("00001.") && $0.hasSuffix(ending) })
        let place = output.appending(path: "data/\(name)")
        let before = try Data(contentsOf: place)
        XCTAssertNotEqual(change(before), before)
        try change(before).write(to: place)
        let merge = try run("merge")
        XCTAssertEqual(merge.status, 3, merge.run.error)
        XCTAssert(merge.run.error.contains("plan --repair"), merge.run.error)
        XCTAssertFalse(FileManager.default.fileExists(atPath: output.appending(path: "index.jsonl").path))
    }

    func testADataSetThatWasAlteredIsToldAndMadeAnew() throws {
        try makePlan(tasks: 1, rowsPerShard: 7)
        XCTAssertEqual(try task(0).wait(), 0)
        XCTAssertEqual(try run("verify").status, 0)
        XCTAssertEqual(try run("merge").status, 0)
        XCTAssertEqual(try run("verify").status, 0)
        func place(_ name: String) -> URL { output.appending(path: name) }
        /// A file of other bytes, and not the one that it is a link to.
        func replace(_ name: String, _ change: (Data) -> Data) throws {
            let bytes = try Data(contentsOf: place(name))
            try FileManager.default.removeItem(at: place(name))
            try change(bytes).write(to: place(name))
        }
        let damages: [(name: String, do: () throws -> Void)] = [
            ("dataset/00000.parquet", { try FileManager.default.removeItem(at: place("dataset/00000.parquet")) }),
            ("dataset/00001.tar", { try replace("dataset/00001.tar") { $0.dropLast(100) } }),
            ("index.jsonl", { try replace("index.jsonl") { $0 + Data("x".utf8) } }),
            ("shards.txt", { try FileManager.default.removeItem(at: place("shards.txt")) }),
            ("totals.json", { try replace("totals.json") { _ in Data("{}".utf8) } }),
            ("dataset/00009.tar", { try Data().write(to: place("dataset/00009.tar")) }),
        ]
        for (name, damage) in damages {
            try damage()
            let told = try run("verify")
            XCTAssertEqual(told.status, 1, name)
            XCTAssert(told.run.error.contains("/\(name) "), told.run.error)
            XCTAssert(told.run.error.contains("classicphotos merge"), told.run.error)
            // That would find nothing to do.
            XCTAssertFalse(told.run.error.contains("--repair"), told.run.error)
            XCTAssertEqual(try run("merge").status, 0, name)
            XCTAssertEqual(try run("verify").status, 0, name)
        }
        // What cannot be read costs nothing else, and a repair of shards does not need it.
        try FileManager.default.removeItem(at: place("index.jsonl"))
        try FileManager.default.createDirectory(at: place("index.jsonl"), withIntermediateDirectories: true)
        let told = try run("verify")
        XCTAssertEqual(told.status, 1)
        XCTAssert(told.run.error.contains("/index.jsonl cannot be read"), told.run.error)
        XCTAssert(told.run.output.contains("read"), told.run.output)
        try FileManager.default.removeItem(at: place("index.jsonl"))
        XCTAssertEqual(try run("merge").status, 0)
        // A copy without links is as good.
        try replace("dataset/00000.tar") { $0 }
        XCTAssertEqual(try run("verify").status, 0)
        try checkNothingIsLostOrDoubled()
    }
}
