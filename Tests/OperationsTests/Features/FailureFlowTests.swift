import Foundation
import Operations
import OperationsCore
import OperationsTesting
import XCTest

/// Failure flows: dependents that run anyway, and dependents that are cancelled with the reason.
final class FailureFlowTests: XCTestCase {
    private final class Failing: Operation, @unchecked Sendable {
        override func main() {
            fail(Fault("first"))
            fail(Fault("second"))
        }
    }

    func testRunsAnywayByDefault() {
        let (queue, recorder) = (makeQueue(width: 1), Recorder())
        let (failing, next) = (Failing(), block("next", recorder))
        next.addDependency(failing)
        queue.addOperations([failing, next], waitUntilFinished: true)
        XCTAssertEqual(recorder.all, ["next"])
        XCTAssertEqual(failing.error as? Fault, Fault("first"))
        XCTAssertNil(next.error)
    }

    func testIsCancelledWithTheReasonTransitively() {
        let (queue, other, recorder) = (makeQueue(width: 1), makeQueue(width: 1), Recorder())
        let failing = Failing()
        let chain = (0..<1_000).map { block("\($0)", recorder) }
        for (index, operation) in chain.enumerated() {
            operation.cancelsWhenDependencyFails = true
            operation.addDependency(index == 0 ? failing : chain[index - 1])
        }
        for (index, operation) in chain.enumerated() { (index % 2 == 0 ? queue : other).addOperation(operation) }
        queue.addOperation(failing)
        finishes(queue)
        finishes(other)
        XCTAssertEqual(recorder.all, [])
        XCTAssertTrue(chain.allSatisfy(\.isCancelled))
        XCTAssertTrue(chain.allSatisfy { $0.error as? Fault == Fault("first") })
    }

    func testDoesNotWaitForTheOthers() {
        let (queue, recorder) = (makeQueue(width: 2), Recorder())
        let (failing, endless, next) = (Failing(), ManualOperation(), block("next", recorder))
        next.cancelsWhenDependencyFails = true
        next.addDependency(failing)
        next.addDependency(endless)
        queue.addOperations([next, endless], waitUntilFinished: false)
        endless.began.pass()
        queue.addOperation(failing)
        eventually("the next one is cancelled", within: 30) { next.isFinished }
        XCTAssertFalse(endless.isFinished)
        XCTAssertEqual(next.error as? Fault, Fault("first"))
        endless.finish()
        finishes(queue)
        XCTAssertEqual(recorder.all, [])
    }

    func testDoesNotWaitForTheOthersAfterACancelEither() {
        let (queue, recorder) = (makeQueue(width: 2), Recorder())
        let (cancelled, endless, next) = (block("cancelled", recorder), ManualOperation(), block("next", recorder))
        next.cancelsWhenDependencyFails = true
        next.addDependency(cancelled)
        next.addDependency(endless)
        queue.addOperations([next, endless], waitUntilFinished: false)
        endless.began.pass()
        cancelled.cancel()
        queue.addOperation(cancelled)
        eventually("the next one is cancelled", within: 10) { next.isFinished }
        XCTAssertTrue(next.isCancelled)
        endless.finish()
        finishes(queue)
        XCTAssertEqual(recorder.all, [])
    }

    func testACancelledDependencyCounts() {
        let (queue, recorder) = (makeQueue(width: 1), Recorder())
        let (first, next) = (block("first", recorder), block("next", recorder))
        next.cancelsWhenDependencyFails = true
        next.addDependency(first)
        first.cancel()
        queue.addOperations([first, next], waitUntilFinished: true)
        XCTAssertEqual(recorder.all, [])
        XCTAssertTrue(next.error is CancellationError)
    }

    func testADependencyThatFailedBeforeItWasAdded() {
        let (queue, recorder) = (makeQueue(width: 1), Recorder())
        let (failing, next) = (Failing(), block("next", recorder))
        queue.addOperations([failing], waitUntilFinished: true)
        next.addDependency(failing)
        next.cancelsWhenDependencyFails = true
        queue.addOperations([next], waitUntilFinished: true)
        XCTAssertEqual(recorder.all, [])
        XCTAssertEqual(next.error as? Fault, Fault("first"))
    }

    func testEveryInterleavingCancelsWhatFollows() {
        for seed in 1...200 as ClosedRange<UInt64> {
            let scheduler = SeededScheduler(seed: seed)
            let queues = [scheduler.makeQueue(), scheduler.makeQueue()]
            let recorder = Recorder()
            let (failing, good) = (Failing(), block("good", recorder))
            let both = block("both", recorder)
            both.cancelsWhenDependencyFails = true
            both.addDependency(failing)
            both.addDependency(good)
            let last = block("last", recorder)
            last.addDependency(both)
            queues[0].addOperation(both)
            queues[1].addOperation(good)
            queues[0].addOperation(failing)
            queues[1].addOperation(last)
            scheduler.run()
            XCTAssertEqual(recorder.all.sorted(), ["good", "last"], "seed \(seed)")
            XCTAssertEqual(both.error as? Fault, Fault("first"), "seed \(seed)")
        }
    }

    /// A dependency that has failed already cancels at once, whichever is said first.
    func testADependencyThatHadFailedCancelsAtOnce() {
        let failing = Failing()
        failing.start()
        let (before, after, added) = (BlockOperation {}, BlockOperation {}, BlockOperation {})
        before.cancelsWhenDependencyFails = true
        before.addDependency(failing)
        after.addDependency(failing)
        XCTAssertFalse(after.isCancelled)
        after.cancelsWhenDependencyFails = true
        let queue = makeQueue(width: 1, suspended: true)
        queue.addOperation(added)
        added.cancelsWhenDependencyFails = true
        added.addDependency(failing)
        for operation in [before, after, added] {
            XCTAssertTrue(operation.isCancelled)
            XCTAssertTrue(operation.isReady)
        }
        queue.isSuspended = false
        finishes(queue)
        for operation in [before, after] { operation.start() }
        for operation in [before, after, added] { XCTAssertEqual(operation.error as? Fault, Fault("first")) }
    }

    func testStartedByHandItIsCancelledWithTheReason() {
        let (failing, next, asynchronous) = (Failing(), BlockOperation { XCTFail("It ran.") }, ManualOperation())
        for operation in [next, asynchronous] {
            operation.cancelsWhenDependencyFails = true
            operation.addDependency(failing)
        }
        failing.start()
        for operation in [next, asynchronous] {
            XCTAssertTrue(operation.isCancelled)
            operation.start()
            XCTAssertTrue(operation.isFinished)
            XCTAssertEqual(operation.error as? Fault, Fault("first"))
        }
    }
}
