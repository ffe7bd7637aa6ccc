import Operations
import XCTest

@testable import OperationsCore

/// Operations of the default width that block, and more of them than the default width gives threads.
final class DefaultWidthWaitTests: XCTestCase {
    /// Of its own: what stands still in here keeps its threads.
    private let pool = ThreadPool()
    private lazy var queue = OperationQueue(pool: pool, clock: ContinuousClock())

    /// Adds an operation that adds another one and waits for it, and so on.
    private static func nest(_ depth: Int, in queue: OperationQueue, _ reached: Counter) {
        let inner = BlockOperation {
            if reached.increase() < depth { nest(depth, in: queue, reached) }
        }
        inner.name = "level \(reached.value + 1)"
        queue.addOperation(inner)
        inner.waitUntilFinished()
    }

    private func start(_ depth: Int, _ reached: Counter) {
        queue.addOperation { [queue] in Self.nest(depth, in: queue, reached) }
    }

    func testSixtyThatWaitForEachOther() {
        let reached = Counter()
        start(60, reached)
        finishes(queue)
        XCTAssertEqual(reached.value, 60)
    }

    /// There are 64 threads for them, and more when all of those are blocked for long.
    func testSeventyThatWaitForEachOtherGoOn() {
        let reached = Counter()
        start(70, reached)
        finishes(queue, within: 120)
        XCTAssertEqual(reached.value, 70)
    }

    /// A width that is set later is given at once, too, to those that wait for a thread already.
    func testAWidthThatIsSetWhileAllThreadsAreBlocked() {
        let (inside, end) = (Occupancy(), Door())
        for _ in 0..<70 {
            queue.addOperation {
                inside.enter()
                end.pass()
            }
        }
        eventually("64 are blocked") { inside.now == 64 }
        queue.maxConcurrentOperationCount = 70
        eventually("70 run at once", within: 20) { inside.now == 70 }
        end.open()
        finishes(queue)
    }
}
