import Foundation
import Glibc
import TestServers
import XCTest

/// `classicphotos plan --failed-of` and `--repair`.
final class GenerationTests: GenerationTestCase {
    private func seed() -> Numbers {
        let seed = ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) } ?? .random(in: 0...UInt64.max)
        print("SEED=\(seed)")
        return Numbers(state: seed)
    }

    private func randomFailures(_ numbers: inout Numbers, count: Int) -> [[String]] {
        (0..<count).map { _ in
            (0..<max(0, numbers.below(7) - 3)).map { _ in numbers.below(2) == 0 ? "http" : "not-an-image" }
        }
    }

    func testWhatFailedIsTakenAgainUntilNothingFails() throws {
        var numbers = seed()
        try makePlan(of: randomFailures(&numbers, count: 70))
        try doAllTasks(of: "plan")
        try checkAll()
        for generation in 1...8 {
            let kind = [nil, "http", "not-an-image"][numbers.below(3)]
            let (before, failed) = (attempts, reasons)
            let wanted = failed.map { $0 != nil && (kind == nil || $0 == kind) }
            let options = kind.map { ["--class", $0] } ?? []
            let again = try planAgain(["--failed-of", output.path, "--tasks", "2"] + options, as: "\(generation)")
            let count = wanted.count { $0 }
            guard count > 0 else {
                XCTAssertEqual(again.status, 1, again.run.error)
                XCTAssert(again.run.error.contains("no photo failed"), again.run.error)
                XCTAssertFalse(FileManager.default.fileExists(atPath: folder.appending(path: "\(generation)").path))
                // The same generation has not begun.
                try FileManager.default.createSymbolicLink(
                    at: folder.appending(path: "\(generation)"), withDestinationURL: plan)
                break
            }
            XCTAssertEqual(again.status, 0, again.run.error)
            let photos = count == 1 ? "1 photo" : "\(count) photos"
            XCTAssert(again.run.output.hasPrefix("\(photos) in 2 tasks"), again.run.output)
            try doAllTasks(of: "\(generation)")
            XCTAssertEqual(attempts, zip(before, wanted).map { $0 + ($1 ? 1 : 0) })
            XCTAssert(FileManager.default.fileExists(atPath: output.appending(path: "gen-\(generation)/done").path))
            try checkAll()
        }
    }

    func testWhatIsSpoiltIsMadeAgain() throws {
        var numbers = seed()
        try makePlan(of: randomFailures(&numbers, count: 60))
        try doAllTasks(of: "plan")
        try checkAll()
        var plans = 0
        func goOn(_ words: [String], line: UInt = #line) throws -> Bool {
            plans += 1
            let again = try planAgain(words, as: "\(plans)")
            if again.status == 0 {
                try doAllTasks(of: "\(plans)")
            } else {
                XCTAssertEqual(again.status, 1, again.run.error)
            }
            return again.status == 0
        }
        for _ in 0..<3 {
            if numbers.below(2) == 0 { _ = try goOn(["--failed-of", output.path]) }
            let folders = [""] + (try names(in: "").filter { $0.hasPrefix("gen-") }.map { $0 + "/" })
            var count = 0
            for folder in folders { count += try spoil(folder, &numbers, oneIn: 4) }
            if count > 0, try run("verify").status == 1 {
                XCTAssertEqual(try planAgain(["--repair", output.path], as: "look").status, 0)
                try FileManager.default.removeItem(at: folder.appending(path: "look"))
            }
            var rounds = 0
            while rounds <= folders.count, try goOn(["--repair", output.path]) { rounds += 1 }
            XCTAssertLessThanOrEqual(rounds, folders.count)
            try checkAll()
        }
        // A photo fails three times at most.
        for _ in 0..<4 where try goOn(["--failed-of", output.path]) { try checkAll() }
        try checkAll()
        XCTAssertEqual(reasons.compactMap { $0 }, [])
    }

    func testOnlyRowsOfSpoiltShardsAreFetchedAgain() throws {
        try makePlan(of: Array(repeating: [], count: 40), tasks: 2, rowsPerShard: 5)
        try doAllTasks(of: "plan")
        let done = try names(in: "done")
        try Data("{}".utf8).write(to: output.appending(path: "done/\(done[0])"))
        try FileManager.default.removeItem(at: output.appending(path: "done/\(done[2])"))
        for command in ["status", "merge"] {
            let told = try run(command)
            XCTAssertEqual(told.status, 1)
            XCTAssert(told.run.error.contains("plan --repair \(output.path)"), told.run.error)
        }
        let failed = try planAgain(["--failed-of", output.path], as: "no")
        XCTAssertEqual(failed.status, 3)
        XCTAssert(failed.run.error.contains("plan --repair"), failed.run.error)
        // The plan has been moved.
        let moved = folder.appending(path: "moved")
        try FileManager.default.moveItem(at: plan, to: moved)
        let lost = try planAgain(["--repair", output.path], as: "no")
        XCTAssertEqual(lost.status, 3)
        XCTAssert(
            lost.run.error.contains(
                "there is no plan.json in this folder; name the folder of the plan of \(output.path)"),
            lost.run.error)
        let again = try planAgain([moved.path, "--repair", output.path], as: "again")
        XCTAssertEqual(again.status, 0, again.run.error)
        XCTAssert(again.run.output.hasPrefix("10 photos in 2 shards"), again.run.output)
        try doAllTasks(of: "again")
        XCTAssertEqual(attempts.sorted(), Array(repeating: 1, count: 30) + Array(repeating: 2, count: 10))
        try checkAll()
        let whole = try planAgain(["--repair", output.path], as: "no")
        XCTAssertEqual(whole.status, 1)
        XCTAssert(whole.run.error.contains("no shard is damaged or missing"), whole.run.error)
    }

    func testAShardWhoseRowsAreWrittenElsewhereHoldsNothing() throws {
        try makePlan(of: [["http"], [], []], tasks: 1, rowsPerShard: 1)
        try doAllTasks(of: "plan")
        XCTAssertEqual(try planAgain(["--failed-of", output.path], as: "again").status, 0)
        try doAllTasks(of: "again")
        let index = try XCTUnwrap(
            names(in: "data").first {
                $0.hasSuffix(".jsonl")
                    && (try? String(contentsOf: output.appending(path: "data/\($0)"), encoding: .utf8))?.contains(
                        "00001")
                        ?? false
            })
        try FileManager.default.removeItem(at: output.appending(path: "data/\(index)"))
        let merge = try run("merge")
        XCTAssertEqual(merge.status, 3)
        XCTAssert(merge.run.error.contains("plan --repair"), merge.run.error)
        let repair = try planAgain(["--repair", output.path], as: "repair")
        XCTAssert(repair.run.output.hasPrefix("0 photos in 1 shard"), repair.run.output)
        func left() throws -> String {
            try run("status", "--tasks-of", folder.appending(path: "repair").path).run.output
        }
        XCTAssertEqual(try left(), "0\n")
        try doAllTasks(of: "repair")
        XCTAssertEqual(try left(), "\n")
        XCTAssertEqual(attempts, [2, 1, 1])
        try checkAll()
    }

    func testAGenerationThatIsNotDoneHoldsUpMergeAndTheNextOne() throws {
        try makePlan(of: Array(repeating: ["http"], count: 20), tasks: 2)
        XCTAssertEqual(try start(1, of: "plan").wait(), 0)
        let early = try planAgain(["--failed-of", output.path, "--class", "timeout"], as: "early")
        XCTAssertEqual(early.status, 1)
        XCTAssert(early.run.error.contains(" shards are not committed yet"), early.run.error)
        try doAllTasks(of: "plan")
        XCTAssertEqual(try planAgain(["--failed-of", output.path], as: "again").status, 0)
        XCTAssertEqual(try planAgain(["--failed-of", output.path, "--class", "http"], as: "same").status, 0)
        // It has not begun.
        try checkAll()
        XCTAssertEqual(try start(0, of: "again").wait(), 0)
        for command in ["status", "merge", "verify"] {
            let told = try run(command)
            XCTAssertEqual(told.status, 1, command)
            XCTAssert(told.run.error.contains("tasks of generation 1 with shards left: 1"), told.run.error)
        }
        let next = try planAgain(["--failed-of", output.path], as: "next")
        XCTAssertEqual(next.status, 2)
        XCTAssert(next.run.error.contains("generation 1"), next.run.error)
        // The same rows again are the same plan.
        XCTAssertEqual(try start(1, of: "same").wait(), 0)
        try checkAll()
    }

    func testAPlanGoesOnWhereItWasMadeAndNowhereElse() throws {
        try makePlan(of: (0..<20).map { $0 % 2 == 0 ? ["http", "http"] : ["not-an-image"] }, tasks: 2)
        try doAllTasks(of: "plan")
        for (name, why) in [("http", "http"), ("other", "not-an-image")] {
            XCTAssertEqual(try planAgain(["--failed-of", output.path, "--class", why], as: name).status, 0)
        }
        try doAllTasks(of: "http")
        // Made beside it, of other rows.
        let late = try start(0, of: "other")
        XCTAssertEqual(late.wait(), 2)
        XCTAssert(late.error.contains("it was made of other rows"), late.error)
        XCTAssertEqual(try planAgain(["--failed-of", output.path, "--class", "http"], as: "second").status, 0)
        // Another folder.
        let elsewhere = try ProgramRun([
            "develop", "--plan", folder.appending(path: "second").path, "--task", "0", "-o",
            folder.appending(path: "elsewhere").path,
        ])
        XCTAssertEqual(elsewhere.wait(), 2)
        XCTAssert(elsewhere.error.contains("generation 1, which is not there"), elsewhere.error)
        // The generation that it goes on from has been done anew.
        try checkAllButReasons()
        try FileManager.default.removeItem(at: output.appending(path: "gen-1"))
        try checkAllButReasons()
        let tables = try names(in: "dataset").filter { $0.hasSuffix(".parquet") }
        XCTAssertEqual(tables.count, try names(in: "done").count)
        try doAllTasks(of: "other")
        let stranger = try start(0, of: "second")
        XCTAssertEqual(stranger.wait(), 2)
        XCTAssert(stranger.error.contains("plan anew"), stranger.error)
        try checkAllButReasons()
    }

    func testAGenerationIsNoFolderOfItsOwn() throws {
        try makePlan(of: Array(repeating: ["http", "http", "http"], count: 6), tasks: 1)
        try doAllTasks(of: "plan")
        for name in ["first", "second", "third"] {
            XCTAssertEqual(try planAgain(["--failed-of", output.path], as: name).status, 0)
            if name != "third" { try doAllTasks(of: name) }
        }
        let inside = output.appending(path: "gen-1")
        for place in [inside, folder.appending(path: "first")] {
            for command in ["status", "merge", "verify"] {
                let told = try ProgramRun([command, place.path])
                XCTAssertEqual(told.wait(), 3, command)
                XCTAssert(told.error.contains("it is generation 1 of another folder"), told.error)
            }
        }
        // One from among them is away.
        try FileManager.default.moveItem(at: inside, to: folder.appending(path: "away"))
        for command in ["status", "merge", "verify"] { XCTAssertEqual(try run(command).status, 3, command) }
        let refused = try start(0, of: "third")
        XCTAssertEqual(refused.wait(), 3)
        XCTAssert(refused.error.contains("generation 1 is not there"), refused.error)
        try FileManager.default.moveItem(at: folder.appending(path: "away"), to: inside)
        try doAllTasks(of: "third")
        try checkAll()
    }

    func testAGenerationThatCannotBeLookedAtIsNotLeftOut() throws {
        try makePlan(of: Array(repeating: ["http"], count: 6), tasks: 1)
        try doAllTasks(of: "plan")
        XCTAssertEqual(try planAgain(["--failed-of", output.path], as: "again").status, 0)
        try doAllTasks(of: "again")
        try checkAll()
        let (before, inside) = (try names(in: "dataset"), output.appending(path: "gen-1"))
        try FileManager.default.moveItem(at: inside, to: folder.appending(path: "away"))
        // A link to itself.
        try FileManager.default.createSymbolicLink(atPath: inside.path, withDestinationPath: "gen-1")
        for command in ["status", "merge", "verify"] {
            let told = try run(command)
            XCTAssertEqual(told.status, 4, command + told.run.error)
            XCTAssert(told.run.error.contains("too many levels of symbolic links"), told.run.error)
        }
        XCTAssertEqual(try names(in: "dataset"), before)
        try FileManager.default.removeItem(at: inside)
        try FileManager.default.moveItem(at: folder.appending(path: "away"), to: inside)
        try checkAll()
    }

    func testWhatWorkersLeftAtAShardIsRemovedWhenItIsRepaired() throws {
        try makePlan(of: Array(repeating: [], count: 4), tasks: 1, rowsPerShard: 1)
        try doAllTasks(of: "plan")
        // Of the first shard there is no marker, the second one is damaged and was tried twice, and the third one's marker is damaged.
        try FileManager.default.removeItem(at: output.appending(path: "done/00000.json"))
        let tar = try XCTUnwrap(names(in: "data").first { $0.hasPrefix("00001.") && $0.hasSuffix(".tar") })
        try Data("damaged".utf8).write(to: output.appending(path: "data/\(tar)"))
        try Data().write(to: output.appending(path: "data/00001.lost.tar"))
        try Data("{}".utf8).write(to: output.appending(path: "done/00002.json"))
        let before = try names(in: "data")
        XCTAssertEqual(before.count, 13)
        XCTAssertEqual(try run("verify", "--gc").status, 1)
        XCTAssertEqual(try names(in: "data"), before)
        XCTAssertEqual(try planAgain(["--repair", output.path], as: "repair").status, 0)
        try doAllTasks(of: "repair")
        let collected = try run("verify", "--gc")
        XCTAssertEqual(collected.status, 0, collected.run.error)
        XCTAssert(collected.run.output.contains("4 files removed"), collected.run.output)
        XCTAssertEqual(
            try names(in: "data"), before.filter { !$0.hasPrefix("00000.") && $0 != "00001.lost.tar" })
        try checkAll()
    }

    func testAPhotoThatFailedIsToldAlsoWhereAShardIsMissing() throws {
        try makePlan(of: [["http"], ["not-an-image"]], tasks: 1, rowsPerShard: 1)
        try doAllTasks(of: "plan")
        XCTAssertEqual(try planAgain(["--failed-of", output.path, "--class", "http"], as: "again").status, 0)
        try doAllTasks(of: "again")
        XCTAssert(try run("status").run.output.contains("\n1 photo written and 1 failed, of 2\n"))
        // The shard of the one that was written later.
        for spoil in [nil, Data("{}".utf8)] {
            let marker = output.appending(path: "done/00000.json")
            if let spoil { try spoil.write(to: marker) } else { try FileManager.default.removeItem(at: marker) }
            let status = try run("status")
            XCTAssertEqual(status.status, 1)
            XCTAssert(status.run.output.contains("\n1 photo written and 1 failed, of 2\n"), status.run.output)
        }
    }

    func testAnIndexThatWasAlteredIsNotPlannedOf() throws {
        try makePlan(of: Array(repeating: ["http"], count: 4), tasks: 1)
        try doAllTasks(of: "plan")
        let index = try XCTUnwrap(names(in: "data").first { $0.hasSuffix(".jsonl") })
        let place = output.appending(path: "data/\(index)")
        let text = try String(contentsOf: place, encoding: .utf8)
        try Data(text.replacing("see", with: "sea").utf8).write(to: place)
        let refused = try planAgain(["--failed-of", output.path], as: "no")
        XCTAssertEqual(refused.status, 3)
        XCTAssert(refused.run.error.contains("plan --repair"), refused.run.error)
        XCTAssertEqual(try planAgain(["--repair", output.path], as: "repair").status, 0)
        try doAllTasks(of: "repair")
        try checkAll()
    }

    private func checkAllButReasons() throws {
        XCTAssertEqual(try run("merge").status, 0)
        let text = try String(contentsOf: output.appending(path: "index.jsonl"), encoding: .utf8)
        XCTAssertEqual(text.split(separator: "\n").count, failures.count)
    }

    func testAnswersAreChosenByTheClassOfTheirStatus() throws {
        let entries = [404, 503, 410, 500].map { status in
            servers[0].serve(FaultScript(Data(), [.status(status)]), at: "/\(status)")
            return ("\(status)", servers[0].url("/\(status)").absoluteString)
        }
        let catalog = try catalog(entries + [("broken", "http://a b/")])
        XCTAssertEqual(try ProgramRun(["plan", catalog, "-o", plan.path, "--tasks", "1"]).wait(), 0)
        try doAllTasks(of: "plan")
        for (words, count) in [
            ("http-4xx", 2), ("http-5xx", 2), ("http-4xx,http-5xx", 4), ("http-4xx,http", 4),
            ("invalid-address,http-5xx", 3), ("http", 4), ("timeout", 0),
        ] {
            let planned = try planAgain(["--failed-of", output.path, "--class", words], as: "\(words)")
            XCTAssertEqual(planned.status, count > 0 ? 0 : 1, words + planned.run.error)
            XCTAssert(planned.run.output.hasPrefix(count > 0 ? "\(count) photos " : ""), words + planned.run.output)
        }
    }

    func testOptionsThatDoNotFitAreRefused() throws {
        for words in [
            ["--failed-of", "x", "--repair", "x"], ["--class", "http"], ["--repair", "x", "--class", "http"],
            ["--failed-of", "x", "--size", "9"], ["--failed-of", "x", "--class", "htp"], ["a", "--failed-of", "x"],
            ["a", "b", "--repair", "x"], ["--repair", "x", "--tasks", "2"],
            ["--failed-of", "x", "--rows-per-shard", "2"],
        ] {
            let refused = try planAgain(words, as: "no")
            XCTAssertEqual(refused.status, 2, "\(words) \(refused.run.error)")
        }
        XCTAssertEqual(try planAgain(["--failed-of", output.path], as: "no").status, 3)
        XCTAssertEqual(try planAgain(["--repair", output.path], as: "no").status, 3)
    }

    func testABrokenEntryKeepsItsReason() throws {
        let text = "name,url\nwhole,\(servers[0].url("/ok"))\nshort\nbad,http://a b/\n"
        let catalog = folder.appending(path: "photos.csv")
        try Data(text.utf8).write(to: catalog)
        XCTAssertEqual(
            try ProgramRun(["plan", catalog.path, "-o", plan.path, "--tasks", "1", "--filter", "none"]).wait(), 0)
        func details() throws -> [String] {
            XCTAssertEqual(try run("merge").status, 0)
            let text = try String(contentsOf: output.appending(path: "index.jsonl"), encoding: .utf8)
            let objects = try text.split(separator: "\n").map {
                try XCTUnwrap(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
            }
            return objects.sorted { "\($0["key"] ?? "")" < "\($1["key"] ?? "")" }.map {
                "\($0["error"] ?? ""): \($0["detail"] ?? "")"
            }
        }
        try doAllTasks(of: "plan")
        let first = try details()
        XCTAssertEqual(first[1], "invalid-entry: Line 3, column 1: the row has 1 field, the header 2.")
        XCTAssert(first[2].hasPrefix("invalid-address: “http://a b/”"), first[2])
        XCTAssertEqual(try planAgain(["--failed-of", output.path], as: "again").status, 0)
        try doAllTasks(of: "again")
        XCTAssertEqual(try details(), first)
    }
}
