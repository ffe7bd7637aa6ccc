import Foundation
import Operations
import XCTest

@testable import OperationsCore

/// What a forwarding queue of Foundation's class has to do itself, since its queue does not know of it.
final class FoundationQueueTests: XCTestCase {
    /// Runs from `execute()` until it is told to end, by the published pattern.
    private final class Asynchronous: Foundation.Operation, @unchecked Sendable {
        private let state = Lock((isExecuting: false, isFinished: false))
        let began = Door()
        let starts = Counter()

        override var isAsynchronous: Bool { true }
        override var isExecuting: Bool { state.withLock { $0.isExecuting } }
        override var isFinished: Bool { state.withLock { $0.isFinished } }

        override func start() {
            starts.increase()
            if isCancelled { return finish() }
            change("isExecuting") { $0.isExecuting = true }
            began.open()
        }

        func finish() {
            change("isExecuting") { $0.isExecuting = false }
            change("isFinished") { $0.isFinished = true }
        }

        private func change(_ key: String, _ body: (inout (isExecuting: Bool, isFinished: Bool)) -> Void) {
            willChangeValue(forKey: key)
            state.withLock { body(&$0) }
            didChangeValue(forKey: key)
        }
    }

    /// One that another thread has begun is waited for.
    func testWaitingInsideTheQueueForWhatWorksElsewhere() {
        let (queue, began, goesOn, recorder) = (makeQueue(width: 2), Door(), Door(), Recorder())
        queue.addOperation {
            queue.foundationQueue.addOperation {
                began.open()
                goesOn.pass()
                recorder.note("inner")
            }
            began.pass()
            queue.foundationQueue.waitUntilAllOperationsAreFinished()
            recorder.note("outer")
        }
        began.pass()
        eventually("it is waited for", within: 10) { queue.core.monitor.withLock { !queue.core.waits.isEmpty } }
        goesOn.open()
        finishes(queue)
        XCTAssertEqual(recorder.all, ["inner", "outer"])
    }

    /// Ends on another thread.
    private final class EndingElsewhere: Foundation.Operation, @unchecked Sendable {
        private let hasEnded = Flag()
        override var isFinished: Bool { hasEnded.isSet }
        override func start() {
            DispatchQueue.global().async {
                self.hasEnded.set()
                self.didChangeValue(forKey: "isFinished")
            }
        }
    }

    /// Its readiness is its own.
    private final class Choosy: Foundation.Operation, @unchecked Sendable {
        let mayRun = Flag()
        override var isReady: Bool { super.isReady && mayRun.isSet }
    }

    /// What waits for others of Foundation's class is cancelled, too.
    func testCancellingAllReachesThoseThatWait() {
        let queue = makeQueue(width: 1)
        let (dependent, dependency) = (Foundation.BlockOperation {}, Foundation.BlockOperation {})
        dependent.addDependency(dependency)
        queue.foundationQueue.addOperation(dependent)
        queue.foundationQueue.cancelAllOperations()
        XCTAssertTrue(dependent.isCancelled)
        eventually("it finished", within: 10) { dependent.isFinished && queue.operationCount == 0 }
    }

    /// As in Foundation, where one that is cancelled waits for nobody.
    func testOneThatIsCancelledWhileItWaits() {
        let queue = makeQueue(width: 1)
        let (dependent, dependency) = (Foundation.BlockOperation {}, Foundation.BlockOperation {})
        dependent.addDependency(dependency)
        queue.foundationQueue.addOperation(dependent)
        XCTAssertEqual(queue.operationCount, 1)
        dependent.cancel()
        eventually("it finished", within: 10) { dependent.isFinished && queue.operationCount == 0 }
        XCTAssertFalse(dependency.isFinished)
    }

    /// What one that was cancelled has waited for may finish when that one is gone.
    func testADependencyThatFinishesLater() {
        let dependency = Foundation.BlockOperation {}
        for isCancelledByTheQueue in [false, true] {
            let queue = makeQueue(width: 1)
            let dependent = Foundation.BlockOperation {}
            dependent.addDependency(dependency)
            queue.foundationQueue.addOperation(dependent)
            if isCancelledByTheQueue { queue.foundationQueue.cancelAllOperations() } else { dependent.cancel() }
            finishes(queue, within: 10)
            XCTAssertTrue(dependent.isFinished)
            // Foundation's operations remember those that depend on them without keeping them alive.
            eventually("it depends on nothing", within: 10) { dependent.dependencies.isEmpty }
        }
        dependency.start()
        XCTAssertTrue(dependency.isFinished)
    }

    /// Foundation starts none that is not ready, and takes it up when it is.
    func testOneThatIsNotReadyIsCancelled() {
        let (queue, operation) = (makeQueue(width: 1), Choosy())
        queue.foundationQueue.addOperation(operation)
        operation.cancel()
        finishes(queue, within: 10)
        XCTAssertFalse(operation.isFinished)
        operation.mayRun.set()
        operation.didChangeValue(forKey: "isReady")
        eventually("it has finished", within: 10) { operation.isFinished }
    }

    func testWhoHasWaitedFindsTheCancelledOnesFinished() {
        let queue = makeQueue(width: 1)
        for _ in 0..<many(2_000, sanitized: 500) {
            queue.isSuspended = true
            let operations = (0..<4).map { _ in Foundation.BlockOperation {} }
            queue.foundationQueue.addOperations(operations, waitUntilFinished: false)
            queue.foundationQueue.cancelAllOperations()
            queue.isSuspended = false
            queue.waitUntilAllOperationsAreFinished()
            XCTAssertTrue(operations.allSatisfy(\.isFinished))
        }
    }

    /// Foundation's own queue tells for those that do not tell of their end.
    func testOneThatFinishesSilently() {
        final class Silent: Foundation.Operation, @unchecked Sendable {
            let hasRun = Flag()
            override var isFinished: Bool { hasRun.isSet }
            override func start() { hasRun.set() }
        }
        let (queue, operation, told) = (makeQueue(width: 2), Silent(), Counter())
        operation.completionBlock = { told.increase() }
        let dependent = Foundation.BlockOperation { told.increase() }
        dependent.addDependency(operation)
        queue.foundationQueue.addOperations([operation, dependent], waitUntilFinished: false)
        finishes(queue, within: 10)
        eventually("both are told", within: 10) { told.value == 2 }
    }

    /// Foundation keeps the answer that it got while it added the operation, and has nobody tell it of another.
    func testOneThatBecomesReadyWhileFoundationAddsIt() {
        final class BecomingReady: Foundation.Operation, @unchecked Sendable {
            let asked = Counter()
            // `cancel()` asks first, then this queue, then Foundation's, which it is added to.
            override var isReady: Bool { asked.increase() > 3 && super.isReady }
        }
        let (queue, operation) = (makeQueue(width: 1, suspended: true), BecomingReady())
        queue.foundationQueue.addOperation(operation)
        queue.foundationQueue.cancelAllOperations()
        queue.isSuspended = false
        finishes(queue, within: 10)
        eventually("it has finished", within: 10) { operation.isFinished }
    }

    /// Threads that add, cancel, and finish what is waited for, all at once.
    func testAStorm() {
        let queue = makeQueue(width: 3)
        for round in 0..<many(400, long: 4_000, sanitized: 100) {
            let dependencies: [Foundation.Operation] = (0..<6).map {
                $0 < 4 ? Foundation.BlockOperation {} : EndingElsewhere()
            }
            var operations: [Foundation.Operation] = []
            for index in 0..<30 {
                let operation = index % 5 == 0 ? EndingElsewhere() : Foundation.BlockOperation { sched_yield() }
                for _ in 0..<index % 4 {
                    if let other = (dependencies + operations.suffix(3)).randomElement() {
                        operation.addDependency(other)
                    }
                }
                operations.append(operation)
            }
            let all = operations
            DispatchQueue.concurrentPerform(iterations: 4) { part in
                switch part {
                case 0: queue.foundationQueue.addOperations(all, waitUntilFinished: false)
                case 1: for dependency in dependencies { dependency.start() }
                case 2: for _ in 0..<15 { all.randomElement()?.cancel() }
                default: if round % 3 == 0 { queue.foundationQueue.cancelAllOperations() }
                }
            }
            operations = []
            let hasEnded = eventually("round \(round) ends") {
                all.allSatisfy(\.isFinished) && queue.operationCount == 0
            }
            guard hasEnded else { return }
        }
    }

    /// Its cancellation is its own code, and begins once.
    func testCancellingIsToldOnce() {
        final class Counting: Foundation.Operation, @unchecked Sendable {
            let cancellations = Counter()
            override func cancel() {
                cancellations.increase()
                super.cancel()
            }
        }
        let (queue, operation, dependency) = (makeQueue(width: 1, suspended: true), Counting(), Choosy())
        operation.addDependency(dependency)
        queue.foundationQueue.addOperation(operation)
        operation.cancel()
        eventually("it is noticed", within: 10) { queue.operations.allSatisfy(\.isCancelled) }
        // Looks that come later find it cancelled, too.
        let later = Foundation.BlockOperation {}
        later.addDependency(dependency)
        queue.foundationQueue.addOperation(later)
        later.cancel()
        eventually("it is noticed", within: 10) { queue.operations.allSatisfy(\.isCancelled) }
        queue.isSuspended = false
        finishes(queue, within: 10)
        XCTAssertEqual(operation.cancellations.value, 1)
    }

    /// A completion block that comes after the start is called, and keeps nobody from the place.
    func testACompletionBlockThatComesLate() {
        let queue = makeQueue(width: 1)
        let (operation, completed) = (Asynchronous(), Counter())
        queue.foundationQueue.addOperation(operation)
        operation.began.pass()
        operation.completionBlock = { completed.increase() }
        operation.finish()
        finishes(queue, within: 10)
        eventually("the block is called", within: 10) { completed.value == 1 }
    }

    /// Somebody has started it by hand.
    func testOneThatHasFinishedBefore() {
        let (queue, ran) = (makeQueue(width: 1, suspended: true), Counter())
        let operation = Foundation.BlockOperation { ran.increase() }
        queue.foundationQueue.addOperation(operation)
        operation.start()
        queue.isSuspended = false
        finishes(queue, within: 10)
        XCTAssertEqual(ran.value, 1)
    }

    func testOneThatIsExecutingAlready() {
        let (queue, operation) = (makeQueue(width: 1, suspended: true), Asynchronous())
        queue.foundationQueue.addOperation(operation)
        operation.start()
        queue.isSuspended = false
        eventually("it has its place", within: 10) { queue.operations.first?.isExecuting == true }
        operation.finish()
        finishes(queue, within: 10)
        XCTAssertEqual(operation.starts.value, 1)
    }

    func testABarrierWaitsForOneThatWaitsForAnother() {
        let (queue, order) = (makeQueue(width: 4), Recorder())
        let dependency = Foundation.BlockOperation {}
        let dependent = Foundation.BlockOperation { order.note("before") }
        dependent.addDependency(dependency)
        queue.foundationQueue.addOperation(dependent)
        queue.foundationQueue.addBarrierBlock { order.note("barrier") }
        queue.foundationQueue.addOperation { order.note("behind") }
        XCTAssertEqual(queue.operationCount, 2)
        Foundation.OperationQueue().addOperation(dependency)
        finishes(queue, within: 10)
        XCTAssertEqual(order.all, ["before", "barrier", "behind"])
    }

    func testADependencyThatComesAfterTheAdding() {
        let (queue, order) = (makeQueue(width: 1, suspended: true), Recorder())
        let dependency = Foundation.BlockOperation { order.note("dependency") }
        let dependent = Foundation.BlockOperation { order.note("dependent") }
        queue.foundationQueue.addOperation(dependent)
        dependent.addDependency(dependency)
        queue.foundationQueue.addOperation(dependency)
        queue.isSuspended = false
        finishes(queue, within: 10)
        XCTAssertEqual(order.all, ["dependency", "dependent"])
    }

    func testAReadinessOfItsOwn() {
        let (queue, operation, others) = (makeQueue(width: 1), Choosy(), Counter())
        queue.foundationQueue.addOperation(operation)
        queue.foundationQueue.addOperation { others.increase() }
        eventually("it holds up nobody", within: 10) { others.value == 1 }
        XCTAssertFalse(operation.isFinished)
        operation.mayRun.set()
        eventually("it ran", within: 10) { operation.isFinished && queue.operationCount == 0 }
    }

    /// Libraries read and set it on the delegate queue of a session.
    func testItsUnderlyingQueueIsThatOfTheQueue() {
        let queue = makeQueue(width: 1)
        let (first, second) = (DispatchQueue(label: "first"), DispatchQueue(label: "second"))
        XCTAssertNil(queue.foundationQueue.underlyingQueue)
        queue.underlyingQueue = first
        XCTAssertTrue(queue.foundationQueue.underlyingQueue === first)
        queue.foundationQueue.underlyingQueue = second
        XCTAssertTrue(queue.underlyingQueue === second)
        let key = DispatchSpecificKey<Int>()
        second.setSpecific(key: key, value: 7)
        let found = Lock<Int?>(nil)
        queue.foundationQueue.addOperation { found.withLock { $0 = DispatchQueue.getSpecific(key: key) } }
        finishes(queue)
        XCTAssertEqual(found.withLock { $0 }, 7)
    }

    /// Foundation's own queue takes time with the square of those that wait in it.
    func testManyThatWait() {
        let (queue, ran) = (makeQueue(width: 2), Counter())
        let dependency = Foundation.BlockOperation {}
        let count = many(20_000, sanitized: 2_000)
        for _ in 0..<count {
            let dependent = Foundation.BlockOperation { ran.increase() }
            dependent.addDependency(dependency)
            queue.foundationQueue.addOperation(dependent)
        }
        Foundation.OperationQueue().addOperation(dependency)
        finishes(queue, within: 60)
        XCTAssertEqual(ran.value, count)
    }
}
