import Foundation
import Glibc
import ImageCodecs
import TestServers
import XCTest

/// `classicphotos plan`, and tasks of it on a folder that they share.
class PlanTestCase: DevelopTestCase {
    var plan: URL { folder.appending(path: "plan") }
    let rows = 60

    /// A catalog of local pictures, of which one in ten is not there.
    func localCatalog() throws -> String {
        var text = "name,url,id\n"
        for row in 0..<rows {
            if row % 10 != 9 {
                try Self.image(.jpeg, width: 24 + row, height: 16).write(to: folder.appending(path: "\(row).jpg"))
            }
            text += "\"photo, \(row)\",\(row).jpg,\(row)\n"
        }
        let path = folder.appending(path: "photos.csv")
        try Data(text.utf8).write(to: path)
        return path.path
    }

    func makePlan(tasks: Int = 3, rowsPerShard: Int = 4, _ options: [String] = []) throws {
        let run = try ProgramRun(
            [
                "plan", localCatalog(), "-o", plan.path, "--tasks", "\(tasks)", "--rows-per-shard", "\(rowsPerShard)",
                "--filter", "none", "--size", "16",
            ] + options)
        XCTAssertEqual(run.wait(), 0, run.error)
    }

    func task(_ number: Int, _ options: [String] = [], limits: String = ":") throws -> ProgramRun {
        try ProgramRun(
            ["develop", "--plan", plan.path, "--task", "\(number)", "-o", output.path] + options, limits: limits)
    }

    func run(_ words: String...) throws -> (status: Int32, run: ProgramRun) {
        let run = try ProgramRun(words + [output.path])
        return (run.wait(), run)
    }

    func names(in part: String) throws -> [String] {
        let folder = output.appending(path: part).path
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix(".") }.sorted()
    }

    /// How many attempts at shards have left files, and are not what a marker names.
    func attemptsThatLost() throws -> Int {
        let markers = try names(in: "done").map { name in
            let json = try JSONSerialization.jsonObject(with: Data(contentsOf: output.appending(path: "done/\(name)")))
            return name.prefix(5) + "." + (try XCTUnwrap((json as? [String: Any])?["attempt"] as? String))
        }
        let attempts = try Set(names(in: "data").map { $0.split(separator: ".").prefix(2).joined(separator: ".") })
        return attempts.subtracting(markers.map { String($0) }).count
    }

    /// Merges, and checks that each row of the catalog is in the data set once.
    func checkNothingIsLostOrDoubled(line: UInt = #line) throws {
        let merge = try run("merge")
        XCTAssertEqual(merge.status, 0, merge.run.error, line: line)
        try checkDataSet(line: line)
        XCTAssertEqual(try run("verify").status, 0, line: line)
    }

    /// Checks that each row of the catalog is in the data set once.
    func checkDataSet(line: UInt = #line) throws {
        let index = try Data(contentsOf: output.appending(path: "index.jsonl")).split(separator: UInt8(ascii: "\n"))
        let objects = try index.map { try XCTUnwrap(JSONSerialization.jsonObject(with: $0) as? [String: Any]) }
        XCTAssertEqual(
            objects.compactMap { $0["key"] as? String }.sorted(), (1...rows).map { String(format: "%05d", $0) },
            line: line)
        var members: [String] = []
        for name in try names(in: "dataset") where name.hasSuffix(".tar") {
            let shard = TarListing(try Data(contentsOf: output.appending(path: "dataset/\(name)")))
            XCTAssert(shard.isWhole, name, line: line)
            members += shard.members.map(\.name)
        }
        let expected = (0..<rows).filter { $0 % 10 != 9 }.flatMap { row in
            ["jpg", "json"].map { String(format: "%05d.", row + 1) + $0 }
        }
        XCTAssertEqual(members.sorted(), expected.sorted(), line: line)
        try checkTables(written: (0..<rows).filter { $0 % 10 != 9 }, line: line)
    }

    /// Checks that the tables of the data set have each row that was written once, and no shard is without one.
    func checkTables(written: [Int], line: UInt = #line) throws {
        let names = try names(in: "dataset")
        let tables = names.filter { $0.hasSuffix(".parquet") }
        let stems = Set(tables.map { $0.prefix { $0 != "." } })
        for name in names where name.hasSuffix(".tar") {
            XCTAssert(stems.contains(name.prefix { $0 != "." }), name, line: line)
            // More than the end of an archive.
            let size = try Data(contentsOf: output.appending(path: "dataset/" + name)).count
            XCTAssertGreaterThan(size, 1_024, name, line: line)
        }
        var keys: [String] = []
        for name in tables {
            let table = try ParquetListing(Data(contentsOf: output.appending(path: "dataset/\(name)")))
            for (key, status) in zip(try XCTUnwrap(table["key"]), try XCTUnwrap(table["status"]))
            where status == "filtered" {
                keys.append(try XCTUnwrap(key))
            }
        }
        XCTAssertEqual(keys.sorted(), written.map { String(format: "%05d", $0 + 1) }, line: line)
    }
}

final class PlanTests: PlanTestCase {
    func testATaskIsTheSameRunWithShardsOfItsOwn() throws {
        try makePlan()
        XCTAssertEqual(try run("status").status, 3)
        for number in 0..<3 {
            let task = try task(number)
            XCTAssertEqual(task.wait(), 0, task.error)
            XCTAssertEqual(try run("status").status, number == 2 ? 0 : 1)
        }
        try checkNothingIsLostOrDoubled()
        let index = try String(contentsOf: output.appending(path: "index.jsonl"), encoding: .utf8)
        let line = try XCTUnwrap(index.split(separator: "\n").first { $0.contains(#""name":"photo, 7""#) })
        let object = try XCTUnwrap(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        XCTAssertEqual(object["catalog"] as? [String: String], ["name": "photo, 7", "url": "7.jpg", "id": "7"])
        let shard = try XCTUnwrap(object["shard"] as? String)
        XCTAssertEqual(object["file"] as? String, shard + "/00008.jpg")
        let table = try ParquetListing(
            Data(contentsOf: output.appending(path: "dataset/\(shard.prefix { $0 != "." }).parquet")))
        let place = try XCTUnwrap(table["key"]?.firstIndex(of: "00008"))
        XCTAssertEqual(table["name"]?[place], "photo, 7")
        XCTAssertEqual(table["id"]?[place], "7")
        XCTAssertEqual(table["sha256"]?[place], object["sha256"] as? String)
        XCTAssertEqual(table["size"]?[place], (object["size"] as? Int).map { "\($0)" })
        let (offset, size) = try (XCTUnwrap(object["offset"] as? Int), XCTUnwrap(object["size"] as? Int))
        let tar = try Data(contentsOf: output.appending(path: "dataset/\(shard)"))
        XCTAssertEqual(try Self.sha256(tar.dropFirst(offset).prefix(size)), object["sha256"] as? String)
        // What is done is not done again.
        let before = try names(in: "data")
        let again = try task(1)
        XCTAssertEqual(again.wait(), 0)
        XCTAssert(again.output.contains(" 0 of "), again.output)
        XCTAssertEqual(try names(in: "data"), before)
    }

    func testTasksThatAreLeftAreToldToEngines() throws {
        try makePlan()
        func left(_ plan: String? = nil) throws -> (status: Int32, run: ProgramRun) {
            try run("status", "--tasks-of", plan ?? self.plan.path)
        }
        // Nothing has begun.
        var said = try left()
        XCTAssertEqual(said.run.output, "0-2\n")
        XCTAssertEqual(said.status, 1)
        XCTAssertEqual(try task(1).wait(), 0)
        XCTAssertEqual(try left().run.output, "0,2\n")
        for number in [0, 2] { XCTAssertEqual(try task(number).wait(), 0) }
        said = try left()
        XCTAssertEqual(said.run.output, "\n")
        XCTAssertEqual(said.status, 0)
        // A damaged marker is no end, and no task for engines.
        let marker = output.appending(path: "done/00001.json")
        let whole = try Data(contentsOf: marker)
        try Data("damaged".utf8).write(to: marker)
        said = try left()
        XCTAssertEqual(said.status, 1)
        XCTAssertEqual(said.run.output, "\n")
        XCTAssert(said.run.error.contains("00001.json"), said.run.error)
        try whole.write(to: marker)
        // What is no output, or has not what a plan goes on from.
        XCTAssertEqual(try ProgramRun(["status", "--tasks-of", plan.path, localCatalog()]).wait(), 3)
        // A plan of what failed, before and after its task.
        let failed = folder.appending(path: "failed").path
        XCTAssertEqual(try ProgramRun(["plan", "--failed-of", output.path, "-o", failed, "--tasks", "1"]).wait(), 0)
        XCTAssertEqual(try left(failed).run.output, "0\n")
        XCTAssertEqual(
            try ProgramRun(["status", "--tasks-of", failed, folder.appending(path: "none").path]).wait(), 2)
        XCTAssertEqual(try ProgramRun(["develop", "--plan", failed, "--task", "0", "-o", output.path]).wait(), 0)
        XCTAssertEqual(try left(failed).status, 0)
        XCTAssertEqual(try left().status, 0)
        XCTAssertEqual(try left(folder.appending(path: "none").path).status, 3)
        // Another plan's output.
        try FileManager.default.removeItem(at: plan)
        try makePlan(tasks: 2)
        XCTAssertEqual(try left().status, 2)
    }

    func testATaskReadsHeadersFromStandardInput() throws {
        let catalog = try catalog([("a", server.url("/a.jpg").absoluteString)])
        XCTAssertEqual(try ProgramRun(["plan", catalog, "-o", plan.path, "--tasks", "1"]).wait(), 0)
        let run = try ProgramRun(
            ["develop", "--plan", plan.path, "--task", "0", "-o", output.path, "--header", "@-"],
            input: Data("X-Key: 1\n".utf8))
        XCTAssertEqual(run.wait(), 0, run.error)
        XCTAssertEqual(server.requestHeaders("X-Key", at: "/a.jpg"), ["1"])
    }

    /// One object deeper than in the catalog, which has as many as a catalog may have.
    func testAnEntryThatIsNestedAsDeepAsMayBeIsDone() throws {
        let deep = String(repeating: "[", count: 127) + String(repeating: "]", count: 127)
        let entries = ["/a.jpg", "/none.jpg"].map { "{\"url\":\"\(server.url($0))\",\"deep\":\(deep)}\n" }
        let catalog = folder.appending(path: "photos.jsonl")
        try Data(entries.joined().utf8).write(to: catalog)
        XCTAssertEqual(try ProgramRun(["plan", catalog.path, "-o", plan.path, "--tasks", "1"]).wait(), 0)
        XCTAssertEqual(try task(0).wait(), 0)
        XCTAssertEqual(try run("merge").status, 0)
        let index = try String(contentsOf: output.appending(path: "index.jsonl"), encoding: .utf8)
        XCTAssertEqual(index.components(separatedBy: "\"deep\":\(deep)}").count, 3, index)
        let again = folder.appending(path: "again").path
        let planned = try ProgramRun(["plan", "--failed-of", output.path, "-o", again, "--tasks", "1"])
        XCTAssertEqual(planned.wait(), 0, planned.error)
        let run = try ProgramRun(["develop", "--plan", again, "--task", "0", "-o", output.path])
        XCTAssertEqual(run.wait(), 0, run.error)
    }

    func testATaskOfPlansIsFoundAsTheEngineNamesIt() throws {
        func slurm(_ index: Int, min: Int, max: Int, count: Int) -> String {
            "export SLURM_ARRAY_TASK_ID=\(index) SLURM_ARRAY_TASK_MIN=\(min) SLURM_ARRAY_TASK_MAX=\(max) "
                + "SLURM_ARRAY_TASK_COUNT=\(count)"
        }
        try makePlan()
        for (limits, status, passed) in [
            // Two tasks that are submitted again alone keep their numbers.
            (slurm(2, min: 1, max: 2, count: 2), 0, "task 2:"), (slurm(1, min: 1, max: 1, count: 1), 0, "task 1:"),
            // The whole plan, with numbers from 1.
            (slurm(1, min: 1, max: 3, count: 3), 0, "task 0:"), (slurm(3, min: 1, max: 3, count: 3), 0, "task 2:"),
            // As many as there are tasks, with gaps: 4 is none of them.
            (slurm(4, min: 0, max: 4, count: 3), 2, ""), (slurm(4, min: 1, max: 4, count: 3), 2, ""),
            ("export SGE_TASK_ID=undefined JOB_COMPLETION_INDEX=2", 0, "task 2:"),
            ("export SGE_TASK_ID=1 SGE_TASK_FIRST=1", 0, "task 0:"),
            ("export SGE_TASK_ID=3 SGE_TASK_FIRST=3", 0, "task 2:"),
            ("export SGE_TASK_ID=0", 2, ""), ("export AWS_BATCH_JOB_ARRAY_INDEX=x", 2, ""),
            ("unset SLURM_ARRAY_TASK_ID", 2, ""),
        ] as [(String, Int32, String)] {
            let run = try ProgramRun(
                ["develop", "--plan", plan.path, "--task", "auto", "-o", output.path], limits: limits)
            XCTAssertEqual(run.wait(), status, limits + run.error)
            XCTAssert(run.output.hasPrefix(passed), run.output)
        }
        XCTAssertEqual(try run("status").status, 0)
    }

    /// They may be those of another machine, whose locks are not seen here.
    func testATaskClearsNothingThatOthersMayBeWriting() throws {
        let files = [".classicphotos-1.part", "data/.classicphotos-2.part", "dataset/.classicphotos-3.part"].map {
            output.appending(path: $0)
        }
        for folder in ["data", "dataset"] {
            try FileManager.default.createDirectory(
                at: output.appending(path: folder), withIntermediateDirectories: true)
        }
        for file in files { try Data().write(to: file) }
        try makePlan(tasks: 1, rowsPerShard: 30)
        XCTAssertEqual(try task(0).wait(), 0)
        for file in files { XCTAssert(FileManager.default.fileExists(atPath: file.path), file.path) }
        XCTAssertEqual(try run("verify", "--gc").status, 0)
        for file in files { XCTAssertFalse(FileManager.default.fileExists(atPath: file.path), file.path) }
    }

    func testEachTaskTwiceAtOnceLosesAndDoublesNothing() throws {
        try makePlan(tasks: 2, rowsPerShard: 6)
        let runs = try [0, 1, 0, 1].map { try task($0) }
        for run in runs { XCTAssertEqual(run.wait(), 0, run.error) }
        try checkNothingIsLostOrDoubled()
        // Who came second has cleared up.
        XCTAssertEqual(try names(in: "data").count, 3 * (try names(in: "done").count))
    }

    func testTasksThatAreKilledAtRandomStepsLoseAndDoubleNothing() throws {
        let environment = ProcessInfo.processInfo.environment
        let seed = environment["SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 0...UInt64.max)
        let kills = environment["KILLS"].flatMap { Int($0) } ?? 10
        print("SEED=\(seed)")
        var state = seed
        func random(below bound: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % bound
        }
        try makePlan(tasks: 2, rowsPerShard: 1)
        var killed = 0
        for _ in 0..<kills {
            var known = try Set(names(in: "data"))
            let runs = try [0, 1, Int(random(below: 2))].map { try task($0, ["--jobs", "1"]) }
            for run in runs {
                // Somewhere between the first file of a shard and the marker, or in the next shards.
                wait("a shard is begun") { !run.isRunning || (try? !known.isSuperset(of: names(in: "data"))) ?? false }
                known = try Set(names(in: "data"))
                var steps = random(below: 16)
                wait("it is time to kill") {
                    steps = steps > 0 ? steps - 1 : 0
                    return steps == 0 || !run.isRunning
                }
                run.send(SIGKILL)
                if run.wait() == 128 + SIGKILL { killed += 1 }
            }
        }
        let amid = try attemptsThatLost()
        print("\(killed) were killed, \(amid) of them amid a shard")
        XCTAssertGreaterThan(killed, kills / 2)
        XCTAssertGreaterThan(amid, killed / 3)
        for number in 0..<2 {
            let run = try task(number)
            XCTAssertEqual(run.wait(), 0, run.error)
        }
        try checkNothingIsLostOrDoubled()
        XCTAssertEqual(try run("verify", "--gc").status, 0)
        XCTAssertEqual(try names(in: "data").count, 3 * (try names(in: "done").count))
        try checkNothingIsLostOrDoubled()
    }

    func testATaskThatIsToEndGivesItsShardUp() throws {
        let catalog = try catalog([("slow", server.url(.stall).absoluteString)])
        XCTAssertEqual(try ProgramRun(["plan", catalog, "-o", plan.path, "--tasks", "1"]).wait(), 0)
        let run = try task(0)
        wait("the task has begun") { (try? names(in: "data").count) ?? 0 > 0 }
        run.send(SIGTERM)
        XCTAssertEqual(run.wait(), 75, run.error)
        XCTAssertEqual(try names(in: "data") + names(in: "done"), [])
    }

    func testADiskThatIsFullLeavesNothingHalfPublished() throws {
        try makePlan(tasks: 1, rowsPerShard: 60)
        let run = try task(0, limits: "ulimit -f 8")
        XCTAssertEqual(run.wait(), 75, run.error)
        XCTAssertEqual(try names(in: "data") + names(in: "done"), [])
        XCTAssertEqual(try task(0).wait(), 0)
        try checkNothingIsLostOrDoubled()
    }

    func testABrokenRowKeepsItsAddress() throws {
        let catalog = folder.appending(path: "broken.csv")
        try Data("url,caption\nhttp://127.0.0.1:1/x.jpg,a,b\n".utf8).write(to: catalog)
        let made = try ProgramRun(["plan", catalog.path, "-o", plan.path, "--tasks", "1", "--filter", "none"])
        XCTAssertEqual(made.wait(), 0, made.error)
        XCTAssertEqual(try task(0).wait(), 0)
        XCTAssertEqual(try run("merge").status, 0)
        let line = try Data(contentsOf: output.appending(path: "index.jsonl"))
        let object = try XCTUnwrap(JSONSerialization.jsonObject(with: line) as? [String: Any])
        XCTAssertEqual(object["url"] as? String, "http://127.0.0.1:1/x.jpg")
        XCTAssertEqual(object["reason"] as? String ?? object["error"] as? String, "invalid-entry", "\(object)")
    }

    /// Programs that read tar files take one without a sample for a fault of theirs.
    func testAShardWhoseRowsAllFailedHasATableAndNoTarFile() throws {
        try makePlan(tasks: 1, rowsPerShard: 1)
        XCTAssertEqual(try task(0).wait(), 0)
        XCTAssertEqual(try run("merge").status, 0)
        let totals = try JSONDecoder().decode(
            [String: PlanTotal].self, from: Data(contentsOf: output.appending(path: "totals.json")))
        let (rows, written) = (try XCTUnwrap(totals["rows"]?.number), try XCTUnwrap(totals["written"]?.number))
        XCTAssertLessThan(written, rows)
        let files = try names(in: "dataset")
        let tars = files.filter { $0.hasSuffix(".tar") }
        XCTAssertEqual(tars.count, written)
        XCTAssertEqual(files.count, written + rows)
        let list = try String(contentsOf: output.appending(path: "shards.txt"), encoding: .utf8)
        XCTAssertEqual(list.split(separator: "\n").sorted(), tars.map { Substring("dataset/" + $0) }.sorted())
        XCTAssertEqual(try run("verify").status, 0)
    }
}

/// A number in `totals.json`; other values are of no interest.
private struct PlanTotal: Decodable {
    let number: Int?
    init(from decoder: any Decoder) throws { number = try? decoder.singleValueContainer().decode(Int.self) }
}
