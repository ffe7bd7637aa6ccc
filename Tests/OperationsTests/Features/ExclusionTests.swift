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
        let (first, second) = (Counter(), Counter())
        let keys: Set = [ExclusionKey("a")]
        XCTAssertTrue(state.acquire(keys, for: ObjectIdentifier(first), 1))
        XCTAssertFalse(state.acquire(keys, for: ObjectIdentifier(second), 2))
        let cancelled = state.release(keys, of: ObjectIdentifier(second))
        XCTAssertEqual(cancelled.forgotten, [2])
        XCTAssertEqual(cancelled.woken, [])
        XCTAssertFalse(state.isEmpty)
        let finished = state.release(keys, of: ObjectIdentifier(first))
        XCTAssertEqual(finished.woken, [])
        XCTAssertTrue(state.isEmpty)
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
