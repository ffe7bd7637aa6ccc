import Catalogs
import Foundation
import OperationsTesting
import PhotoPipeline
import Transfers
import XCTest

@testable import PhotoDevelopment

/// Plans without the rows whose address an earlier row has.
final class RepeatedRowsTests: JournalTestCase {
    private func plan(
        _ text: String, _ name: String = "plan", tasks: Int = 5, leavingOut: Bool = true
    ) throws -> Planner.Result {
        let path = folder + "/catalog.csv"
        try Data(text.utf8).write(to: URL(filePath: path))
        return try Planner.plan(
            path, keys: CatalogKeys(keepsEntries: true), into: folder + "/" + name, tasks: tasks, rowsPerShard: 10,
            leavingRepeatedRowsOut: leavingOut, options: DevelopmentOptions(output: "out"), words: [])
    }

    /// The lines of each task.
    private func lines(_ plan: RunPlan, _ name: String = "plan") throws -> [[String]] {
        try plan.taskRows.indices.map { task in
            let rows = try TaskRows(task: task, of: plan, in: FolderPlace(path: folder + "/" + name))
            let lines = try rows.nextLines(plan.taskRows[task] + 1)
            return lines.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// The numbers of the rows of each task.
    private func numbers(_ plan: RunPlan, _ name: String = "plan") throws -> [[Int]] {
        try lines(plan, name).map { try $0.map { try XCTUnwrap(TaskLine.number(of: $0.utf8)) } }
    }

    // MARK: What stays

    func testTheFirstRowOfEachAddressStays() throws {
        for seed in 1...4 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            var (text, addresses) = ("name,url,note\n", [String]())
            for row in 0..<1_500 {
                let number = Int.random(in: 0..<600, using: &random)
                let host = number % 23
                let address =
                    switch number % 7 {
                    case 0: "http://10.0.0.\(host)/\(number)"
                    case 1: "HTTPS://Img.Host\(host).Example.CO.UK:8443/\(number)"
                    case 2: "pictures/\(number).jpg"
                    default: "https://img\(number % 3).host\(host).co.uk/\(number).jpg?a=\"\"b\"\"\\é"
                    }
                addresses.append(address)
                text += "row \(row),\"\(address)\",\(row)\n"
            }
            var seen: Set<String> = []
            let kept = addresses.indices.filter { seen.insert(addresses[$0]).inserted }
            let (name, whole) = ("plan \(seed)", "whole \(seed)")
            let result = try plan(text, name)
            let found = try numbers(result.plan, name)
            XCTAssertEqual(found.joined().sorted(), kept, "seed \(seed)")
            XCTAssertEqual(found.map(\.count), result.plan.taskRows)
            XCTAssertEqual(found.map(\.count), found.map(\.count).sorted(by: >))
            XCTAssertEqual(result.plan.rows, kept.count)
            XCTAssertEqual(result.plan.repeatedRows, 1_500 - kept.count)
            XCTAssertEqual(result.plan.shardCount, result.plan.taskRows.reduce(0) { $0 + ($1 + 9) / 10 })
            for task in found { XCTAssertEqual(task, task.sorted()) }
            // The lines are those of a plan of all rows, whose digest it has.
            let all = try plan(text, whole, leavingOut: false)
            XCTAssertEqual(all.plan.catalog, result.plan.catalog)
            let known = try Set(lines(all.plan, whole).joined())
            XCTAssert(try lines(result.plan, name).joined().allSatisfy(known.contains))
            XCTAssertEqual(
                Set(folderNames(folder + "/\(name)/tasks").filter { !$0.hasPrefix(".") }),
                Set((0..<5).map { "0000\($0).jsonl.zst" }))
        }
    }

    func testWithoutRepeatedRowsThePlanHasTheSameFiles() throws {
        let text = "url\n" + (0..<500).map { "https://host\($0 % 40).example/\($0)\n" }.joined()
        let (with, without) = try (plan(text, "with"), plan(text, "without", leavingOut: false))
        XCTAssertEqual(with.plan.repeatedRows, 0)
        XCTAssertNil(without.plan.repeatedRows)
        XCTAssertNotEqual(with.plan, without.plan)
        XCTAssertEqual(with.plan.taskDigests, without.plan.taskDigests)
        XCTAssertEqual(with.plan.difference(from: without.plan), "--dedupe was not given, and is now")
        XCTAssertEqual(without.plan.difference(from: with.plan), "--dedupe was given, and is not now")
        XCTAssertFalse(String(decoding: without.plan.text(), as: UTF8.self).contains("repeatedRows"))
        XCTAssertEqual(try RunPlan(in: folder + "/with"), with.plan)
    }

    func testEveryRowIsACopy() throws {
        let result = try plan("url\n" + String(repeating: "https://a.example/b.jpg\n", count: 10_000))
        XCTAssertEqual(try numbers(result.plan), [[0], [], [], [], []])
        XCTAssertEqual(result.plan.repeatedRows, 9_999)
        XCTAssertEqual(result.plan.shardCount, 1)
        // Keys are numbers of the catalog.
        XCTAssertEqual(result.plan.catalogRows, 10_000)
    }

    func testAddressesAreComparedAsTheyAreWritten() throws {
        let result = try plan(
            """
            url
            a.jpg
            ./a.jpg
            \(folder)/a.jpg
            a.jpg
            https://a.example/e\u{301}
            https://a.example/\u{E9}
            https://A.example/e\u{301}
            https://a.example/e\u{301}#x
            https://a.example/e\u{301}

            """, tasks: 2)
        XCTAssertEqual(try numbers(result.plan).joined().sorted(), [0, 1, 2, 4, 5, 6, 7])
    }

    /// Each of them fails, with its own place.
    func testRowsWithoutAValidAddressStay() throws {
        let result = try plan(
            """
            name,url
            a,https://a.example/1
            b,https://a.example/1,too many
            c,
            d,
            e,ftp://a.example/1
            f,ftp://a.example/1
            g,https://a.example:99999/1
            h,https://a.example:99999/1
            i,https://
            j,https://
            k,https://a.example/1
            "l"l,https://a.example/2
            m,https://a.example/2
            n,https://a.example/2

            """, tasks: 3)
        XCTAssertEqual(try numbers(result.plan).joined().sorted(), Array(0...9) + [11, 12])
        XCTAssertEqual(result.plan.repeatedRows, 2)
    }

    func testEntriesStayWithTheirRows() throws {
        let long = String(repeating: "long ", count: 100_000)
        var text = "url,caption\n"
        for row in 0..<3_000 {
            text += "https://a.example/\(row / 2 * 2 % 1_000),\(row % 500 == 0 ? long : "\(row)")\n"
        }
        let result = try plan(text, tasks: 3)
        let kept = try lines(result.plan)[0]
        XCTAssertEqual(kept.count, 500)
        for (number, line) in kept.enumerated() {
            XCTAssert(line.hasPrefix("{\"row\":\(2 * number),"), String(line.prefix(20)))
            XCTAssertEqual(line.contains(long), 2 * number % 500 == 0)
        }
    }

    // MARK: Counts

    func testDomainsAreHeavyByTheRowsThatStay() throws {
        var text = "url\n"
        // Few rows stay of the one with the most, and a name in capitals is the same host.
        for row in 0..<3_000 {
            switch row % 3 {
            case 0: text += "https://copies.example/\(row % 2)\n"
            case 1: text += "https://\(row % 2 == 0 ? "IMG" : "www").many.example/\(row / 9)\n"
            default: text += "https://host\(row).example/\n"
            }
        }
        let result = try plan(text, tasks: 100)
        XCTAssertEqual(result.heavyDomains.map(\.domain), ["many.example"])
        let rows = try XCTUnwrap(result.heavyDomains.first).rows
        XCTAssertEqual(result.plan.rows, 2 + rows + 1_000)
        XCTAssertLessThan(rows, 700)
        XCTAssertGreaterThanOrEqual(result.plan.taskRows[0], rows)
        let all = try plan(text, "whole", tasks: 100, leavingOut: false)
        XCTAssertEqual(Set(all.heavyDomains.map(\.domain)), ["copies.example", "many.example"])
    }

    func testShardsAreMeasuredByTheRowsThatStay() throws {
        // Rows of 60, 40 and 60 bytes and so on, three to a shard.
        func write(_ addresses: [Int], most: Int, leavingOut: Bool = true) throws {
            let writer = try PlanWriter(
                in: folder + "/\(UUID())", tasks: 1, rowsPerShard: 3, leavingRepeatedRowsOut: leavingOut,
                mostShardBytes: most)
            for (row, number) in addresses.enumerated() {
                let size = row % 3 == 1 ? 40 : 60
                var address = "http://a/\(number)"
                let line = "{\"row\":\(row),\"url\":\"\(address)\"}"
                try address.withUTF8 { address in
                    try writer.add(to: 0, address) {
                        $0.append(line + String(repeating: " ", count: size - line.utf8.count - 1) + "\n")
                    }
                }
            }
            _ = try writer.finish { _, rows, digest in
                RunPlan(
                    catalog: digest, rowsPerShard: 3, options: [], recipe: Recipe([]), taskRows: rows,
                    repeatedRows: writer.repeatedRows)
            }
        }
        for leavesOut in [false, true] {
            XCTAssertNoThrow(try write([0, 1, 2, 3], most: 160, leavingOut: leavesOut))
            XCTAssertThrowsError(try write([0, 1, 2, 3], most: 159, leavingOut: leavesOut))
        }
        // Without the short one three long ones follow each other.
        XCTAssertNoThrow(try write([0, 0, 1, 2], most: 160, leavingOut: false))
        XCTAssertThrowsError(try write([0, 0, 1, 2], most: 160))
        // Without two long ones two short ones are in one shard.
        XCTAssertThrowsError(try write([0, 1, 0, 0, 2], most: 140, leavingOut: false))
        XCTAssertNoThrow(try write([0, 1, 0, 0, 2], most: 140))
    }

    // MARK: Memory

    func testDigestsAreLookedThroughInParts() throws {
        var random = SeededRandom(seed: 7)
        let numbers = (0..<20_000).map { _ in Int.random(in: 0..<15_000, using: &random) }
        var bytes = Data()
        for number in numbers {
            // Some are none.
            var address = number % 10 == 0 ? "" : "https://a.example/\(number)"
            let digest = address.withUTF8 { AddressDigest(of: $0) }
            withUnsafeBytes(of: digest) { bytes.append(contentsOf: $0) }
        }
        let path = folder + "/digests"
        try bytes.write(to: URL(filePath: path))
        var seen: Set<Int> = []
        let expected = numbers.map { $0 % 10 != 0 && !seen.insert($0).inserted }
        for most in [1 << 21, 20_000, 3_000, 100] {
            let rows = try XCTUnwrap(RepeatedRows(path: path, count: numbers.count, mostAtOnce: most).rows)
            XCTAssertEqual(numbers.indices.map { rows.contains($0) }, expected, "\(most)")
        }
        try bytes.prefix(160).write(to: URL(filePath: path))
        XCTAssertNil(try RepeatedRows(path: path, count: 10).rows)
    }

    func testDigestsAreThoseOfBytes() {
        func digest(_ text: String) -> AddressDigest {
            var text = text
            return text.withUTF8 { AddressDigest(of: $0) }
        }
        XCTAssertEqual(digest("a"), digest("a"))
        XCTAssertNotEqual(digest("e\u{301}"), digest("\u{E9}"))
        XCTAssertEqual(digest(""), .none)
        XCTAssertNotEqual(digest("a").first, digest("a").second)
    }
}
