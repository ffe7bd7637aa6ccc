import Foundation
import Operations
import OperationsCore
import XCTest

/// What computes shares the processors: no progress is not taken for being blocked.
final class ComputingTests: XCTestCase {
    private let pool = ThreadPool()

    /// Runs operations that compute for a time each, in one queue of the default width.
    /// - Returns: The most that computed at once, and how much of all had been computed when the first of them ended. That
    ///   counts what they have computed, and so does not depend on how much of the processors others have.
    private func run(_ count: Int, computing milliseconds: Int) -> (most: Int, shareAtFirstEnd: Double) {
        let queue = OperationQueue(pool: pool, clock: ContinuousClock())
        let (inside, done, ends) = (Occupancy(), Counter(), Samples())
        for _ in 0..<count {
            queue.addOperation {
                inside.enter()
                for _ in 0..<milliseconds {
                    compute(milliseconds: 1)
                    done.increase()
                }
                inside.leave()
                ends.note(Double(done.value))
            }
        }
        finishes(queue, within: 300)
        return (inside.most, (ends.all.min() ?? .infinity) / Double(count * milliseconds))
    }

    /// 52 computed at once. Others on the machine may have the processors for long, but not in each of three rounds.
    func testTwoHundredThatComputeForTenMilliseconds() {
        var most = Int.max
        for _ in 0..<3 where most > processors + 1 { most = min(most, run(200, computing: 10).most) }
        XCTAssertLessThanOrEqual(most, processors + 1)
    }
}
