import Foundation
import Operations
import OperationsCore
import XCTest

/// Row "barrier".
final class BarrierTests: XCTestCase {
    func testBarrierWaitsForAllBeforeAndHoldsAllAfter() {
        let queue = makeQueue(width: 4)
        let recorder = Recorder()
        let end = Door()
        for _ in 0..<3 {
            queue.addOperation {
                end.pass()
                recorder.note("before")
            }
        }
        queue.addBarrierBlock { recorder.note("barrier") }
        for _ in 0..<3 { queue.addOperation { recorder.note("after") } }
        queue.addBarrierBlock { recorder.note("second barrier") }
        queue.addOperation { recorder.note("last") }
        XCTAssertEqual(queue.operationCount, 7)
        XCTAssertEqual(queue.operations.count, 7)
        end.open()
        finishes(queue)
        let expected = ["before", "before", "before", "barrier", "after", "after", "after", "second barrier", "last"]
        XCTAssertEqual(recorder.all, expected)
    }

    func testBarrierHoldsBackWhatBecomesReadyLater() {
        let queue = makeQueue(width: 4)
        let recorder = Recorder()
        let gate = BlockOperation {}
        let before = block("before", recorder)
        before.addDependency(gate)
        let after = block("after", recorder)
        after.queuePriority = .veryHigh
        queue.addOperation(before)
        queue.addBarrierBlock { recorder.note("barrier") }
        queue.addOperation(after)
        gate.start()
        finishes(queue)
        XCTAssertEqual(recorder.all, ["before", "barrier", "after"])
    }

    func testBarrierObeysSuspensionOnAnEmptyQueueToo() {
        let queue = makeQueue(width: 4, suspended: true)
        let counter = Counter()
        queue.addBarrierBlock {
            XCTAssertTrue(OperationQueue.current === queue)
            counter.increase()
        }
        XCTAssertEqual(queue.operationCount, 0)
        XCTAssertEqual(counter.value, 0)
        queue.isSuspended = false
        finishes(queue)
        XCTAssertEqual(counter.value, 1)
    }

    func testBarrierIsDroppedByCancelAll() {
        let queue = makeQueue(width: 1, suspended: true)
        let recorder = Recorder()
        queue.addOperation { recorder.note("before") }
        queue.addBarrierBlock { recorder.note("barrier") }
        queue.cancelAllOperations()
        queue.addOperation { recorder.note("new") }
        queue.isSuspended = false
        finishes(queue)
        XCTAssertEqual(recorder.all, ["new"])
    }

    func testBarrierDroppedByCancelAllLetsNothingBehindItRun() {
        for _ in 0..<100 {
            let queue = makeQueue(width: 4)
            let began = Door()
            let end = Door()
            queue.addOperation {
                began.open()
                end.pass()
            }
            queue.addBarrierBlock { XCTFail("The barrier ran.") }
            for _ in 0..<20 { queue.addOperation { XCTFail("An operation behind the barrier ran.") } }
            began.pass()
            queue.cancelAllOperations()
            end.open()
            finishes(queue)
        }
    }

    /// One of the first that are cancelled ends at once, and sets another free before it is cancelled too.
    func testBarrierDroppedByCancelAllLetsNothingBehindItRunBeforeItIsCancelled() {
        /// Is cancelled late.
        final class Slow: Operation, @unchecked Sendable {
            let waits: @Sendable () -> Void
            init(_ waits: @escaping @Sendable () -> Void) { self.waits = waits }
            override func cancel() {
                waits()
                super.cancel()
            }
        }
        let (queue, began, end, ran) = (makeQueue(width: 4), Door(), Door(), Counter())
        queue.addOperation {
            began.open()
            end.pass()
        }
        began.pass()
        queue.addBarrierBlock { XCTFail("The barrier ran.") }
        let (never, first) = (BlockOperation {}, BlockOperation {})
        first.addDependency(never)
        let last = BlockOperation { ran.increase() }
        last.addDependency(first)
        let slow = Slow {
            // The first one is cancelled, and may end, as in a long list.
            let limit = milliseconds() + 100
            while !last.isFinished, milliseconds() < limit { usleep(500) }
        }
        queue.addOperations([first, slow, last], waitUntilFinished: false)
        queue.cancelAllOperations()
        end.open()
        finishes(queue)
        XCTAssertEqual(ran.value, 0, "It ran beside what the barrier waited for.")
        XCTAssertTrue(last.isCancelled)
    }

    /// The worker has claimed it when it lets go of what ran before.
    func testBarrierIsDroppedByWhatIsReleasedBeforeIt() {
        for _ in 0..<many(50) {
            let (queue, ran, behind) = (makeQueue(width: 1, suspended: true), Counter(), BlockOperation {})
            var last: Leaving? = Leaving { [weak queue] in queue?.cancelAllOperations() }
            queue.addOperation { [last] in withExtendedLifetime(last) {} }
            last = nil
            queue.addBarrierBlock { ran.increase() }
            queue.addOperation(behind)
            queue.isSuspended = false
            finishes(queue)
            XCTAssertEqual(ran.value, 0)
            XCTAssertTrue(behind.isCancelled)
        }
    }

    func testBarrierThatCanNeverRunIsNamedByDiagnostics() {
        let queue = OperationQueue()
        let earlier = BlockOperation {}
        earlier.name = "earlier"
        let later = BlockOperation {}
        later.name = "later"
        earlier.addDependency(later)
        queue.addOperation(earlier)
        queue.addBarrierBlock {}
        queue.addOperation(later)
        XCTAssertEqual(queue.diagnostics.issues, [.blockedByBarrier(operation: "earlier", dependency: "later")])
        earlier.removeDependency(later)
        finishes(queue)
    }
}
