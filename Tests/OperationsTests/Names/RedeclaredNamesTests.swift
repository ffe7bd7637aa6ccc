import Foundation
import Operations
import OperationsCore
import XCTest

/// Subclasses that were written for Foundation's classes declare names that we have added, and work as they did.
final class RedeclaredNamesTests: XCTestCase {
    override func setUp() { misuses.withLock { $0 = [] } }

    private func expectNoMisuse(file: StaticString = #filePath, line: UInt = #line) {
        XCTAssertEqual(misuses.withLock { $0 }, [], "The engine went by a subclass's names.", file: file, line: line)
    }

    /// Each runs, finishes, and has its dependents run, with everybody watching.
    func testTheyRunAndFinishAndDependentsRun() {
        let kinds: [() -> Operation] = [
            { EverydayOperation() }, { PublishedOperation() }, { EngineNamesOperation() }, { RedeclaringOperation() },
            { RedeclaringOtherwiseOperation() }, { FailingOperation() }, { RedeclaringBlockOperation {} },
            { RedeclaringAsyncOperation() }, { Foreign.AsyncOperation() },
        ]
        for queue in [OperationQueue(), RedeclaringQueue(), RedeclaringOtherwiseQueue()] {
            for kind in kinds.map({ $0() }) {
                let (recorder, dependents) = (Recorder(), Recorder())
                let trace = OperationTrace(of: [queue])
                let token = kind.observe { recorder.note("\($0)") }
                let dependent = block("dependent", dependents)
                dependent.addDependency(kind)
                kind.exclusionKeys = [ExclusionKey("key")]
                kind.queuePriority = .low
                queue.addOperation(dependent)
                kind.raisePriority(to: .high)
                XCTAssertEqual(kind.executionState, .pending)
                _ = queue.diagnostics
                queue.addOperation(kind)
                finishes(queue)
                trace.stop()
                eventually("\(type(of: kind))") { recorder.all == ["ready", "executing", "finished"] }
                token.invalidate()
                XCTAssertEqual(dependents.all, ["dependent"])
                XCTAssertTrue(dependent.isFinished && !dependent.isCancelled)
                XCTAssertEqual(kind.queuePriority, .high)
                expectNoMisuse()
            }
        }
    }

    /// An error that the subclass keeps for itself cancels nobody; one that the engine knows does.
    func testASubclassesOwnErrorIsNoFailureOfTheEngines() {
        let queue = makeQueue(width: 1)
        let failing = FailingOperation()
        let other = RedeclaringAsyncOperation()
        let (runs, isCancelled) = (BlockOperation {}, BlockOperation { XCTFail("It has to be cancelled.") })
        runs.addDependency(failing)
        isCancelled.addDependency(other)
        for each in [runs, isCancelled] { each.cancelsWhenDependencyFails = true }
        queue.addOperations([failing, other, runs, isCancelled], waitUntilFinished: true)
        XCTAssertEqual(failing.error as? Fault, Fault("its own"))
        XCTAssertNil((failing as Operation).error)
        XCTAssertFalse(runs.isCancelled)
        XCTAssertTrue(isCancelled.isCancelled)
        XCTAssertEqual(isCancelled.error as? Fault, Fault("of the work"))
        expectNoMisuse()
    }

    func testASubclassGetsItsOwnMembers() async {
        let operation = RedeclaringOtherwiseOperation()
        OperationQueue().addOperation(operation)
        await (operation as Operation).untilFinished()
        XCTAssertEqual(operation.failures, ["first", "", "finished", "0.5"])
        XCTAssertEqual(operation.error, "busy")
        XCTAssertEqual(operation.executionState, .busy)
        XCTAssertEqual(operation.exclusionKeys, ["key"])
        operation.finished()
        await operation.endInTask()
        XCTAssertEqual(operation.failures.count, 6)
    }

    func testAQueueGetsItsOwnMembers() {
        let queue = RedeclaringOtherwiseQueue()
        queue.run()
        queue.addTask(named: "task")
        queue.observe { XCTAssertEqual($0, 0) }
        queue.addTask(BlockOperation {})
        finishes(queue)
        XCTAssertEqual(queue.events, ["run", "task", "add"])
        XCTAssertEqual(queue.diagnostics, ["of its own"])
    }

    /// In a queue with its own limits and order, ours stay as they are.
    func testAQueueThatRedeclaresOurAdditionsWorksAsBefore() async throws {
        let (queue, recorder) = (RedeclaringQueue(), Recorder())
        queue.maxConcurrentOperationCount = 1
        queue.isSuspended = true
        for name in ["1", "2", "3"] { queue.addOperation(block(name, recorder)) }
        let plain: OperationQueue = queue
        let value = plain.addTask(retry: .once) { 6 * 7 }
        queue.isSuspended = false
        let answer = try await value.value
        XCTAssertEqual(answer, 42)
        let other = try await plain.run { 7 }
        XCTAssertEqual(other, 7)
        finishes(queue)
        XCTAssertEqual(recorder.all, ["1", "2", "3"])
        XCTAssertEqual(plain.executionOrder, .fifo)
        XCTAssertTrue(plain.diagnostics.issues.isEmpty)
        expectNoMisuse()
    }
}
