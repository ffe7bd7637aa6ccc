import Foundation
import Glibc
import ImageCodecs
import TestServers
import XCTest

/// Plans of a catalog whose photos fail a few times, and are there then.
class GenerationTestCase: PlanTestCase {
    /// Numbers that a seed decides.
    struct Numbers {
        var state: UInt64

        mutating func below(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
    }

    private(set) var servers: [FaultServer] = []
    /// For each row the reasons for which it fails, one after the other.
    private(set) var failures: [[String]] = []

    override func setUpWithError() throws {
        try super.setUpWithError()
        servers = try (1...5).map { try FaultServer(address: "127.0.1.\($0)") }
    }

    override func tearDown() {
        for server in servers { server.stop() }
        super.tearDown()
    }

    /// Serves photos at several hosts, and plans them.
    func makePlan(of failures: [[String]], tasks: Int = 3, rowsPerShard: Int = 4) throws {
        self.failures = failures
        var text = "name,url,caption\n"
        for (row, reasons) in failures.enumerated() {
            let steps = reasons.map { FaultScript.Step.status($0 == "http" ? 404 : 200) }
            servers[row % servers.count].serve(
                FaultScript(try Self.image(.jpeg, width: 20 + row % 40, height: 16), steps + [.answer]),
                at: "/\(row).jpg")
            text += "\"photo, \(row)\",\(servers[row % servers.count].url("/\(row).jpg")),\"see \"\"\(row)\"\"\"\n"
        }
        let path = folder.appending(path: "photos.csv")
        try Data(text.utf8).write(to: path)
        let run = try ProgramRun([
            "plan", path.path, "-o", plan.path, "--tasks", "\(tasks)", "--rows-per-shard", "\(rowsPerShard)",
            "--filter",
            "none", "--size", "16",
        ])
        XCTAssertEqual(run.wait(), 0, run.error)
    }

    /// How often each photo was asked for.
    var attempts: [Int] {
        failures.indices.map { servers[$0 % servers.count].requestCount("/\($0).jpg") }
    }

    /// Why each row failed last; nil for those that were written.
    var reasons: [String?] {
        zip(failures, attempts).map { $1 > $0.count ? nil : $0[$1 - 1] }
    }

    /// The name of the plan's folder and its exit status.
    func planAgain(_ words: [String], as name: String) throws -> (status: Int32, run: ProgramRun) {
        let run = try ProgramRun(["plan"] + words + ["-o", folder.appending(path: name).path])
        return (run.wait(), run)
    }

    func start(_ task: Int, of plan: String) throws -> ProgramRun {
        try ProgramRun([
            "develop", "--plan", folder.appending(path: plan).path, "--task", "\(task)", "-o", output.path,
            "--retries", "0",
        ])
    }

    func doAllTasks(of plan: String) throws {
        let json = try JSONSerialization.jsonObject(
            with: Data(contentsOf: folder.appending(path: plan + "/plan.json")))
        let tasks = try XCTUnwrap((json as? [String: Any])?["taskRows"] as? [Int])
        for run in try tasks.indices.map({ try start($0, of: plan) }) { XCTAssertEqual(run.wait(), 0, run.error) }
    }

    /// Merges, and checks that each row is in the index once, as it ended last, and each picture in one tar file.
    func checkAll(line: UInt = #line) throws {
        let merge = try run("merge")
        XCTAssertEqual(merge.status, 0, merge.run.error, line: line)
        let index = try Data(contentsOf: output.appending(path: "index.jsonl")).split(separator: UInt8(ascii: "\n"))
        var keys: Set<String> = []
        for text in index {
            let object = try XCTUnwrap(JSONSerialization.jsonObject(with: text) as? [String: Any])
            let key = try XCTUnwrap(object["key"] as? String)
            XCTAssert(keys.insert(key).inserted, "\(key) is there twice", line: line)
            let row = try XCTUnwrap(Int(key)) - 1
            XCTAssertEqual(key, String(format: "%05d", row + 1), line: line)
            XCTAssertEqual(object["error"] as? String, reasons[row], key, line: line)
            XCTAssertEqual(object["name"] as? String, "photo, \(row)", line: line)
            XCTAssertEqual((object["catalog"] as? [String: String])?["caption"], "see \"\(row)\"", line: line)
            guard reasons[row] == nil else { continue }
            let shard = try XCTUnwrap(object["shard"] as? String)
            let (offset, size) = try (XCTUnwrap(object["offset"] as? Int), XCTUnwrap(object["size"] as? Int))
            let tar = try Data(contentsOf: output.appending(path: "dataset/\(shard)"))
            XCTAssertEqual(
                tar.dropFirst(offset).prefix(2) + tar.dropFirst(offset + size - 2).prefix(2),
                Data([0xFF, 0xD8, 0xFF, 0xD9]), line: line)
        }
        XCTAssertEqual(keys.count, failures.count, line: line)
        var members: [String] = []
        let names = try names(in: "dataset").filter { $0.hasSuffix(".tar") }
        for name in names {
            let shard = TarListing(try Data(contentsOf: output.appending(path: "dataset/\(name)")))
            XCTAssert(shard.isWhole, name, line: line)
            members += shard.members.map(\.name)
        }
        let written = failures.indices.filter { reasons[$0] == nil }
        let expected = written.flatMap { row in ["jpg", "json"].map { String(format: "%05d.", row + 1) + $0 } }
        XCTAssertEqual(members.sorted(), expected.sorted(), line: line)
        try checkTables(written: Array(written), line: line)
        let list = try String(contentsOf: output.appending(path: "shards.txt"), encoding: .utf8)
        XCTAssertEqual(list.split(separator: "\n").map(String.init), names.map { "dataset/" + $0 }, line: line)
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: output.appending(path: "totals.json")))
        let totals = try XCTUnwrap(json as? [String: Any])
        XCTAssertEqual(totals["written"] as? Int, written.count, line: line)
        XCTAssertEqual(
            totals["failures"] as? [String: Int],
            Dictionary(grouping: reasons.compactMap { $0 }) { $0 }.mapValues(\.count), line: line)
        let status = try run("status")
        XCTAssertEqual(status.status, 0, status.run.error, line: line)
        XCTAssert(
            status.run.output.contains(
                "\n\(written.count) photos written and \(failures.count - written.count) failed, of \(failures.count)\n"
            ),
            status.run.output, line: line)
        XCTAssertEqual(try run("verify").status, 0, line: line)
    }

    /// Spoils some of what was committed, each time in another way.
    ///
    /// - Returns: How many shards are spoilt.
    func spoil(_ folder: String, _ numbers: inout Numbers, oneIn few: Int) throws -> Int {
        var count = 0
        for name in try names(in: folder + "done") where numbers.below(few) == 0 {
            let marker = output.appending(path: folder + "done/" + name)
            let way = numbers.below(5)
            let ending = way == 2 ? [".jsonl", ".parquet"][numbers.below(2)] : ".tar"
            let data = try names(in: folder + "data")
            // What was planned anew may have been spoilt before.
            guard let file = data.first(where: { $0.hasPrefix(name.prefix(6)) && $0.hasSuffix(ending) }) else {
                continue
            }
            let place = output.appending(path: folder + "data/" + file)
            count += 1
            switch way {
            case 0: try FileManager.default.removeItem(at: marker)
            case 1: try Data(contentsOf: marker).dropLast(9).write(to: marker)
            case 2, 3: try FileManager.default.removeItem(at: place)
            default:
                var bytes = try Data(contentsOf: place)
                bytes[bytes.count / 2] ^= 1
                try bytes.write(to: place)
            }
        }
        return count
    }
}
