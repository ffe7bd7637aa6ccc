import OperationsTesting
import XCTest

@testable import PhotoDevelopment

/// Rows that share a key are found, whatever the filter in front takes them for.
final class RowGroupsTests: XCTestCase {
    func testRowsThatShareAKey() {
        var random = SeededRandom(seed: 11)
        for count in [0, 1, 2, 63, 64, 1_000, 30_000] {
            // One key in three belongs to several rows.
            let keys = (0..<count).map { _ in
                Bool.random(using: &random) ? random.next() : UInt64.random(in: 0...UInt64(count / 4), using: &random)
            }
            let expected = Dictionary(grouping: keys.indices) { keys[$0] }.values.filter { $0.count > 1 }
            let groups = RowGroups.sharing(count: count, bits: { $0 }) { keys[$0] }
            XCTAssertEqual(Set(groups), Set(expected), "\(count) rows")
        }
    }

    func testAllOrNoneAreTheSame() {
        XCTAssertEqual(RowGroups.sharing(count: 10_000, bits: { $0 }) { _ in UInt64(5) }, [Array(0..<10_000)])
        var random = SeededRandom(seed: 3)
        let keys = (0..<100_000).map { _ in random.next() }
        XCTAssertEqual(RowGroups.sharing(count: keys.count, bits: { $0 }) { keys[$0] }, [])
    }

    /// A key is asked for twice, however many are repeated.
    func testKeysAreMadeTwice() {
        var asked = 0
        _ = RowGroups.sharing(count: 1_000, bits: { $0 }) { row in
            asked += 1
            return UInt64(row % 10)
        }
        XCTAssertEqual(asked, 2_000)
    }
}
