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
