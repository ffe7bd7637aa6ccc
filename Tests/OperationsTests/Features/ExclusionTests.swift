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
        eventually("it is put aside") { queue.diagnostics.issues.count == 1 }
        queue.addOperation(keyed(["a"]) { recorder.note("a") })
        eventually("the other one ran") { recorder.all == ["a"] }
        holder.finish()
        finishes(queue)
        XCTAssertEqual(recorder.all, ["a", "both"])
    }

    func testNothingIsLeftOfWaitersThatWereCancelled() {
        var state = ExclusionState<Int>()
        let (first, second, queue) = (Counter(), Counter(), ObjectIdentifier(Recorder.self))
        let rank = ExclusionLine.Rank(level: 2, sequence: 1)
        let keys: Set = [ExclusionKey("a")]
        XCTAssertTrue(state.acquire(keys, for: ObjectIdentifier(first), of: queue, rank, 1).isAcquired)
        XCTAssertFalse(state.acquire(keys, for: ObjectIdentifier(second), of: queue, rank, 2).isAcquired)
        XCTAssertEqual(state.release(of: ObjectIdentifier(second)), [])
        XCTAssertFalse(state.isEmpty)
        XCTAssertEqual(state.release(of: ObjectIdentifier(first)), [])
        XCTAssertTrue(state.isEmpty)
    }

    /// One is woken at a time, and whoever does not ask passes on what it was woken for.
    func testTheFirstOfEachQueueIsWokenAndPassesOn() {
        var state = ExclusionState<Int>()
        let marks = (0..<6).map { _ in Counter() }
        let (one, other) = (ObjectIdentifier(Recorder.self), ObjectIdentifier(Door.self))
        func ask(_ index: Int, _ queue: ObjectIdentifier, _ keys: Set<ExclusionKey> = [ExclusionKey("a")]) -> (
            Bool, [Int]
        ) {
            let rank = ExclusionLine.Rank(level: index == 4 ? 3 : 2, sequence: UInt64(index))
            let result = state.acquire(keys, for: ObjectIdentifier(marks[index]), of: queue, rank, index)
            return (result.isAcquired, result.woken)
        }
        XCTAssertTrue(ask(0, one) == (true, []))
        for index in [2, 1, 4] { XCTAssertTrue(ask(index, one) == (false, [])) }
        XCTAssertTrue(ask(3, other) == (false, []))
        XCTAssertEqual(Set(state.release(of: ObjectIdentifier(marks[0]))), [4, 3])
        XCTAssertEqual(state.decline(ObjectIdentifier(marks[4])), [1])
        XCTAssertTrue(ask(3, other) == (true, []))
        XCTAssertTrue(ask(1, one) == (false, []), "The key is another's now.")
        XCTAssertEqual(state.release(of: ObjectIdentifier(marks[3])), [1])
        XCTAssertTrue(ask(5, one, [ExclusionKey("b")]) == (true, []))
        XCTAssertTrue(ask(1, one, [ExclusionKey("b")]) == (false, [2]), "It asks for another, and the next may try.")
        XCTAssertTrue(ask(2, one) == (true, []))
        for index in [1, 2, 5] { _ = state.release(of: ObjectIdentifier(marks[index])) }
        XCTAssertTrue(state.isEmpty)
    }

    /// Each asks a few times, however many wait and however long each one works.
    func testWaitersAreNotAskedInVain() {
        final class Asked: Operation, @unchecked Sendable {
            static let asked = Counter()
            override var isReady: Bool {
                Asked.asked.increase()
                return super.isReady
            }
            override func main() { usleep(1_000) }
        }
        let queue = makeQueue(width: 2)
        for _ in 0..<200 {
            let operation = Asked()
            operation.exclusionKeys = [ExclusionKey("asked")]
            queue.addOperation(operation)
        }
        finishes(queue)
        XCTAssertLessThan(Asked.asked.value, 1_000)
    }

    func testKeysThatAreChangedWhileItRunsOrWaits() {
        let (queue, recorder) = (makeQueue(width: 4), Recorder())
        let holder = ManualOperation()
        holder.exclusionKeys = [ExclusionKey("a")]
        queue.addOperation(holder)
        holder.began.pass()
        let (changed, waiting) = (keyed(["a"]) { recorder.note("changed") }, keyed(["a"]) { recorder.note("waiting") })
        queue.addOperations([changed, waiting], waitUntilFinished: false)
        eventually("they are put aside") { queue.diagnostics.issues.count == 2 }
        changed.exclusionKeys = [ExclusionKey("b")]
        eventually("its new key is free", within: 10) { recorder.all == ["changed"] }
        holder.exclusionKeys = []
        let new = keyed(["a"]) { recorder.note("new") }
        new.queuePriority = .low
        queue.addOperation(new)
        eventually("it is put aside, too") { queue.diagnostics.issues.count == 2 }
        XCTAssertEqual(recorder.all, ["changed"])
        holder.finish()
        finishes(queue)
        XCTAssertEqual(recorder.all, ["changed", "waiting", "new"])
    }

    func testAPriorityThatIsRaisedWhileItWaitsCounts() {
        let (queue, recorder) = (makeQueue(width: 4), Recorder())
        let holder = ManualOperation()
        holder.exclusionKeys = [ExclusionKey("a")]
        queue.addOperation(holder)
        holder.began.pass()
        let waiting = (0..<6).map { index in keyed(["a"]) { recorder.note("\(index)") } }
        queue.addOperations(waiting, waitUntilFinished: false)
        eventually("all are put aside") { queue.diagnostics.issues.count == 6 }
        waiting[4].queuePriority = .high
        waiting[5].raisePriority(to: .veryHigh)
        eventually("all are put aside") { queue.diagnostics.issues.count == 6 }
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
        eventually("all are put aside") { queue.diagnostics.issues.count == 6 }
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
