import Foundation
import Operations
import OperationsTesting
import XCTest

@testable import OperationsCore

private func keyed(_ keys: [String], _ work: @escaping @Sendable () -> Void) -> BlockOperation {
    let operation = BlockOperation(block: work)
    operation.exclusionKeys = Set(keys.map { ExclusionKey($0) })
    return operation
}

extension OperationQueue {
    /// How many of its operations were put aside.
    var putAside: Int { operations.count { $0.state.phase == .parked } }
}

/// Mutual exclusion by key across queues.
final class ExclusionTests: XCTestCase {
    func testTheSameKeyNeverRunsTwiceAtOnce() {
        let queues = (0..<3).map { _ in makeQueue(width: 4) }
        let (occupancies, ran) = ([Occupancy(), Occupancy(), Occupancy()], Counter())
        for index in 0..<300 {
            let keys = index % 7 == 0 ? [0, 1, 2] : index % 5 == 0 ? [0, 1] : [index % 3]
            let operation = keyed(keys.map { "k\($0)" }) {
                for key in keys { occupancies[key].enter() }
                sched_yield()
                for key in keys { occupancies[key].leave() }
                ran.increase()
            }
            queues[index % 3].addOperation(operation)
        }
        for queue in queues { finishes(queue) }
        XCTAssertEqual(occupancies.map(\.most), [1, 1, 1])
        XCTAssertEqual(ran.value, 300)
    }

    /// Whoever ends while it is asked whether it may start leaves nothing behind that waits for the key.
    func testOneThatEndsWhileItAsksForItsKeyHoldsUpNobody() {
        final class EndsWhenAsked: AsyncOperation, @unchecked Sendable {
            override var isReady: Bool {
                finish()
                return true
            }
        }
        let (queue, other, ran) = (makeQueue(width: 4), makeQueue(width: 4), Counter())
        func holder() -> ManualOperation {
            let holder = ManualOperation()
            holder.exclusionKeys = [ExclusionKey("a")]
            other.addOperation(holder)
            holder.began.pass()
            return holder
        }
        var held = holder()
        let early = EndsWhenAsked()
        early.exclusionKeys = [ExclusionKey("a")]
        queue.addOperation(early)
        finishes(queue)
        held.finish()
        for round in 1...3 {
            held = holder()
            let late = keyed(["a"]) { ran.increase() }
            queue.addOperation(late)
            eventually("it waits for the key") { late.state.phase == .parked }
            held.finish()
            finishes(queue)
            XCTAssertEqual(ran.value, round)
        }
        finishes(other)
    }

    /// What was woken for a key, and gets a dependency before it asks for the key, lets the next of its queue try. Here it is put
    /// back, since its queue is suspended just then.
    func testOneThatWaitsForADependencyInTheEndHoldsUpNobody() {
        let (pool, other) = (HandPool(), makeQueue(width: 1))
        let queue = OperationQueue(pool: pool, clock: ContinuousClock())
        func runAll() { while pool.count > 0 { pool.runFirst() } }
        let (holder, never, ran) = (ManualOperation(), BlockOperation {}, Flag())
        let (first, second) = (keyed(["a"]) {}, keyed(["a"]) { ran.set() })
        // It is handed over to a thread of that kind.
        first.qualityOfService = .background
        holder.exclusionKeys = [ExclusionKey("a")]
        other.addOperation(holder)
        holder.began.pass()
        queue.addOperations([first, second], waitUntilFinished: false)
        runAll()
        XCTAssertEqual(queue.putAside, 2)
        holder.finish()
        finishes(other)
        eventually("the first was woken") { pool.count > 0 }
        // A worker claims it, and hands it over.
        while first.state.phase != .claimed, pool.count > 0 { pool.runFirst() }
        XCTAssertEqual(first.state.phase, .claimed)
        first.addDependency(never)
        queue.isSuspended = true
        runAll()
        queue.isSuspended = false
        runAll()
        XCTAssertTrue(ran.isSet)
        first.removeDependency(never)
        eventually("the first runs", within: 5) {
            runAll()
            return first.isFinished
        }
    }

    /// The same by chance: the key is given back between the question whether the operation may start, and its being put aside.
    func testADependencyThatComesWhileAKeyIsGivenBackHoldsUpNobody() {
        final class GetsDependency: Operation, @unchecked Sendable {
            let (dependency, wasAsked) = (ManualOperation(), Flag())
            override var isReady: Bool {
                guard super.isReady, !wasAsked.isSet else { return super.isReady }
                addDependency(dependency)
                wasAsked.set()
                return true
            }
        }
        let (queue, other) = (makeQueue(width: 4), makeQueue(width: 4))
        for round in 0..<many(1_500, sanitized: 300) {
            let (holder, first, second) = (ManualOperation(), GetsDependency(), BlockOperation {})
            for operation in [holder, first, second] { operation.exclusionKeys = [ExclusionKey("a")] }
            other.addOperation(holder)
            holder.began.pass()
            queue.isSuspended = true
            queue.addOperations([first, second], waitUntilFinished: false)
            queue.isSuspended = false
            // Sometimes at once, sometimes after a while.
            eventually("it is asked") { first.wasAsked.isSet }
            for _ in 0..<round % 400 { _ = first.wasAsked.isSet }
            holder.finish()
            guard eventually("the key is free, and the next one runs, round \(round)", { second.isFinished }) else {
                break
            }
            first.dependency.start()
            first.dependency.finish()
            finishes(queue)
        }
        finishes(other)
    }

    func testWaitingForAKeyTakesNoPlace() {
        let (queue, other, recorder) = (makeQueue(width: 1), makeQueue(width: 1), Recorder())
        let holder = ManualOperation()
        holder.exclusionKeys = [ExclusionKey("a")]
        queue.addOperation(holder)
        holder.began.pass()
        let waiting = keyed(["a"]) { recorder.note("a") }
        other.addOperation(waiting)
        other.addOperation(block("free", recorder))
        eventually("the free one ran") { recorder.all == ["free"] }
        XCTAssertFalse(waiting.isExecuting)
        holder.finish()
        finishes(other)
        finishes(queue)
        XCTAssertEqual(recorder.all, ["free", "a"])
    }

    func testWaitingForOneKeyHoldsNoOther() {
        let (queue, recorder) = (makeQueue(width: 4), Recorder())
        let holder = ManualOperation()
        holder.exclusionKeys = [ExclusionKey("b")]
        queue.addOperation(holder)
        holder.began.pass()
        queue.addOperation(keyed(["a", "b"]) { recorder.note("both") })
        eventually("it is put aside") { queue.putAside == 1 }
        queue.addOperation(keyed(["a"]) { recorder.note("a") })
        eventually("the other one ran") { recorder.all == ["a"] }
        holder.finish()
        finishes(queue)
        XCTAssertEqual(recorder.all, ["a", "both"])
    }

    func testAnOrderThatChangesIsThatOfThoseWhoWaitForAKey() {
        for count in [3, 40] {
            let (queue, recorder) = (makeQueue(width: 1), Recorder())
            let holder = ManualOperation()
            holder.exclusionKeys = [ExclusionKey("a")]
            queue.addOperation(holder)
            holder.began.pass()
            queue.maxConcurrentOperationCount = 2
            for index in 0..<count { queue.addOperation(keyed(["a"]) { recorder.note("\(index)") }) }
            eventually("all wait") { queue.putAside == count }
            queue.executionOrder = .lifo
            // These come in the new order, into the same line.
            for index in count..<2 * count { queue.addOperation(keyed(["a"]) { recorder.note("\(index)") }) }
            eventually("all wait") { queue.putAside == 2 * count }
            holder.finish()
            finishes(queue)
            XCTAssertEqual(recorder.all, (0..<2 * count).reversed().map { "\($0)" })
        }
    }

    private typealias State = ExclusionState<Int, String>

    /// Drives the state by small numbers in place of operations.
    private struct Driver {
        var state = State()
        private let marks = (0..<6).map { _ in Counter() }

        mutating func ask(_ index: Int, _ queue: Any.Type, level: UInt8 = 2, _ keys: [String] = ["a"]) -> (Bool, [Int])
        {
            let rank = ExclusionLine.Rank(level: level, sequence: UInt64(index))
            let result = state.acquire(
                keys, for: ObjectIdentifier(marks[index]), of: ObjectIdentifier(queue), rank, .fifo, index)
            return (result.isAcquired, result.woken.map(\.waiter))
        }

        mutating func release(_ index: Int) -> [State.Woken] { state.release(of: ObjectIdentifier(marks[index])) }

        mutating func decline(_ index: Int) -> [Int] {
            state.decline(ObjectIdentifier(marks[index])).map(\.waiter)
        }
    }

    func testNothingIsLeftOfWaitersThatWereCancelled() {
        var driver = Driver()
        XCTAssertTrue(driver.ask(1, Recorder.self) == (true, []))
        XCTAssertTrue(driver.ask(2, Recorder.self) == (false, []))
        XCTAssertTrue(driver.release(2).isEmpty)
        XCTAssertFalse(driver.state.isEmpty)
        XCTAssertTrue(driver.release(1).isEmpty)
        XCTAssertTrue(driver.state.isEmpty)
    }

    /// One of a queue is woken at a time, and whoever does not ask passes on what it was woken for.
    func testTheFirstOfAQueueIsWokenAndPassesOn() {
        var driver = Driver()
        XCTAssertTrue(driver.ask(0, Recorder.self) == (true, []))
        for index in [2, 1] { XCTAssertTrue(driver.ask(index, Recorder.self) == (false, [])) }
        XCTAssertTrue(driver.ask(4, Recorder.self, level: 3) == (false, []))
        XCTAssertEqual(driver.release(0).map(\.waiter), [4])
        XCTAssertEqual(driver.decline(4), [1])
        XCTAssertTrue(driver.ask(3, Door.self) == (true, []), "Whoever asks for a key that is free has it.")
        XCTAssertTrue(driver.ask(1, Recorder.self) == (false, []))
        XCTAssertEqual(driver.release(3).map(\.waiter), [1])
        XCTAssertTrue(driver.ask(5, Recorder.self, ["b"]) == (true, []))
        XCTAssertTrue(
            driver.ask(1, Recorder.self, ["b"]) == (false, [2]), "It asks for another, and the next may try.")
        XCTAssertTrue(driver.ask(2, Recorder.self) == (true, []))
        for index in [1, 2, 5] { _ = driver.release(index) }
        XCTAssertTrue(driver.state.isEmpty)
    }

    /// One queue is woken at a time; it may be suspended, and then the next one's turn comes.
    func testQueuesAreWokenInTurn() {
        var driver = Driver()
        XCTAssertTrue(driver.ask(0, Gate.self) == (true, []))
        XCTAssertTrue(driver.ask(1, Recorder.self) == (false, []))
        XCTAssertTrue(driver.ask(2, Door.self) == (false, []))
        XCTAssertTrue(driver.ask(3, Counter.self) == (false, []))
        let first = driver.release(0)
        XCTAssertEqual(first.map(\.waiter), [1])
        XCTAssertEqual(first[0].passed, "a")
        let second = driver.state.pass("a")
        XCTAssertEqual(second.map(\.waiter), [2])
        XCTAssertEqual(second[0].passed, "a")
        XCTAssertTrue(driver.ask(2, Door.self) == (true, []))
        XCTAssertTrue(driver.state.pass("a").isEmpty, "It is another's now.")
        XCTAssertTrue(driver.ask(1, Recorder.self) == (false, []))
        // The third queue is before the first, which has had its turn.
        let third = driver.release(2)
        XCTAssertEqual(third.map(\.waiter), [3])
        XCTAssertEqual(driver.decline(3), [])
        let last = driver.state.pass("a")
        XCTAssertEqual(last.map(\.waiter), [1])
        XCTAssertNil(last[0].passed, "Nobody is left.")
        XCTAssertTrue(driver.ask(1, Recorder.self) == (true, []))
        XCTAssertTrue(driver.release(1).isEmpty)
        XCTAssertTrue(driver.state.isEmpty)
    }

    /// A queue that was woken and cannot start anything does not keep the others from the key.
    func testASuspendedQueueKeepsNobodyFromAKey() {
        let (suspended, full, free) = (makeQueue(width: 1), makeQueue(width: 1), makeQueue(width: 1))
        let (recorder, holder, long) = (Recorder(), ManualOperation(), ManualOperation())
        holder.exclusionKeys = [ExclusionKey("kept")]
        OperationQueue().addOperation(holder)
        holder.began.pass()
        for (queue, name) in [(suspended, "suspended"), (full, "full"), (free, "free")] {
            queue.addOperation(keyed(["kept"]) { recorder.note(name) })
            eventually("it is put aside") { queue.putAside == 1 }
        }
        suspended.isSuspended = true
        full.addOperation(long)
        long.began.pass()
        holder.finish()
        eventually("the key comes round", within: 10) { recorder.all == ["free"] }
        long.finish()
        eventually("the key comes round", within: 10) { recorder.all == ["free", "full"] }
        suspended.isSuspended = false
        for queue in [suspended, full, free] { finishes(queue) }
        XCTAssertEqual(recorder.all, ["free", "full", "suspended"])
    }

    /// Counts how often it is asked whether it is ready.
    private final class Asked: Operation, @unchecked Sendable {
        let asked: Counter
        init(_ key: String, _ asked: Counter) {
            self.asked = asked
            super.init()
            exclusionKeys = [ExclusionKey(key)]
        }
        override var isReady: Bool {
            asked.increase()
            return super.isReady
        }
        override func main() { usleep(1_000) }
    }

    /// Each asks a few times, however many wait and however long each one works.
    func testWaitersAreNotAskedInVain() {
        let (queue, asked) = (makeQueue(width: 2), Counter())
        for _ in 0..<200 { queue.addOperation(Asked("asked", asked)) }
        finishes(queue)
        XCTAssertLessThan(asked.value, 1_000)
    }

    /// However many queues they are in, too.
    func testWaitersOfManyQueuesAreNotAskedInVain() {
        let (queues, asked) = ((0..<400).map { _ in makeQueue(width: 1) }, Counter())
        for queue in queues { for _ in 0..<2 { queue.addOperation(Asked("of many", asked)) } }
        for queue in queues { finishes(queue) }
        XCTAssertLessThan(asked.value, 8_000)
    }

    func testKeysThatAreChangedWhileItRunsOrWaits() {
        let (queue, recorder) = (makeQueue(width: 4), Recorder())
        let holder = ManualOperation()
        holder.exclusionKeys = [ExclusionKey("a")]
        queue.addOperation(holder)
        holder.began.pass()
        let (changed, waiting) = (keyed(["a"]) { recorder.note("changed") }, keyed(["a"]) { recorder.note("waiting") })
        queue.addOperations([changed, waiting], waitUntilFinished: false)
        eventually("they are put aside") { queue.putAside == 2 }
        changed.exclusionKeys = [ExclusionKey("b")]
        eventually("its new key is free", within: 10) { recorder.all == ["changed"] }
        holder.exclusionKeys = [ExclusionKey("c")]
        let new = keyed(["a"]) { recorder.note("new") }
        new.queuePriority = .low
        queue.addOperation(new)
        eventually("it is put aside, too") { queue.putAside == 2 }
        XCTAssertEqual(recorder.all, ["changed"])
        queue.addOperation(keyed(["c"]) { recorder.note("other") })
        eventually("the key that it has not taken is free", within: 10) { recorder.all == ["changed", "other"] }
        holder.finish()
        finishes(queue)
        XCTAssertEqual(recorder.all, ["changed", "other", "waiting", "new"])
    }

    func testAPriorityThatIsRaisedWhileItWaitsCounts() {
        let (queue, recorder) = (makeQueue(width: 4), Recorder())
        let holder = ManualOperation()
        holder.exclusionKeys = [ExclusionKey("a")]
        queue.addOperation(holder)
        holder.began.pass()
        let waiting = (0..<6).map { index in keyed(["a"]) { recorder.note("\(index)") } }
        queue.addOperations(waiting, waitUntilFinished: false)
        eventually("all are put aside") { queue.putAside == 6 }
        waiting[4].queuePriority = .high
        waiting[5].raisePriority(to: .veryHigh)
        eventually("all are put aside") { queue.putAside == 6 }
        queue.maxConcurrentOperationCount = 1
        holder.finish()
        finishes(queue)
        XCTAssertEqual(recorder.all, ["5", "4", "0", "1", "2", "3"])
    }

    func testWaitersOfOneQueueComeByPriorityAndInTheOrderOfAdding() {
        let (queue, recorder) = (makeQueue(width: 4), Recorder())
        let holder = ManualOperation()
        holder.exclusionKeys = [ExclusionKey("a")]
        queue.addOperation(holder)
        holder.began.pass()
        let waiting = (0..<6).map { index in keyed(["a"]) { recorder.note("\(index)") } }
        waiting[4].queuePriority = .high
        queue.addOperations(waiting, waitUntilFinished: false)
        eventually("all are put aside") { queue.putAside == 6 }
        queue.maxConcurrentOperationCount = 1
        holder.finish()
        finishes(queue)
        XCTAssertEqual(recorder.all, ["4", "0", "1", "2", "3", "5"])
    }

    /// A queue that always has work for a key must not keep another from it for good.
    func testAKeyComesRoundToEveryQueue() {
        let (busy, other) = (makeQueue(width: 2), makeQueue(width: 1))
        let (ran, isOver) = (Counter(), Lock(false))
        @Sendable func refill() {
            busy.addOperation(
                keyed(["a"]) {
                    if !isOver.withLock({ $0 }) { refill() }
                })
        }
        for _ in 0..<4 { refill() }
        for _ in 0..<20 { other.addOperation(keyed(["a"]) { ran.increase() }) }
        finishes(other)
        XCTAssertEqual(ran.value, 20)
        isOver.withLock { $0 = true }
        finishes(busy)
    }

    func testCancelledWhileItWaits() {
        let (queue, recorder) = (makeQueue(width: 2), Recorder())
        let holder = ManualOperation()
        holder.exclusionKeys = [ExclusionKey(7)]
        queue.addOperation(holder)
        holder.began.pass()
        let waiting = BlockOperation { recorder.note("ran") }
        waiting.exclusionKeys = [ExclusionKey(7)]
        queue.addOperation(waiting)
        waiting.cancel()
        eventually("the waiting one finished") { waiting.isFinished }
        XCTAssertFalse(holder.isFinished)
        holder.finish()
        finishes(queue)
        XCTAssertEqual(recorder.all, [])
    }

    func testEveryInterleavingEnds() {
        for seed in 1...100 as ClosedRange<UInt64> {
            let scheduler = SeededScheduler(seed: seed)
            let (queues, ran) = ([scheduler.makeQueue(), scheduler.makeQueue()], Counter())
            let operations = (0..<12).map { index in keyed(["s\(index % 2)", "t\(index % 3)"]) { ran.increase() } }
            // Against the order of adding: who waits for a key must not keep what it waits for from it.
            operations[0].addDependency(operations[6])
            operations[1].addDependency(operations[7])
            for (index, operation) in operations.enumerated() { queues[index % 2].addOperation(operation) }
            scheduler.run()
            XCTAssertEqual(ran.value, 12, "seed \(seed)")
        }
    }
}
