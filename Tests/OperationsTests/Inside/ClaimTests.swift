import Foundation
import Operations
import XCTest

@testable import OperationsCore

/// Who runs what was claimed, and where.
final class ClaimTests: XCTestCase {
    /// Starts on the thread of whoever makes room for it.
    private final class Slot: AsyncOperation, @unchecked Sendable {
        override init() {
            super.init()
            beginsAtOnce()
        }
    }

    /// A worker is itself asked for the next operation, and finds that somebody has just made that one wait.
    func testWhatAWorkerHasClaimedIsRunByNobodyElse() {
        let key = ExclusionKey("key")
        let (queue, other) = (makeQueue(width: 2, suspended: true), makeQueue(width: 1))
        let (inside, end, ran) = (Door(), Door(), Counter())
        let holder = BlockOperation {
            inside.open()
            end.pass()
        }
        let (slot, next) = (Slot(), BlockOperation { ran.increase() })
        holder.exclusionKeys = [key]
        next.exclusionKeys = [key]
        queue.addOperations([holder, slot], waitUntilFinished: false)
        // The moment between such a change and the queue's being told of it.
        _ = slot.transition(.dependencyAdded)
        queue.isSuspended = false
        inside.pass()
        // If the holder were begun a second time, that would give its key back. The other run would be among the jobs that
        // these come after.
        for _ in 0..<100 { makeQueue(width: 1).addOperations([BlockOperation {}], waitUntilFinished: true) }
        other.addOperation(next)
        for _ in 0..<100 { makeQueue(width: 1).addOperations([BlockOperation {}], waitUntilFinished: true) }
        XCTAssertEqual(ran.value, 0, "Two run that have a key in common.")
        end.open()
        if slot.transition(.dependencyMet).contains(.reconcile) { queue.core.reconcile(slot) }
        finishes(queue)
        finishes(other)
        XCTAssertEqual(ran.value, 1)
    }

    private final class Overriding: Operation, @unchecked Sendable {
        let ran = Counter()
        override func main() { ran.increase() }
    }

    /// Claimed by a thread of one lane, an operation waits for a thread of another, and the queue is suspended meanwhile.
    func testWhatWaitsForAThreadOfItsLaneStaysWhileTheQueueIsSuspended() {
        let pool = HandPool()
        let (queue, ran) = (OperationQueue(pool: pool, clock: ContinuousClock()), Counter())
        let (overriding, cancelled) = (Overriding(), Overriding())
        queue.maxConcurrentOperationCount = 1
        for operation in [BlockOperation { ran.increase() }, overriding, cancelled] {
            operation.qualityOfService = .utility
            queue.addOperation(operation)
            pool.runFirst()
            XCTAssertEqual(pool.count, 1, "A thread of the standard lane claimed it, and it waits for one of its own.")
            queue.isSuspended = true
            if operation === cancelled { operation.cancel() }
            while pool.count > 0 { pool.runFirst() }
            XCTAssertEqual(queue.operations, [operation])
            XCTAssertFalse(operation.isExecuting || operation.isFinished)
            queue.isSuspended = false
            while pool.count > 0 { pool.runFirst() }
            XCTAssertTrue(operation.isFinished)
        }
        XCTAssertEqual([ran.value, overriding.ran.value, cancelled.ran.value], [1, 1, 0])
    }

    /// The thread that finds it in the intake, finished, and lets go of it has claimed what comes after it.
    func testWhatHadFinishedBeforeItWasLookedAtMayBlockUntilWhatComesNextHasRun() {
        final class Blocking: Operation, @unchecked Sendable {
            let (end, isOver): (Door, Flag)
            init(_ end: Door, _ isOver: Flag) { (self.end, self.isOver) = (end, isOver) }
            deinit { if end.pass() { isOver.set() } }
        }
        let (queue, began, collect, end, isOver) = (makeQueue(width: 1), Door(), Door(), Door(), Flag())
        queue.addOperation {
            began.open()
            collect.pass()
        }
        began.pass()
        do {
            let early = Blocking(end, isOver)
            queue.addOperation(early)
            // As if that happened just before it came into the intake.
            _ = early.transition(.finishOutsideQueue)
        }
        queue.addOperation { end.open() }
        collect.open()
        eventually("what blocks goes on", within: 10) { isOver.isSet }
        finishes(queue)
    }

    private let mark = DispatchSpecificKey<Bool>()

    private func makeDispatchQueue() -> DispatchQueue {
        let dispatchQueue = DispatchQueue(label: "underlying")
        dispatchQueue.setSpecific(key: mark, value: true)
        return dispatchQueue
    }

    func testAWorkerThatWasAskedForLeavesAQueueThatRunsElsewhereNow() {
        let pool = HandPool()
        let (queue, dispatchQueue) = (OperationQueue(pool: pool, clock: ContinuousClock()), makeDispatchQueue())
        queue.maxConcurrentOperationCount = 2
        for _ in 0..<2 { queue.addOperation {} }
        pool.runFirst()
        XCTAssertEqual(pool.count, 2, "An operation was claimed, and another worker is on its way.")
        for _ in 0..<2 { pool.runFirst() }
        XCTAssertEqual(queue.operationCount, 0)
        queue.underlyingQueue = dispatchQueue
        let (mark, began, end, ran) = (mark, Door(), Door(), Counter())
        for _ in 0..<2 {
            queue.addOperation {
                began.open()
                end.pass()
                if DispatchQueue.getSpecific(key: mark) == true { ran.increase() }
            }
        }
        // Without this one, too.
        began.pass()
        end.open()
        while pool.count > 0 { pool.runFirst() }
        finishes(queue)
        XCTAssertEqual(ran.value, 2, "so many ran on the dispatch queue")
    }

    /// Of a queue of the default width, whose workers' turns end all the time and to which others add, one job looks for work.
    /// 56 were found waiting after 1,579 turns.
    func testNoMoreThanOneLooksForWork() {
        let (pool, count, ran) = (HandPool(), 2_000, Lock<[Int]>([]))
        let queue = OperationQueue(pool: pool, clock: ContinuousClock())
        var (most, steps) = (0, 0)
        for index in 0..<count {
            queue.addOperation { ran.withLock { $0.append(index) } }
            if index % 3 != 0 { pool.runFirstWhoseTurnIsOver() }
            if index % 5 == 0 { pool.runFirst() }
            most = max(most, pool.searchCount)
        }
        while pool.count > 0, steps < 10 * count {
            if steps % 4 == 0 { pool.runFirst() } else { pool.runFirstWhoseTurnIsOver() }
            most = max(most, pool.searchCount)
            steps += 1
        }
        XCTAssertEqual(most, 1)
        XCTAssertEqual(ran.withLock { $0 }, Array(0..<count), "The first that was added is claimed first.")
    }

    /// Where the threads are many, a turn may be over before its thread has a processor. The first of an idle queue was one of
    /// many of the default width from then on, and waited for all of those.
    func testAWorkerThatHasJustComeClaimsSomethingWheneverThatIs() {
        let (pool, ran) = (HandPool(), Counter())
        let queue = OperationQueue(pool: pool, clock: ContinuousClock())
        for _ in 0..<2 { queue.addOperation { ran.increase() } }
        XCTAssertEqual(pool.searchCount, 1)
        pool.runFirstWhoseTurnIsOver()
        XCTAssertEqual(pool.count - pool.searchCount, 1, "It has claimed the first.")
        pool.runFirstWhoseTurnIsOver()
        XCTAssertEqual(ran.value, 1)
        XCTAssertEqual(pool.count, pool.searchCount, "Its turn is over, and it has claimed no other.")
        while pool.count > 0 { pool.runFirst() }
        finishes(queue)
    }

    private func makeSerialQueue(on pool: HandPool) -> OperationQueue {
        let queue = OperationQueue(pool: pool, clock: ContinuousClock())
        queue.maxConcurrentOperationCount = 1
        return queue
    }

    private func makeBackgroundBlock() -> BlockOperation {
        let operation = BlockOperation {}
        operation.qualityOfService = .background
        return operation
    }

    /// It comes last among those of its own lane.
    func testAWorkerWhoseTurnIsOverLeavesTheSearchToTheLaneOfWhatComesNext() {
        let pool = HandPool()
        let queue = makeSerialQueue(on: pool)
        queue.addOperations([BlockOperation {}, makeBackgroundBlock()], waitUntilFinished: false)
        for _ in 0..<2 { pool.runFirstWhoseTurnIsOver() }
        XCTAssertEqual(pool.lanes.withLock { $0 }, [.standard, .background])
        while pool.count > 0 { pool.runFirst() }
        finishes(queue)
    }

    /// It may wait for what comes next.
    func testAWorkerThatLeavesASearchToAnotherLaneAsksThereBeforeItLetsGoOfAnything() {
        let (pool, asked) = (HandPool(), Lock<Int?>(nil))
        let queue = makeSerialQueue(on: pool)
        var last: Leaving? = Leaving { asked.withLock { $0 = pool.searchCount } }
        queue.addBarrierBlock { [last] in withExtendedLifetime(last) {} }
        last = nil
        queue.addOperation(makeBackgroundBlock())
        for _ in 0..<2 { pool.runFirstWhoseTurnIsOver() }
        XCTAssertEqual(asked.withLock { $0 }, 1)
        while pool.count > 0 { pool.runFirst() }
        finishes(queue)
    }

    /// It has work of its own lane waiting for its thread.
    func testAWorkerWhoseTurnIsOverBeginsNothingItself() {
        final class Beginning: AsyncOperation, @unchecked Sendable {
            let thread = Lock<pthread_t?>(nil)
            override init() {
                super.init()
                beginsAtOnce()
            }
            override func execute() {
                thread.withLock { $0 = pthread_self() }
                finish()
            }
        }
        for _ in 0..<many(20) {
            let (queue, operation) = (makeQueue(width: 0), Beginning())
            queue.addOperation(operation)
            let turn = WorkerTurn.over(lane: .background, of: ThreadPool.shared)
            XCTAssertNil(queue.core.advance(by: .widthSet(1), in: turn))
            finishes(queue)
            XCTAssertNotEqual(operation.thread.withLock { $0 }, pthread_self())
        }
    }

    /// What it lets go of awaits a task of another queue, which could begin on this thread.
    func testAThreadThatHoldsAClaimBeginsNoOtherTask() {
        let context = ExecutionContext.current
        for _ in 0..<many(200) {
            let (pool, other, ran) = (HandPool(), makeQueue(width: 1), Counter())
            let queue = makeSerialQueue(on: pool)
            queue.addOperation { ran.increase() }
            let came = QueueState.Event.workerCame(queue.core.monitor.withLock { queue.core.state.search })
            let blocks = (0..<500).map { _ in BlockOperation {} }
            let task = TaskOperation { ran.increase() }
            context.claim.hold(queue.core.advance(by: came, in: WorkerTurn(lane: .standard, of: pool)))
            other.addOperations([task] + blocks, waitUntilFinished: false)
            let observation = other.observe { _ in }
            Task.immediateDetached { _ = try? await task.value }
            // Where that took long, the pool has it by now.
            _ = context.claim.take()?.step(in: WorkerTurn(lane: .standard, of: pool))
            // The search, which keeps the queue.
            while pool.count > 0 { pool.runFirst() }
            finishes(queue)
            finishes(other)
            XCTAssertEqual(ran.value, 2)
            withExtendedLifetime(observation) {}
        }
    }

    func testASearchThatIsGivenAwayStaysInItsLane() {
        let pool = HandPool()
        let queue = makeSerialQueue(on: pool)
        queue.addOperation(makeBackgroundBlock())
        WorkerJob.search(queue.core, number: queue.core.monitor.withLock { queue.core.state.search }).giveAway()
        XCTAssertEqual(pool.lanes.withLock { $0 }, [.background, .background])
        while pool.count > 0 { pool.runFirst() }
        finishes(queue)
    }

    /// However many it has to look at, in a turn that is over, too: beside full queues it would come last after each part.
    func testAWorkerThatHasJustComeClaimsTheFirstOfMany() {
        for isTurnOver in [false, true] {
            let (pool, ran) = (HandPool(), Lock<[Int]>([]))
            let queue = OperationQueue(pool: pool, clock: ContinuousClock())
            queue.addBarrierBlock {}
            let operations = (0..<1_000).map { index in BlockOperation { ran.withLock { $0.append(index) } } }
            operations[999].queuePriority = .high
            queue.addOperations(operations, waitUntilFinished: false)
            // The barrier, which leaves the search to others.
            pool.runFirst()
            pool.runFirstWhoseTurnIsOver()
            XCTAssertEqual([pool.count, pool.searchCount], [1, 1])
            if isTurnOver { pool.runFirstWhoseTurnIsOver() } else { pool.runFirst() }
            pool.runFirst()
            XCTAssertEqual(ran.withLock { $0 }, [999])
            while pool.count > 0 { pool.runFirst() }
        }
    }

    /// Also where more have to be looked at than are under one lock.
    func testNothingIsClaimedBeforeItsBlockOfADispatchQueueRuns() {
        let (queue, dispatchQueue, recorder) = (
            makeQueue(width: 1, suspended: true), DispatchQueue(label: "serial"), Recorder()
        )
        let (gate, isSuspended) = (Door(), Door())
        queue.underlyingQueue = dispatchQueue
        queue.executionOrder = .lifo
        queue.addOperations((0..<300).map { block("\($0)", recorder) }, waitUntilFinished: false)
        dispatchQueue.async { gate.pass() }
        queue.isSuspended = false
        dispatchQueue.async {
            queue.isSuspended = true
            recorder.note("suspended")
            isSuspended.open()
        }
        gate.open()
        isSuspended.pass()
        dispatchQueue.sync {}
        XCTAssertEqual(recorder.all.last, "suspended")
        queue.isSuspended = false
        finishes(queue)
    }

    func testAWorkerWhoseOperationHasFinishedEarlierLeavesToo() {
        /// Has something to do after its finish.
        final class Early: AsyncOperation, @unchecked Sendable {
            let afterwards: @Sendable () -> Void
            init(_ afterwards: @escaping @Sendable () -> Void) { self.afterwards = afterwards }
            override func execute() {
                finish()
                afterwards()
            }
        }
        let (pool, mark, ran) = (HandPool(), mark, Counter())
        let (queue, dispatchQueue) = (OperationQueue(pool: pool, clock: ContinuousClock()), makeDispatchQueue())
        queue.addOperation(
            Early { [unowned queue] in
                queue.underlyingQueue = dispatchQueue
                // Its thread is late.
                dispatchQueue.suspend()
                queue.addOperation { if DispatchQueue.getSpecific(key: mark) == true { ran.increase() } }
            })
        while pool.count > 0 { pool.runFirst() }
        dispatchQueue.resume()
        finishes(queue)
        XCTAssertEqual(ran.value, 1, "It ran on the dispatch queue.")
    }
}
