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

    /// All ten computed at once, and the first one ended when nearly all was done.
    func testTheFirstOfTenThatComputeForLongEndsEarly() {
        let shares = (0..<3).lazy.map { [self] _ in run(5 * processors, computing: 500).shareAtFirstEnd }
        XCTAssertLessThan(shares.first { $0 < 0.5 } ?? 1, 0.5, "of all was done when the first one ended")
    }

    /// A task of a lower quality goes on after each suspension, whoever computes beside it in the same quality.
    func testATaskOfALowerQualityGoesOnBesideThoseThatCompute() {
        let (computing, tasks) = (OperationQueue(), OperationQueue())
        for queue in [computing, tasks] { queue.qualityOfService = .background }
        let (began, isOver) = (Counter(), Flag())
        for _ in 0..<processors {
            computing.addOperation {
                began.increase()
                while !isOver.isSet { compute(milliseconds: 1) }
            }
        }
        eventually("they compute") { began.value == processors }
        let task = tasks.addTask { for _ in 0..<200 { await Task.yield() } }
        eventually("it gets on") { task.isFinished }
        isOver.set()
        finishes(computing)
    }

    /// The same where others have most of the processors, so that it takes long. Computing slowly is not being blocked.
    func testTheFirstOfTenEndsEarlyBesideOthersThatCompute() throws {
        try XCTSkipIf(ProcessInfo.processInfo.environment["CHECK_LONG"] == nil, "It takes a minute: make check-long")
        let isOver = Flag()
        for _ in 0..<8 * processors {
            Thread.detachNewThread { while !isOver.isSet { compute(milliseconds: 1) } }
        }
        let (most, share) = run(5 * processors, computing: 500)
        isOver.set()
        XCTAssertLessThan(share, 0.5, "of all was done when the first one ended; \(most) computed at once")
    }
}
