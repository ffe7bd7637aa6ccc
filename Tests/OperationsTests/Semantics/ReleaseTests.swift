import Foundation
import Operations
import XCTest

@testable import OperationsCore

/// What is let go of is others' code, which may wait for whatever a thread has claimed, or call back.
final class ReleaseTests: XCTestCase {
    /// The worker has claimed what comes next when it lets go of what ran before.
    func testWhatIsReleasedMayStopItsQueue() {
        for (isBarrier, isSuspended) in [(false, true), (true, true), (false, false), (true, false)] {
            for _ in 0..<many(50) {
                let (queue, ran) = (makeQueue(width: 1, suspended: true), Counter())
                let stop: @Sendable (Bool) -> Void = { [weak queue] stops in
                    if isSuspended {
                        queue?.isSuspended = stops
                    } else {
                        queue?.maxConcurrentOperationCount = stops ? 0 : 1
                    }
                }
                var held: Leaving? = Leaving { stop(true) }
                let first = BlockOperation { [held] in withExtendedLifetime(held) {} }
                held = nil
                queue.addOperation(first)
                if isBarrier { queue.addBarrierBlock { ran.increase() } } else { queue.addOperation { ran.increase() } }
                queue.isSuspended = false
                first.waitUntilFinished()
                eventually {
                    let isStopped = isSuspended ? queue.isSuspended : queue.maxConcurrentOperationCount == 0
                    return isStopped && queue.core.monitor.withLock { queue.core.state.running } == 0
                }
                XCTAssertEqual(ran.value, 0)
                stop(false)
                finishes(queue)
                XCTAssertEqual(ran.value, 1)
            }
        }
    }

    /// Holds something for as long as it exists.
    private final class Holder: Operation, @unchecked Sendable {
        private let held: Leaving
        init(_ held: Leaving) { self.held = held }
    }

    /// Starts on the thread of whoever makes room for it.
    private final class Slot: AsyncOperation, @unchecked Sendable {
        private let held: Leaving
        init(_ held: Leaving) {
            self.held = held
            super.init()
            beginsAtOnce()
        }
        override func execute() { finish() }
    }

    /// A worker that has claimed an operation starts another one in place of the worker that would be asked for.
    func testWhatBeginsAtOnceMayBlockUntilWhatComesNextHasRun() {
        let (queue, begin, end, isOver) = (makeQueue(width: 2), Door(), Door(), Flag())
        let first = BlockOperation { begin.pass() }
        let next = BlockOperation { end.open() }
        next.addDependency(first)
        queue.addOperations([first, next], waitUntilFinished: false)
        do {
            let slot = Slot(Leaving { if end.pass() { isOver.set() } })
            slot.addDependency(first)
            queue.addOperation(slot)
        }
        begin.open()
        eventually("what blocks goes on", within: 10) { isOver.isSet }
        finishes(queue)
    }

    /// The thread that ended what they depended on is the last to hold them, and has claimed what comes next in its own queue.
    func testDependentsOfAnotherQueueMayBlockUntilWhatComesNextHasRun() {
        // Of many the first have run when the last are told.
        for count in [1, 5_000] {
            let (queue, other) = (makeQueue(width: 1), makeQueue(width: 1))
            let (begin, haveRun, end, isOver) = (Door(), Door(), Door(), Flag())
            do {
                let leaving = Leaving { _ = haveRun.pass() }
                let first = BlockOperation { withExtendedLifetime(leaving) { _ = begin.pass() } }
                for number in 1...count {
                    let dependent = Holder(Leaving { if number == 1, end.pass() { isOver.set() } })
                    dependent.addDependency(first)
                    other.addOperation(dependent)
                }
                other.addBarrierBlock { haveRun.open() }
                queue.addOperation(first)
            }
            queue.addOperation { end.open() }
            begin.open()
            eventually("what blocks goes on beside \(count)", within: 10) { isOver.isSet }
            finishes(queue)
            finishes(other)
        }
    }

    /// As the main thread does that runs its run loop in there.
    func testWhatIsReleasedMayRunOtherQueuesWork() {
        let (pool, inner) = (HandPool(), HandPool())
        let (queue, other) = (queueOn(pool), queueOn(inner))
        let (ran, ranInside) = (Counter(), Counter())
        other.addBarrierBlock { ranInside.increase() }
        other.addOperation { ranInside.increase() }
        queue.addOperation(Holder(Leaving { while inner.count > 0 { inner.runFirst() } }))
        queue.addOperation { ran.increase() }
        while pool.count > 0 { pool.runFirst() }
        XCTAssertEqual(ranInside.value, 2)
        XCTAssertEqual(ran.value, 1)
        XCTAssertEqual(queue.operationCount, 0)
    }

    private func queueOn(_ pool: HandPool) -> OperationQueue {
        let queue = OperationQueue(pool: pool, clock: ContinuousClock())
        queue.maxConcurrentOperationCount = 1
        return queue
    }

    // MARK: With no lock held

    /// A key that does something when it goes; all are equal.
    private final class Key: Hashable, Sendable {
        private let held: Leaving
        init(_ held: Leaving) { self.held = held }
        static func == (first: Key, second: Key) -> Bool { true }
        func hash(into hasher: inout Hasher) {}
    }

    /// Fails where the calling code would hang.
    private func returns(_ what: String, _ body: @escaping @Sendable () -> Void) {
        let done = Flag()
        Thread.detachNewThread {
            body()
            done.set()
        }
        eventually(what, within: 10) { done.isSet }
    }

    func testAKeyOfSharedWorkMayAskItsTableWhenItGoes() {
        let queue = makeQueue(width: 1, suspended: true)
        let group = SharedGroup()
        let table = Shared<Key, Int>(in: group)
        let gone = Flag()
        func hold(_ leave: @escaping @Sendable () -> Void) -> SharedHold<Int>? {
            group.hold { access in
                table.add(Key(Leaving(leave)), &access) { work in
                    [(BlockOperation { work.finish(with: 1) }, queue)]
                }
            }
        }
        var first = hold { if table.count >= 0 { gone.set() } }
        let over = Counter()
        first?.start { over.increase() }
        // In place of the first one, whose key stays in the table.
        let second = hold {}
        second?.start { over.increase() }
        queue.isSuspended = false
        eventually("both are over", within: 10) { over.value == 2 }
        first = nil
        XCTAssertFalse(gone.isSet)
        returns("the product is taken") { _ = second?.take() }
        eventually("the first key is gone", within: 10) { gone.isSet }
    }

    func testWhatBelongsToSharedWorkMayCancelTheHoldWhenItGoes() {
        let queue = makeQueue(width: 1)
        let group = SharedGroup()
        let table = Shared<String, Int>(in: group)
        let holds = Lock<SharedHold<Int>?>(nil)
        let gone = Flag()
        let leaving = Lock<Leaving?>(
            Leaving {
                holds.withLock { $0 }?.cancel()
                gone.set()
            })
        let hold = group.hold { access in
            table.add("key", keeping: leaving.withLock { $0.take() }, &access) { work in
                [(BlockOperation { work.finish(with: 1) }, queue)]
            }
        }
        holds.withLock { $0 = hold }
        hold?.start {}
        eventually("it has ended", within: 10) { hold?.operation == nil || hold?.last.product != nil }
        returns("the product is taken") { _ = hold?.take() }
        eventually("what belongs to it is gone", within: 10) { gone.isSet }
        holds.withLock { $0 = nil }
    }
}
