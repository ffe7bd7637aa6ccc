import Foundation
import Operations
import XCTest

/// Very many operations that a barrier or a suspension holds back. Whoever uses their queue when that ends waits for a part of
/// the time only.
final class ManyHeldBackTests: XCTestCase {
    /// - Parameter measure: Measures with many operations, of which the last counts when it runs.
    private func assertNobodyWaitsLong(
        file: StaticString = #filePath, line: UInt = #line, _ measure: @escaping ([Operation], Counter) -> Double
    ) {
        let shares = (0..<3).lazy.map { _ in
            let isOver = Counter()
            let operations = (0..<many(60_000, long: 1_000_000, sanitized: 20_000)).map { _ in BlockOperation {} }
            return measure(operations + [BlockOperation { isOver.increase() }], isOver)
        }
        let least = shares.first { $0 < 0.3 } ?? 1
        XCTAssertLessThan(least, 0.3, "of the time that all take", file: file, line: line)
    }

    func testABarrierEnds() {
        assertNobodyWaitsLong { operations, isOver in
            let (queue, end) = (makeQueue(width: 2), Door())
            queue.addBarrierBlock { end.pass() }
            queue.addOperations(operations, waitUntilFinished: false)
            let share = shareOfLongestWait(for: queue, from: end.open) { isOver.value > 0 }
            finishes(queue, within: 300)
            return share
        }
    }

    func testASuspensionEnds() {
        assertNobodyWaitsLong { operations, isOver in
            let queue = makeQueue(width: 2, suspended: true)
            for operation in operations { queue.addOperation(operation) }
            let share = shareOfLongestWait(for: queue, from: { queue.isSuspended = false }) { isOver.value > 0 }
            finishes(queue, within: 300)
            return share
        }
    }
}
