import Foundation
import Operations
import OperationsCore
import XCTest

/// Row "completionBlock".
final class CompletionTests: XCTestCase {
    func testCompletionBlockRunsOnceAndIsTaken() {
        let queue = OperationQueue()
        let counter = Counter()
        let operation = BlockOperation {}
        operation.completionBlock = { [unowned operation] in
            XCTAssertNil(operation.completionBlock)
            XCTAssertTrue(operation.isFinished)
            counter.increase()
        }
        XCTAssertNotNil(operation.completionBlock)
        queue.addOperation(operation)
        eventually { counter.value == 1 }
        finishes(queue)
        XCTAssertEqual(counter.value, 1)
    }

    func testCompletionBlockRunsAlsoWhenCancelledAndNotOnTheCancellersThread() {
        let queue = makeQueue(width: 1, suspended: true)
        let threads = Recorder()
        let operation = BlockOperation {}
        operation.completionBlock = { threads.note("\(pthread_self())") }
        queue.addOperation(operation)
        operation.cancel()
        queue.isSuspended = false
        eventually { threads.all.count == 1 }
        XCTAssertNotEqual(threads.all, ["\(pthread_self())"])
    }

    /// Nobody else has it: it is there until the block has returned.
    func testCompletionBlockHasItsOperation() {
        for width in [1, 2, OperationQueue.defaultMaxConcurrentOperationCount] {
            let (queue, called, found) = (makeQueue(width: width), Counter(), Counter())
            for index in 0..<1_000 {
                let operation = index % 2 == 0 ? BlockOperation {} : Operation()
                operation.completionBlock = { [weak operation] in
                    if operation != nil { found.increase() }
                    called.increase()
                }
                queue.addOperation(operation)
            }
            eventually("all blocks were called") { called.value == 1_000 }
            XCTAssertEqual(found.value, 1_000, "width \(width)")
        }
    }

    func testCompletionBlockIsNotOnTheThreadThatFinished() {
        let threads = Recorder()
        let byHand = BlockOperation {}
        byHand.completionBlock = { threads.note("\(pthread_self())") }
        byHand.start()
        let asynchronous = ManualOperation()
        asynchronous.completionBlock = { threads.note("\(pthread_self())") }
        asynchronous.start()
        asynchronous.finish()
        eventually { threads.all.count == 2 }
        XCTAssertFalse(threads.all.contains("\(pthread_self())"))
    }

    func testCompletionBlockHoldsUpNeitherWaitersNorDependentsNorTheWidth() {
        let queue = makeQueue(width: 1)
        let end = Door()
        let done = Counter()
        let first = BlockOperation {}
        first.completionBlock = {
            end.pass()
            done.increase()
        }
        let second = BlockOperation {}
        second.addDependency(first)
        queue.addOperations([first, second], waitUntilFinished: true)
        finishes(queue)
        XCTAssertEqual(done.value, 0)
        end.open()
        eventually { done.value == 1 }
    }

    func testCompletionBlocksManyAtOnceTakeFewThreads() {
        let queue = makeQueue(width: 2)
        let counter = Counter()
        let operations = (0..<2_000).map { _ in
            let operation = BlockOperation {}
            operation.completionBlock = { counter.increase() }
            return operation
        }
        queue.addOperations(operations, waitUntilFinished: true)
        eventually { counter.value == 2_000 }
    }
}
