import Foundation
import Operations
import XCTest

/// The newest first within a priority, changed live.
final class ExecutionOrderTests: XCTestCase {
    func testTheNewestFirstWithinAPriority() {
        let (queue, recorder) = (makeQueue(width: 1, suspended: true), Recorder())
        XCTAssertEqual(queue.executionOrder, .fifo)
        queue.executionOrder = .lifo
        let operations = ["a", "b", "c", "d"].map { block($0, recorder) }
        operations[1].queuePriority = .high
        queue.addOperations(operations, waitUntilFinished: false)
        queue.isSuspended = false
        finishes(queue)
        XCTAssertEqual(recorder.all, ["b", "d", "c", "a"])
    }

    func testAChangeTakesEffectAtOnce() {
        let (queue, recorder) = (makeQueue(width: 1, suspended: true), Recorder())
        let operations = (0..<6).map { index in
            BlockOperation {
                recorder.note("\(index)")
                if index == 1 { queue.executionOrder = .lifo }
                if index == 4 { queue.executionOrder = .fifo }
            }
        }
        queue.addOperations(operations, waitUntilFinished: false)
        queue.isSuspended = false
        finishes(queue)
        XCTAssertEqual(recorder.all, ["0", "1", "5", "4", "2", "3"])
    }

    func testBarriersStandInEitherOrder() {
        let (queue, recorder) = (makeQueue(width: 1, suspended: true), Recorder())
        queue.executionOrder = .lifo
        queue.addOperation(block("a", recorder))
        queue.addOperation(block("b", recorder))
        queue.addBarrierBlock { recorder.note("|") }
        queue.addOperation(block("c", recorder))
        queue.addOperation(block("d", recorder))
        queue.isSuspended = false
        finishes(queue)
        XCTAssertEqual(recorder.all, ["b", "a", "|", "d", "c"])
    }
}
