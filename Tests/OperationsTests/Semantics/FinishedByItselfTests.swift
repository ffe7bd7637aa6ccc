import Foundation
import Operations
import XCTest

@testable import OperationsCore

/// Keeps `isFinished` for itself, as many published subclasses do, and leaves `start()` as it is, or calls it.
private class SelfFinishing: Operation, @unchecked Sendable {
    private let done = Lock(false)

    override var isFinished: Bool { done.withLock { $0 } }

    /// As a subclass does that does not report: the engine has to ask.
    func finishSilently() { done.withLock { $0 = true } }

    func finish() {
        willChangeValue(forKey: "isFinished")
        finishSilently()
        didChangeValue(forKey: "isFinished")
    }
}

/// `main()` begins work that goes on elsewhere.
private final class GoingOn: SelfFinishing, @unchecked Sendable {
    let began = Door()
    override func main() { began.open() }
}

/// The pattern of job libraries: `super.start()`, of which nothing is expected, and then the work.
private final class CallingSuper: SelfFinishing, @unchecked Sendable {
    private let atWork = Lock(false)
    let began = Door()

    override var isExecuting: Bool { atWork.withLock { $0 } }

    override func start() {
        super.start()
        willChangeValue(forKey: "isExecuting")
        atWork.withLock { $0 = true }
        didChangeValue(forKey: "isExecuting")
        began.open()
    }
}

private final class FinishingInMain: SelfFinishing, @unchecked Sendable {
    private let isSilent: Bool
    init(isSilent: Bool) { self.isSilent = isSilent }
    override func main() { if isSilent { finishSilently() } else { finish() } }
}

/// The work is over on another thread while `main()` returns.
private final class FinishingElsewhere: SelfFinishing, @unchecked Sendable {
    override func main() { DispatchQueue.global().async { self.finish() } }
}

/// Says more than the engine's own answer.
private final class AskingSuper: Operation, @unchecked Sendable {
    private let mayFinish = Lock(false)
    let began = Door()
    override var isFinished: Bool { super.isFinished && mayFinish.withLock { $0 } }
    override func main() { began.open() }
    func allow() {
        mayFinish.withLock { $0 = true }
        didChangeValue(forKey: "isFinished")
    }
}

/// Another thread reports the end just after the engine has asked for it.
private final class FinishingBehindTheQuestion: Operation, @unchecked Sendable {
    private let mayFinish = Lock(false)
    private let hasRun = Flag()
    private let isAsked = Lock(false)

    override func main() { hasRun.set() }

    override var isFinished: Bool {
        let answer = super.isFinished && mayFinish.withLock { $0 }
        let isFirst = isAsked.withLock { isAsked in
            defer { isAsked = hasRun.isSet }
            return hasRun.isSet && !isAsked
        }
        guard isFirst else { return answer }
        let reported = Door()
        Thread.detachNewThread {
            self.mayFinish.withLock { $0 = true }
            self.didChangeValue(forKey: "isFinished")
            reported.open()
        }
        reported.pass()
        return answer
    }
}

/// An operation whose own `isFinished` says no after `main()` has not finished, as in Foundation.
final class FinishedByItselfTests: XCTestCase {
    func testTheQueueWaitsForAnOperationThatGoesOnAfterMain() {
        let operation = GoingOn()
        goesOnUntilItReports(operation, began: operation.began)
    }

    func testTheQueueWaitsForAnOperationThatCallsSuperInItsOwnStart() {
        let operation = CallingSuper()
        goesOnUntilItReports(operation, began: operation.began)
        XCTAssertTrue(operation.isExecuting)
    }

    private func goesOnUntilItReports(_ operation: SelfFinishing, began: Door) {
        let queue = makeQueue(width: 1)
        let (completed, followed, sameWidth) = (Counter(), Counter(), Counter())
        let dependent = BlockOperation { followed.increase() }
        dependent.addDependency(operation)
        operation.completionBlock = { completed.increase() }
        queue.addOperation(operation)
        OperationQueue().addOperation(dependent)
        queue.addOperation { sameWidth.increase() }
        began.pass()
        // Whatever the engine does as `start()` returns, it has begun by then.
        eventually("start() has returned") { operation.state.hasReturnedFromStart }
        XCTAssertEqual(queue.operationCount, 2)
        XCTAssertEqual([completed.value, followed.value, sameWidth.value], [0, 0, 0])
        XCTAssertFalse(dependent.isReady)
        operation.finish()
        finishes(queue)
        eventually { [completed.value, followed.value, sameWidth.value] == [1, 1, 1] }
        operation.finish()
        XCTAssertEqual(completed.value, 1)
    }

    func testOneThatFinishesInMain() {
        let queue = makeQueue(width: 1)
        let completed = Counter()
        for isSilent in [false, true] {
            let operation = FinishingInMain(isSilent: isSilent)
            operation.completionBlock = { completed.increase() }
            queue.addOperation(operation)
        }
        finishes(queue)
        eventually { completed.value == 2 }
    }

    func testReportsAgainstTheReturnOfMain() {
        let queue = makeQueue(width: 4)
        let completed = Counter()
        let operations = (0..<many(2_000)).map { _ in FinishingElsewhere() }
        for operation in operations { operation.completionBlock = { completed.increase() } }
        queue.addOperations(operations, waitUntilFinished: false)
        finishes(queue)
        eventually { completed.value == operations.count }
    }

    func testAnOverrideThatAsksSuper() {
        let queue = makeQueue(width: 1)
        let operation = AskingSuper()
        queue.addOperation(operation)
        operation.began.pass()
        eventually { operation.state.hasReturnedFromStart }
        XCTAssertEqual(queue.operationCount, 1)
        XCTAssertFalse(operation.isFinished)
        operation.allow()
        // The answer of `super` is the engine's: it has to know of the end of `main()`.
        finishes(queue)
        XCTAssertTrue(operation.isFinished)
    }

    func testStartedByHand() {
        let operation = GoingOn()
        let completed = Counter()
        operation.completionBlock = { completed.increase() }
        operation.start()
        XCTAssertFalse(operation.isFinished)
        XCTAssertFalse(operation.isExecuting)
        XCTAssertEqual(completed.value, 0)
        operation.finish()
        operation.waitUntilFinished()
        eventually { completed.value == 1 }
    }

    func testAReportBetweenTheQuestionAndTheReturn_startedByHand() {
        let operation = FinishingBehindTheQuestion()
        operation.start()
        XCTAssertTrue(operation.state.isFinished)
    }

    /// Foundation's queue keeps it for ever.
    func testOneThatWasCancelledBeforeTheStartFinishesAllTheSame() {
        let queue = makeQueue(width: 1, suspended: true)
        let operation = GoingOn()
        queue.addOperation(operation)
        operation.cancel()
        queue.isSuspended = false
        finishes(queue)
    }

    /// By a published pattern: it says itself that it has finished, after its superclass has been asked to start it.
    func testOneThatWasCancelledBeforeTheStartHasFinishedWhenOthersGoOn() {
        final class Published: Operation, @unchecked Sendable {
            private let hasEnded = Flag()
            override var isFinished: Bool { hasEnded.isSet }
            override func start() {
                super.start()
                guard isCancelled else { return }
                willChangeValue(forKey: "isFinished")
                hasEnded.set()
                didChangeValue(forKey: "isFinished")
            }
        }
        let (queue, wrong, completed) = (makeQueue(width: 2), Counter(), Counter())
        for _ in 0..<500 {
            let (operation, dependent) = (Published(), BlockOperation {})
            dependent.addExecutionBlock { if !operation.isFinished { wrong.increase() } }
            dependent.addDependency(operation)
            operation.completionBlock = {
                if !operation.isFinished { wrong.increase() }
                completed.increase()
            }
            operation.cancel()
            queue.addOperations([dependent, operation], waitUntilFinished: false)
        }
        finishes(queue)
        eventually("all blocks were called") { completed.value == 500 }
        XCTAssertEqual(wrong.value, 0)
    }

    func testOneThatNeverReportsShowsInDiagnostics() {
        let queue = makeQueue(width: 1)
        let operation = GoingOn()
        operation.name = "forgetful"
        queue.addOperation(operation)
        let issue = QueueDiagnostics.Issue.neitherExecutingNorFinished(operation: "forgetful")
        eventually { queue.diagnostics.issues == [issue] }
        operation.finish()
        finishes(queue)
        XCTAssertTrue(queue.diagnostics.issues.isEmpty)
    }

    func testCancellingOneThatGoesOnLeavesItsEndToIt() {
        let queue = makeQueue(width: 1)
        let operation = GoingOn()
        queue.addOperation(operation)
        eventually { operation.state.hasReturnedFromStart }
        operation.cancel()
        XCTAssertTrue(operation.isCancelled)
        XCTAssertEqual(queue.operationCount, 1)
        operation.finish()
        finishes(queue)
    }
}
