import Catalogs
import Foundation
import PhotoPipeline
import Transfers
import XCTest

@testable import PhotoDevelopment

/// Which rows come into which task.
final class PlannerTests: JournalTestCase {
    private func plan(_ text: String, _ name: String, tasks: Int, rowsPerShard: Int = 10) throws -> Planner.Result {
        let path = folder + "/catalog.csv"
        try Data(text.utf8).write(to: URL(filePath: path))
        return try Planner.plan(
            path, keys: CatalogKeys(keepsEntries: true), into: folder + "/" + name, tasks: tasks,
            rowsPerShard: rowsPerShard, options: DevelopmentOptions(output: "out"), words: [])
    }

    /// The rows of all tasks: number, name, address and entry.
    private func tasks(_ plan: RunPlan, _ name: String) throws -> [[(number: Int, row: Catalog.Row, entry: String?)]] {
        try plan.taskRows.indices.map { task in
            let rows = try TaskRows(task: task, of: plan, in: FolderPlace(path: folder + "/" + name))
            var left = plan.taskRows[task]
            var all: [(number: Int, row: Catalog.Row, entry: String?)] = []
            while left > 0 {
                let (catalog, parts) = try rows.next(min(left, plan.rowsPerShard))
                for (row, part) in zip(catalog, parts) { all.append((part.number, row, part.entry)) }
                left -= catalog.count
            }
            return all
        }
    }

    func testEachRowIsInOneTaskAndADomainInOne() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var state = seed
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var (text, addresses) = ("url,name,note\n", [String]())
        for row in 0..<3_000 {
            let host = min(random(400), random(400))
            let address =
                switch random(12) {
                case 0: "http://10.0.\(host % 20).\(host % 7)/\(row)"
                case 1: "HTTPS://Img.Host\(host).Example.CO.UK:8443/\(row)"
                case 2: "pictures/\(row).jpg"
                case 3: "not an address \(row)://"
                default: "https://img\(random(5)).host\(host).co.uk/\(row).jpg?a=\"\"b\"\"\\"
                }
            addresses.append(address.replacing("\"\"", with: "\""))
            text += "\"\(address)\",\"row \"\"\(row)\"\"\nzwei\",\u{1F600}\n"
        }
        let result = try plan(text, "plan", tasks: 17)
        XCTAssertEqual(result.plan.rows, 3_000)
        let tasks = try tasks(result.plan, "plan")
        XCTAssertEqual(tasks.map(\.count), result.plan.taskRows)
        XCTAssertEqual(tasks.map(\.count), tasks.map(\.count).sorted(by: >))
        XCTAssertEqual(tasks.flatMap { $0.map(\.number) }.sorted(), Array(0..<3_000))
        var taskOf: [String: Int] = [:]
        for (number, task) in tasks.enumerated() {
            XCTAssertEqual(task.map(\.number), task.map(\.number).sorted())
            for (place, row, entry) in task {
                XCTAssertEqual(row.name, "row \"\(place)\"\nzwei")
                let object = try XCTUnwrap(
                    JSONSerialization.jsonObject(with: Data((entry ?? "").utf8)) as? [String: String])
                XCTAssertEqual(object["note"], "\u{1F600}")
                XCTAssertEqual(object["url"], addresses[place])
                guard case .success(.web(let address)) = row.content else { continue }
                let labels = address.host.split(separator: ".")
                let isNumber = address.host.first?.isNumber ?? false
                let domain = isNumber ? address.host : labels.suffix(3).joined(separator: ".")
                XCTAssertEqual(taskOf.updateValue(number, forKey: domain) ?? number, number, domain)
            }
        }
        XCTAssertGreaterThan(taskOf.count, 100)
        // The same again.
        let again = try plan(text, "again", tasks: 17)
        XCTAssertEqual(again.plan, result.plan)
        XCTAssertEqual(again.plan.digest, result.plan.digest)
        for task in 0..<17 {
            let file = RunPlan.file(ofTask: task)
            XCTAssertEqual(
                try Data(contentsOf: URL(filePath: folder + "/plan/" + file)),
                try Data(contentsOf: URL(filePath: folder + "/again/" + file)))
        }
    }

    /// The same on every machine, so that a plan can be made anew.
    func testTasksDoNotDependOnTheProcess() throws {
        let assignment = TaskAssignment(tasks: 1_000)
        func task(_ address: String) throws -> Int {
            let line = Array("{\"url\": \"\(address)\"}\n".utf8)
            let row = try Catalog(lines: line, origin: .standardInput(currentDirectory: "/"))[0]
            return row.withAddressBytes { assignment.task(of: $0, row.content, number: 0) }
        }
        XCTAssertEqual(try task("https://example.org/1"), try task("http://USER@www.EXAMPLE.org:81/2"))
        XCTAssertEqual(try task("https://example.org/1"), try task("https://example.org."))
        XCTAssertEqual(try task("https://example.org/1"), try task("http://example.org/2"))
        XCTAssertNotEqual(try task("https://a.github.io/1"), try task("https://b.github.io/1"))
        XCTAssertEqual(try task("https://bücher.example/1"), try task("https://xn--bcher-kva.example/"))
        XCTAssertEqual(try task("http://[::1]/a"), try task("http://[::1]:80/b"))
        XCTAssertEqual(try ["https://example.org/1", "https://192.0.2.1/", "/a/b.jpg"].map(task), Self.knownTasks)
    }

    private static let knownTasks = [250, 835, 498]

    func testHeavyDomainsAreTold() throws {
        var text = "url\n"
        for row in 0..<2_000 { text += "https://host\(row % 3 == 0 ? 0 : row).example/\(row)\n" }
        let result = try plan(text, "plan", tasks: 100)
        XCTAssertEqual(result.heavyDomains.map(\.domain), ["host0.example"])
        XCTAssertEqual(result.heavyDomains.map(\.rows), [667])
        XCTAssertEqual(result.plan.taskRows[0] >= 667, true)
        XCTAssertEqual(result.plan.shardCount, result.plan.taskRows.reduce(0) { $0 + ($1 + 9) / 10 })
    }

    /// In tasks names that are made of addresses are left out where they come out the same.
    func testNamesInTasksAreThoseOfTheCatalog() throws {
        let addresses = [
            "https://a.example/b%20c.jpg?x=1#y", "https://a.example/", "http://a.example", "HTTPS://B.example/d\\e",
            "dir/x%20y.jpg", "/root/z.png", "file:///tmp/q%20r.jpg", "ftp://a.example/no.jpg", "https://a.example/%FF",
        ]
        try Data(addresses.joined(separator: "\n").utf8).write(to: URL(filePath: folder + "/list.txt"))
        let result = try Planner.plan(
            folder + "/list.txt", keys: CatalogKeys(keepsEntries: true), into: folder + "/plan", tasks: 1,
            options: DevelopmentOptions(output: "out"), words: [])
        let rows = try tasks(result.plan, "plan")[0]
        let catalog = try Catalog.load(contentsOf: folder + "/list.txt")
        XCTAssertEqual(rows.map(\.row.name), catalog.map(\.name))
        XCTAssertEqual(rows.map { "\($0.row.content)" }, catalog.map { "\($0.content)" })
    }

    func testALineMayBeLongerThanTheRoomOfATask() throws {
        let long = String(repeating: "long ", count: 20_000)
        var text = "url,caption\n"
        for row in 0..<200 { text += "https://a.example/\(row),\(row % 50 == 7 ? long : "short")\n" }
        let result = try plan(text, "plan", tasks: 1_000)
        let rows = try tasks(result.plan, "plan").joined()
        XCTAssertEqual(rows.map(\.number), Array(0..<200))
        for row in rows { XCTAssertEqual(row.entry?.contains(long), row.number % 50 == 7) }
    }

    func testAShardThatATaskCouldNotReadIsNotPlanned() throws {
        func add(mostShardBytes: Int) throws {
            let writer = try PlanWriter(
                in: folder + "/\(mostShardBytes)", tasks: 2, rowsPerShard: 3, mostShardBytes: mostShardBytes)
            // Ten bytes each, and one with fourteen.
            for (row, task) in [0, 1, 0, 1, 0, 1, 0, 0, 0, 1].enumerated() {
                try writer.add(to: task) { $0.append(row == 7 ? "{\"row\":7    }\n" : "{\"row\":\(row)}\n") }
            }
        }
        try add(mostShardBytes: 34)
        XCTAssertThrowsError(try add(mostShardBytes: 33)) {
            XCTAssert("\($0)".contains("take fewer rows for each"), "\($0)")
        }
    }

    func testAFrequentKeyIsFoundInLittleMemory() {
        var hosts = HeavyHosts(capacity: 10)
        for number in 0..<10_000 { hosts.add(number % 4 == 0 ? "often" : "\(number)") }
        let found = hosts.keys(withAtLeast: 1_000)
        XCTAssertEqual(found.map(\.key), ["often"])
        XCTAssert((1_500...2_500).contains(found[0].count), "\(found)")
    }

    func testCountsOfFrequentKeysAreNearlyRight() {
        var hosts = HeavyHosts(capacity: 50)
        var state: UInt64 = 3
        var exact = [Int: Int]()
        for _ in 0..<40_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let (rank, count) = (Int((state >> 40) % 10_000) / Int((state >> 20) % 200 + 1), Int(state >> 60))
            exact[rank, default: 0] += count
            hosts.add("\(rank)", count: count)
        }
        let all = exact.values.reduce(0, +)
        let found = Dictionary(uniqueKeysWithValues: hosts.keys(withAtLeast: 1).map { (Int($0.key) ?? -1, $0.count) })
        XCTAssertLessThanOrEqual(found.count, 100)
        for (rank, count) in exact where count > all / 50 || found[rank] != nil {
            XCTAssert((count - all / 50...count).contains(found[rank] ?? 0), "\(rank): \(count) \(found[rank] ?? 0)")
        }
    }

    func testTwoPlansAtOnceDoNotMixTheirRows() throws {
        let first = try PlanWriter(in: folder + "/plan", tasks: 1, rowsPerShard: 1)
        try first.add(to: 0) { $0.append("{\"row\":0}\n") }
        XCTAssertThrowsError(try plan("https://host.example/1\n", "plan", tasks: 1)) {
            XCTAssert("\($0)".contains("another program is making a plan in it"), "\($0)")
        }
        _ = try first.finish { _, rows, digest in
            RunPlan(catalog: digest, rowsPerShard: 1, options: [], recipe: Recipe([]), taskRows: rows)
        }
        XCTAssertFalse(folderNames(folder + "/plan").contains(".lock"))
        XCTAssertThrowsError(try plan("https://host.example/1\n", "plan", tasks: 1))
    }

    func testTasksThatAPlanLeftAreReplacedAndNothingElse() throws {
        let tasks = folder + "/plan/tasks/"
        try FileManager.default.createDirectory(atPath: tasks, withIntermediateDirectories: true)
        for name in [
            "00000.jsonl.zst", "00007.jsonl.zst", "123456.jsonl.zst", "3.part", "3.addresses.part", "0.kept.part",
        ] {
            try Data("left".utf8).write(to: URL(filePath: tasks + name))
        }
        for name in ["7.jsonl.zst", "00007.jsonl", "+0007.jsonl.zst", "-12345.jsonl.zst", "photos.csv"] {
            try Data("other".utf8).write(to: URL(filePath: tasks + name))
            XCTAssertThrowsError(try plan("https://host.example/1\n", "plan", tasks: 1), name) {
                XCTAssert("\($0)".contains("there are tasks in it"), "\($0)")
            }
            try FileManager.default.removeItem(atPath: tasks + name)
            XCTAssert(folderNames(tasks).contains("00007.jsonl.zst"))
        }
        let result = try plan("url\nhttps://host.example/1\n", "plan", tasks: 1)
        XCTAssertEqual(try self.tasks(result.plan, "plan").map(\.count), [1])
        XCTAssertEqual(folderNames(tasks).filter { !$0.hasPrefix(".") }, ["00000.jsonl.zst"])
    }

    func testManyTasksNeedFewFiles() throws {
        var text = ""
        for row in 0..<20_000 { text += "https://host\(row).example/\(row)\n" }
        let result = try plan(text, "plan", tasks: 10_000, rowsPerShard: 1)
        XCTAssertEqual(result.plan.shardCount, 20_000)
        XCTAssertEqual(result.plan.shardsByTask.joined().map(\.number), Array(0..<20_000))
        let last = try XCTUnwrap(result.plan.taskRows.lastIndex { $0 > 0 })
        XCTAssertEqual(
            try TaskRows(task: last, of: result.plan, in: FolderPlace(path: folder + "/plan")).next(1).catalog.count, 1)
    }
}
