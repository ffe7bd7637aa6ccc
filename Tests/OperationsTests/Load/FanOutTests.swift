import Operations
import Synchronization
import XCTest

/// One operation that very many wait for.
final class FanOutTests: XCTestCase {
    /// Whoever uses the queue meanwhile waits for a part of it only.
    func testItsEndHoldsNobodyUpForLong() {
        let shares = (0..<3).lazy.map { [self] _ in longestWait(many(60_000, long: 1_000_000, sanitized: 20_000)) }
        XCTAssertLessThan(shares.first { $0 < 0.3 } ?? 1, 0.3, "of the time that it takes to tell all")
    }

    /// The longest that reading a property of the queue takes while one with `count` dependents ends, as a part of the whole.
    private func longestWait(_ count: Int) -> Double {
        let (queue, end) = (makeQueue(width: 2), Door())
        let isOver = Atomic(false)
        let source = BlockOperation { end.pass() }
        let last = BlockOperation { isOver.store(true, ordering: .relaxed) }
        var dependents = (0..<count).map { _ in BlockOperation {} }
        for dependent in dependents + [last] { dependent.addDependency(source) }
        last.queuePriority = .veryHigh
        queue.addOperations([source, last] + dependents, waitUntilFinished: false)
        let share = shareOfLongestWait(for: queue, from: end.open) { isOver.load(ordering: .relaxed) }
        queue.cancelAllOperations()
        finishes(queue, within: 300)
        dependents = []
        return share
    }

    /// Also where they are too many to be told at once: by priority, then as they were added, before what was added later.
    func testThoseThatWaitForItStartInTheirOrder() {
        let (queue, end, order) = (makeQueue(width: 1), Door(), Recorder())
        let source = BlockOperation { end.pass() }
        let dependents = (0..<500).map { index in BlockOperation { order.note("\(index)") } }
        for index in dependents.indices.shuffled() { dependents[index].addDependency(source) }
        dependents[321].queuePriority = .high
        queue.addOperations([source] + dependents, waitUntilFinished: false)
        queue.addOperation { order.note("later") }
        end.open()
        finishes(queue)
        XCTAssertEqual(order.all, ["321"] + (0..<500).filter { $0 != 321 }.map { "\($0)" } + ["later"])
    }

    /// Those of other queues, and those that are cancelled with it, too.
    func testItReachesAllQueues() {
        let queues = [makeQueue(width: 1), makeQueue(width: 4), makeQueue(width: -1)]
        let (end, ran) = (Door(), Counter())
        let source = BlockOperation { end.pass() }
        let dependents = (0..<900).map { index in
            let dependent = BlockOperation { ran.increase() }
            dependent.addDependency(source)
            if index % 10 == 0 { dependent.cancelsWhenDependencyFails = true }
            queues[index % 3].addOperation(dependent)
            return dependent
        }
        queues[0].addOperation(source)
        eventually { source.isExecuting }
        source.cancel()
        end.open()
        for queue in queues { finishes(queue) }
        XCTAssertTrue(dependents.allSatisfy { $0.isFinished })
        XCTAssertEqual(ran.value, 810)
        XCTAssertEqual(dependents.filter { $0.isCancelled }.count, 90)
    }
}
