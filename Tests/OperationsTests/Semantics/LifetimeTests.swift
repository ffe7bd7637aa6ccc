import Foundation
import Operations
import OperationsCore
import XCTest

/// Row "lifetime".
final class LifetimeTests: XCTestCase {
    private final class Token: Sendable {}

    func testLifetimeOfAQueueIsUntilItsOperationsFinish() {
        let end = Door()
        let ran = Counter()
        let last = BlockOperation { ran.increase() }
        weak var weakQueue: OperationQueue?
        do {
            let queue = makeQueue(width: 1)
            weakQueue = queue
            queue.addOperation { end.pass() }
            queue.addOperation(last)
        }
        XCTAssertNotNil(weakQueue)
        end.open()
        last.waitUntilFinished()
        XCTAssertEqual(ran.value, 1)
        eventually("A finished operation must not keep its queue.") { weakQueue == nil }
    }

    func testLifetimeOfAnEmptyQueueEndsAtOnce() {
        weak var weakQueue: OperationQueue?
        do {
            let queue = OperationQueue()
            weakQueue = queue
        }
        XCTAssertNil(weakQueue)
    }

    func testLifetimeOfOperationsEndsWithTheQueuesUse() {
        weak var weakOperation: Operation?
        let queue = makeQueue(width: 1)
        do {
            let operation = BlockOperation {}
            weakOperation = operation
            queue.addOperation(operation)
        }
        finishes(queue)
        eventually { weakOperation == nil }
    }

    func testLifetimeOfBlocksEndsAtTheFinish() {
        weak var weakToken: Token?
        let operation = BlockOperation()
        do {
            let token = Token()
            weakToken = token
            operation.addExecutionBlock { _ = token }
            operation.addExecutionBlock { _ = token }
            operation.completionBlock = { _ = token }
        }
        XCTAssertNotNil(weakToken)
        operation.start()
        XCTAssertTrue(operation.executionBlocks.isEmpty)
        eventually { weakToken == nil }
    }

    /// The thread that lets go of a block, or of an operation, has claimed the next one.
    func testWhatIsReleasedAtTheFinishMayWaitForWhatComesNext() {
        final class Waiter: Sendable {
            let wait: @Sendable () -> Void
            init(_ wait: @escaping @Sendable () -> Void) { self.wait = wait }
            deinit { wait() }
        }
        final class Holder: Operation, @unchecked Sendable {
            let waiter: Waiter
            init(_ waiter: Waiter) { self.waiter = waiter }
        }
        let makers: [(Waiter) -> Operation] = [
            { waiter in BlockOperation { withExtendedLifetime(waiter) {} } }, { Holder($0) },
        ]
        for make in makers {
            let (queue, waited) = (makeQueue(width: 1, suspended: true), Counter())
            let next = BlockOperation {}
            func add(_ wait: @escaping @Sendable () -> Void) {
                queue.addOperation(
                    make(
                        Waiter {
                            wait()
                            waited.increase()
                        }))
            }
            add { next.waitUntilFinished() }
            queue.addOperation(next)
            add { [unowned queue] in queue.waitUntilAllOperationsAreFinished() }
            queue.addOperation {}
            queue.isSuspended = false
            eventually("both have waited") { waited.value == 2 }
            finishes(queue)
        }
    }

    /// Of a lock that is not the engine's nobody knows who waits for whom. Foundation's queue goes on, too.
    func testWhatIsReleasedAtTheFinishMayBlockUntilWhatComesNextHasRun() {
        final class Blocker: Sendable {
            private let (end, isOver): (Door, Flag)
            init(_ end: Door, _ isOver: Flag) { (self.end, self.isOver) = (end, isOver) }
            deinit { if end.pass() { isOver.set() } }
        }
        final class Holder: Operation, @unchecked Sendable {
            let blocker: Blocker
            init(_ blocker: Blocker) { self.blocker = blocker }
        }
        let adders: [(OperationQueue, Blocker) -> Void] = [
            { queue, blocker in queue.addOperation { withExtendedLifetime(blocker) {} } },
            { queue, blocker in queue.addOperation(Holder(blocker)) },
            { queue, blocker in
                // It goes with the last one that depends on it.
                let operation = BlockOperation {}
                operation.addDependency(Holder(blocker))
                operation.cancel()
                queue.addOperation(operation)
            },
            { queue, blocker in queue.addBarrierBlock { withExtendedLifetime(blocker) {} } },
        ]
        for (number, add) in adders.enumerated() {
            for width in [1, 2] {
                let (queue, end, isOver) = (makeQueue(width: width, suspended: true), Door(), Flag())
                for _ in 0..<width { add(queue, Blocker(end, isOver)) }
                queue.addOperation { end.open() }
                queue.addOperation {}
                queue.isSuspended = false
                eventually("what blocks goes on, added in way \(number)", within: 10) { isOver.isSet }
                finishes(queue)
            }
        }
    }

    func testLifetimeOfBlocksEndsAtTheFinishWhenCancelled() {
        weak var weakToken: Token?
        let operation: BlockOperation
        do {
            let token = Token()
            weakToken = token
            operation = BlockOperation { _ = token }
        }
        operation.cancel()
        operation.start()
        XCTAssertNil(weakToken)
    }

    func testLifetimeOfALongChainThatRan() {
        let queue = makeQueue(width: 1)
        var previous: BlockOperation?
        for _ in 0..<many(300_000, sanitized: 50_000) {
            let operation = BlockOperation {}
            if let previous { operation.addDependency(previous) }
            queue.addOperation(operation)
            previous = operation
        }
        finishes(queue, within: 120)
        previous = nil
    }

    func testLifetimeOfAMillionCancelledWhileTheyRun() {
        let (completed, started, count) = (Counter(), Counter(), many(100_000, long: 1_000_000, sanitized: 20_000))
        weak var last: Operation?
        weak var weakQueue: OperationQueue?
        do {
            let queue = makeQueue(width: 2, suspended: true)
            weakQueue = queue
            let operations = (0..<count).map { index in
                let operation = BlockOperation { started.increase() }
                if index % 1_000 == 0 { operation.completionBlock = { completed.increase() } }
                return operation
            }
            last = operations.last
            queue.addOperations(operations, waitUntilFinished: false)
            queue.isSuspended = false
            eventually("some ran") { started.value > 1_000 }
            queue.cancelAllOperations()
            finishes(queue, within: 300)
            XCTAssertTrue(operations.allSatisfy(\.isFinished))
        }
        eventually("every completion block") { completed.value == count / 1_000 }
        eventually("nothing is left") { last == nil && weakQueue == nil }
    }

    func testLifetimeOfAMillionReleasedAtOnce() {
        weak var last: Operation?
        let common = BlockOperation {}
        do {
            // All of them wait for one, and one for all of them.
            let gathering = Operation()
            for _ in 0..<many(100_000, long: 1_000_000, sanitized: 20_000) {
                let operation = Operation()
                operation.addDependency(common)
                gathering.addDependency(operation)
                last = operation
            }
            XCTAssertFalse(gathering.isReady)
            XCTAssertNotNil(last)
        }
        XCTAssertNil(last)
        // Those that waited for it are gone, and it must not touch them.
        common.start()
        XCTAssertTrue(common.isFinished)
    }

    func testLifetimeOfAChainOfAMillionThatNeverRan() {
        weak var first: Operation?
        var previous: Operation?
        for index in 0..<1_000_000 {
            let operation = Operation()
            if index == 0 { first = operation }
            if let previous { operation.addDependency(previous) }
            previous = operation
        }
        XCTAssertNotNil(first)
        previous = nil
        XCTAssertNil(first)
    }
}
