import Foundation
import Operations
import XCTest

@testable import OperationsCore

/// `AsyncOperation`.
final class AsyncOperationTests: XCTestCase {
    private struct Failure: Error, Equatable {}

    func testFinishCountsOnce() {
        let queue = makeQueue(width: 1)
        let operation = ManualOperation()
        queue.addOperation(operation)
        operation.began.pass()
        XCTAssertTrue(operation.isExecuting)
        DispatchQueue.concurrentPerform(iterations: 8) { operation.finish($0 == 0 ? Failure() : Failure()) }
        operation.finish()
        finishes(queue)
        XCTAssertTrue(operation.error is Failure)
        XCTAssertTrue(operation.isFinished)
    }

    func testCancelledBeforeTheStartNeverExecutes() {
        let queue = makeQueue(width: 1, suspended: true)
        let operation = ManualOperation()
        queue.addOperation(operation)
        operation.cancel()
        queue.isSuspended = false
        finishes(queue)
        XCTAssertEqual(operation.cancellations.value, 0)
        XCTAssertNil(operation.error)
    }

    func testCancelWhileExecutingIsDeliveredOnceOnTheCancellersThread() {
        final class Threaded: AsyncOperation, @unchecked Sendable {
            let threads = Recorder()
            let began = Door()
            override func execute() { DispatchQueue.global().async { self.began.open() } }
            override func cancelExecution() {
                threads.note("\(pthread_self())")
                finish()
            }
        }
        let queue = OperationQueue()
        let operation = Threaded()
        queue.addOperation(operation)
        operation.began.pass()
        eventually { operation.state.hasWorkReturned }
        operation.cancel()
        operation.cancel()
        finishes(queue)
        XCTAssertEqual(operation.threads.all, ["\(pthread_self())"])
    }

    func testCancelDuringExecuteIsHeldUntilItReturned() {
        final class Slow: AsyncOperation, @unchecked Sendable {
            let notes = Recorder()
            let inside = Door()
            let end = Door()
            override func execute() {
                inside.open()
                end.pass()
                notes.note("executed")
            }
            override func cancelExecution() {
                notes.note("cancelled")
                finish()
            }
        }
        let queue = OperationQueue()
        let operation = Slow()
        queue.addOperation(operation)
        operation.inside.pass()
        operation.cancel()
        XCTAssertEqual(operation.notes.all, [])
        operation.end.open()
        finishes(queue)
        XCTAssertEqual(operation.notes.all, ["executed", "cancelled"])
    }

    func testFinishInsideExecute() {
        final class Immediate: AsyncOperation, @unchecked Sendable {
            override func execute() { finish() }
        }
        let queue = makeQueue(width: 1)
        queue.addOperations((0..<500).map { _ in Immediate() }, waitUntilFinished: true)
        finishes(queue)
    }

    func testFinishBeforeTheStart() {
        let queue = makeQueue(width: 1, suspended: true)
        let operation = ManualOperation()
        queue.addOperation(operation)
        operation.finish()
        XCTAssertTrue(operation.isFinished)
        XCTAssertEqual(queue.operationCount, 0)
        queue.isSuspended = false
        finishes(queue)
    }

    /// The place is free for others at once, whatever the thread does next.
    func testFinishInsideExecuteAndBlockingFreesThePlace() {
        final class FinishesAndBlocks: AsyncOperation, @unchecked Sendable {
            let end = Door()
            override func execute() {
                finish()
                end.pass()
            }
        }
        final class OwnStart: Operation, @unchecked Sendable {
            let end = Door()
            override func start() {
                super.start()
                end.pass()
            }
        }
        let (first, second) = (FinishesAndBlocks(), OwnStart())
        let queue = makeQueue(width: 1)
        queue.addOperations([first, second], waitUntilFinished: false)
        let opens = BlockOperation {
            first.end.open()
            second.end.open()
        }
        queue.addOperation(opens)
        eventually("the next one runs", within: 10) { opens.isFinished }
        first.end.open()
        second.end.open()
        finishes(queue)
    }

    func testTheFirstErrorCounts() {
        let operation = ManualOperation()
        let queue = makeQueue(width: 1)
        queue.addOperation(operation)
        operation.began.pass()
        operation.fail(Fault("first"))
        operation.fail(Fault("second"))
        operation.finish(Fault("third"))
        XCTAssertEqual(operation.error as? Fault, Fault("first"))
        finishes(queue)
    }

    /// What goes away with an error or with keys may use the operation itself.
    func testNothingIsReleasedUnderTheOperationsMutex() {
        final class Asks: Error, Hashable, @unchecked Sendable {
            weak var operation: Operation?
            let asked: Counter
            init(_ operation: Operation, _ asked: Counter) { (self.operation, self.asked) = (operation, asked) }
            deinit {
                _ = operation?.name
                asked.increase()
            }
            static func == (left: Asks, right: Asks) -> Bool { left === right }
            func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
        }
        let asked = Counter()
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let operation = ManualOperation()
            operation.fail(Asks(operation, asked))
            operation.finish(Asks(operation, asked))
            let keyed = BlockOperation {}
            keyed.exclusionKeys = [ExclusionKey(Asks(keyed, asked))]
            keyed.exclusionKeys = []
            keyed.name = "keyed"
            done.signal()
        }
        XCTAssertEqual(done.wait(timeout: .now() + 10), .success, "A foreign object was released under a mutex.")
        eventually("all are released", within: 10) { asked.value == 3 }
    }
}
