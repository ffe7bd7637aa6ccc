import Foundation
import PhotoPipeline
import XCTest

@testable import PhotoDevelopment

/// What tasks share.
final class PlanOutputTests: JournalTestCase {
    private func plan(rows: [Int] = [3]) -> RunPlan {
        RunPlan(
            catalog: CatalogDigest(text: "sum"), rowsPerShard: 2, options: [], recipe: Recipe([]), taskRows: rows)
    }

    private func marker(_ output: PlanOutput, attempt: String) -> ShardMarker {
        let file = ShardMarker.File(size: 1, sha256: "sum")
        return ShardMarker(
            plan: output.digest, shard: 1, task: 0, attempt: attempt, rows: 1, written: 1, failures: [:], bytes: 1,
            tar: file, index: file, table: file)
    }

    func testOfTwoMarkersTheFirstOneStays() throws {
        let output = try PlanOutput(
            preparing: FolderPlace(path: folder + "/out"), for: plan(), in: FolderPlace(path: folder))
        XCTAssertTrue(try output.commit(marker(output, attempt: "first")))
        XCTAssertFalse(try output.commit(marker(output, attempt: "second")))
        XCTAssertEqual(try output.readMarker(ofShard: 1)?.attempt, "first")
        // As where the answer of a server was lost.
        XCTAssertTrue(try output.commit(marker(output, attempt: "first")))
    }

    func testThePlanRemembersItsShards() throws {
        let first = plan(rows: [5, 2, 0])
        XCTAssertEqual(first.shardsByTask.map { $0.map(\.number) }, [[0, 1, 2], [3], []])
        XCTAssertEqual(first.shardsByTask.map { $0.map(\.rows) }, [[2, 2, 1], [2], []])
        let parent = RunPlan.Parent(
            plan: first.digest, generation: 1, rows: 7, shards: 4,
            tasks: [[RunPlan.Shard(number: 4, rows: 1)], [RunPlan.Shard(number: 5, rows: 0)]])
        let next = RunPlan(after: first, parent, rows: CatalogDigest(text: "other"), taskRows: [1, 0])
        try next.text().write(to: URL(filePath: folder + "/plan.json"))
        XCTAssertEqual(try RunPlan(in: folder), next)
        XCTAssertEqual(next.names, first.names)
        XCTAssertNotEqual(next.digest, first.digest)
        // Numbers that do not fit each other.
        let text = String(decoding: next.text(), as: UTF8.self)
        for (part, other) in [("\"rows\":1}", "\"rows\":2}"), ("\"number\":4", "\"number\":-4")] {
            XCTAssert(text.contains(part), text)
            try Data(text.replacing(part, with: other).utf8).write(to: URL(filePath: folder + "/plan.json"))
            XCTAssertThrowsError(try RunPlan(in: folder))
        }
    }

    func testAPlanOfMoreThanCanBeIsDamaged() throws {
        for (rows, count) in [([Int.max, 0], Int.max), ([Int.max, Int.max], -2), ([1 << 39], 1 << 39), ([-1, 2], 1)] {
            let text = String(decoding: plan(rows: [1]).text(), as: UTF8.self)
                .replacing("\"rows\":1,", with: "\"rows\":\(count),")
                .replacing("\"taskRows\":[1]", with: "\"taskRows\":\(rows)")
            XCTAssert(text.contains("\(rows)") && text.contains("\"rows\":\(count),"), text)
            try Data(text.utf8).write(to: URL(filePath: folder + "/plan.json"))
            XCTAssertThrowsError(try RunPlan(in: folder), "\(rows)") {
                guard case .planUnusable = $0 as? DevelopmentError else { return XCTFail("\($0)") }
            }
        }
    }

    func testIndexesComeInOrderHoweverManyAreReadAtATime() throws {
        let output = try PlanOutput(
            preparing: FolderPlace(path: folder + "/out"), for: plan(rows: [5, 4]), in: FolderPlace(path: folder))
        let files = folder + "/out/" + PlanOutput.data + "/"
        for shard in 0..<5 {
            let index = Data("\(shard)\n".utf8)
            try index.write(to: URL(filePath: files + output.indexName(ofShard: shard, "a")))
            let file = ShardMarker.File(of: index)
            let rows = [2, 2, 1, 2, 2][shard]
            let marker = ShardMarker(
                plan: output.digest, shard: shard, task: shard / 3, attempt: "a", rows: rows, written: rows,
                failures: [:], bytes: 1, tar: file, index: file, table: file)
            XCTAssertTrue(try output.commit(marker))
        }
        let plans = try PlanGenerations(folder + "/out")
        var committed: [(shard: PlanGenerations.Shard, marker: ShardMarker)] = []
        XCTAssertTrue(try PlanStatus(plans) { committed.append(($0, $1)) }.isComplete)
        // Each index has two bytes.
        for most in [1, 3, 4, 1 << 24] {
            var seen: [String] = []
            try plans.eachIndex(of: committed, readingAhead: most) { shard, _, index in
                seen.append("\(shard.number):" + String(decoding: index, as: UTF8.self))
            }
            XCTAssertEqual(seen, (0..<5).map { "\($0):\($0)\n" }, "\(most) bytes")
        }
        try Data("x\n".utf8).write(to: URL(filePath: files + output.indexName(ofShard: 3, "a")))
        XCTAssertThrowsError(try plans.eachIndex(of: committed) { _, _, _ in }) {
            guard case .shardsDamaged(_, [3])? = $0 as? DevelopmentError else { return XCTFail("\($0)") }
        }
    }
}
