import Foundation
import Operations
import OperationsCore
import XCTest

/// Rows "states", "starting by hand" and "cancel".
final class StateTests: XCTestCase {
    func testStatesGoOneWay() {
        let seen = Recorder()
        let operation = BlockOperation()
        operation.addExecutionBlock { [unowned operation] in
            seen.note("\(operation.isExecuting) \(operation.isFinished)")
        }
        XCTAssertTrue(operation.isReady)
        XCTAssertFalse(operation.isExecuting)
        XCTAssertFalse(operation.isFinished)
        let queue = OperationQueue()
        queue.addOperations([operation], waitUntilFinished: true)
        XCTAssertEqual(seen.all, ["true false"])
        XCTAssertFalse(operation.isExecuting)
        XCTAssertTrue(operation.isFinished)
        XCTAssertFalse(operation.isCancelled)
        operation.cancel()
        XCTAssertFalse(operation.isCancelled, "A finished operation cannot be cancelled.")
        XCTAssertEqual(queue.operationCount, 0)
    }

    func testOneThatIsReadyIsPendingAgainWithAnotherDependency() async {
        let queue = makeQueue(width: 1, suspended: true)
        let (operation, dependency) = (BlockOperation {}, BlockOperation {})
        queue.addOperation(operation)
        XCTAssertEqual(operation.executionState, .ready)
        let states = operation.states
        operation.addDependency(dependency)
        XCTAssertEqual(operation.executionState, .pending)
        XCTAssertFalse(operation.isReady)
        queue.isSuspended = false
        queue.addOperation(dependency)
        var seen: [Operation.ExecutionState] = []
        for await state in states { seen.append(state) }
        XCTAssertEqual(seen, [.ready, .executing, .finished], "the way back is not told")
    }

    func testStatesFinishedWhenCancelledAndNeverRan() {
        let queue = makeQueue(width: 1, suspended: true)
        let recorder = Recorder()
        let operation = block("ran", recorder)
        queue.addOperation(operation)
        operation.cancel()
        XCTAssertTrue(operation.isReady)
        XCTAssertFalse(operation.isFinished)
        queue.isSuspended = false
        operation.waitUntilFinished()
        XCTAssertTrue(operation.isFinished)
        XCTAssertEqual(recorder.all, [])
    }

    func testStartingByHandRunsOnTheCallersThread() {
        let thread = pthread_self()
        let counter = Counter()
        let operation = BlockOperation {
            XCTAssertEqual(pthread_self(), thread)
            counter.increase()
        }
        operation.start()
        operation.start()
        XCTAssertEqual(counter.value, 1)
        XCTAssertTrue(operation.isFinished)
    }

    func testStartingByHandFinishesACancelledOneWithoutMain() {
        let recorder = Recorder()
        let operation = block("ran", recorder)
        operation.cancel()
        XCTAssertTrue(operation.isReady)
        XCTAssertFalse(operation.isFinished)
        operation.start()
        XCTAssertTrue(operation.isFinished)
        XCTAssertEqual(recorder.all, [])
    }

    func testStartingByHandMeetsDependents() {
        let recorder = Recorder()
        let first = block("first", recorder)
        let second = block("second", recorder)
        second.addDependency(first)
        let queue = OperationQueue()
        queue.addOperation(second)
        XCTAssertFalse(second.isReady)
        first.start()
        second.waitUntilFinished()
        XCTAssertEqual(recorder.all, ["first", "second"])
    }

    func testCancelIsCooperativeWhileRunning() {
        let began = Door()
        let end = Door()
        let queue = OperationQueue()
        let operation = BlockOperation {
            began.open()
            end.pass()
        }
        queue.addOperation(operation)
        began.pass()
        operation.cancel()
        XCTAssertTrue(operation.isCancelled)
        XCTAssertTrue(operation.isExecuting)
        end.open()
        operation.waitUntilFinished()
    }

    func testCancelIgnoresDependencies() {
        let queue = OperationQueue()
        let never = BlockOperation {}
        let operation = BlockOperation { XCTFail("It ran.") }
        operation.addDependency(never)
        queue.addOperation(operation)
        XCTAssertFalse(operation.isReady)
        operation.cancel()
        operation.waitUntilFinished()
        XCTAssertEqual(operation.dependencies, [never])
    }

    func testCancelOfOneInNoQueueDoesNotFinishIt() {
        let operation = BlockOperation {}
        operation.addDependency(BlockOperation {})
        operation.cancel()
        XCTAssertTrue(operation.isReady)
        XCTAssertTrue(operation.isCancelled)
        XCTAssertFalse(operation.isFinished)
        let queue = OperationQueue()
        queue.addOperations([operation], waitUntilFinished: true)
        XCTAssertTrue(operation.isFinished)
    }

    func testCancelWhileSuspendedStaysPending() {
        let queue = makeQueue(width: 1, suspended: true)
        let operations = (0..<10).map { _ in BlockOperation { XCTFail("It ran.") } }
        queue.addOperations(operations, waitUntilFinished: false)
        queue.cancelAllOperations()
        XCTAssertEqual(queue.operationCount, 10)
        XCTAssertFalse(operations.contains { $0.isFinished })
        queue.isSuspended = false
        finishes(queue)
    }

    func testEqualityAndHashAreByIdentity() {
        let first = BlockOperation {}
        XCTAssertEqual(first, first)
        XCTAssertNotEqual(first, BlockOperation {})
        XCTAssertEqual(Set([first, first]).count, 1)
    }
}
