import Foundation
import Operations
import OperationsTesting
import XCTest

@testable import OperationsCore

/// What costs the same for each operation, whatever their number.
final class LinearCostTests: XCTestCase {
    /// The best of some tries at `few` and at `many`, for each operation; in processor time, which others on the machine
    /// change little.
    private func assertLinear(
        _ few: Int, _ many: Int, atMost factor: Double = 5, file: StaticString = #filePath, line: UInt = #line,
        _ body: (Int) -> Void
    ) {
        func cost(_ count: Int) -> Double {
            (0..<3).map { _ in
                let start = processorMilliseconds()
                body(count)
                return (processorMilliseconds() - start) / Double(count)
            }.min() ?? 0
        }
        let (cheap, dear) = (cost(few), cost(many))
        XCTAssertLessThan(
            dear, cheap * factor, "\(cheap * 1_000) us each of \(few), \(dear * 1_000) us each of \(many)", file: file,
            line: line)
    }

    /// The process's, in which POSIX counts microseconds. Not by a `timespec`: where another file of the target imports
    /// Synchronization, its members are said to need an import that nobody can write.
    private func processorMilliseconds() -> Double { Double(clock()) / 1_000 }

    /// Those who want the same come, hurry, and leave in the order in which they came.
    func testHoldersOfSharedWork() {
        assertLinear(200, 6_000) { count in
            let texts = TextTables(queue: makeQueue(width: 1, suspended: true))
            let holds = (0..<count).compactMap { _ in texts.hold("a", 1) }
            for hold in holds {
                hold.start {}
                hold.setPriority(.high)
            }
            for hold in holds { hold.cancel() }
            XCTAssertEqual(texts.count, 0)
            texts.queue.isSuspended = false
            finishes(texts.queue)
        }
    }

    func testExclusionKeys() {
        assertLinear(200, 4_000) { count in
            let (queue, other, holder) = (makeQueue(width: 2), makeQueue(width: 1), ManualOperation())
            let operations = (0..<count).map { _ in BlockOperation {} }
            for operation in operations + [holder] { operation.exclusionKeys = [ExclusionKey("one")] }
            other.addOperation(holder)
            holder.began.pass()
            queue.addOperations(operations, waitUntilFinished: false)
            eventually("all wait for the key") { operations.allSatisfy { $0.state.phase == .parked } }
            holder.finish()
            finishes(queue)
        }
    }

    /// However many keys there are, an order that changes holds the lock of all queues for a moment only.
    func testChangingTheOrderBesideManyKeys() {
        final class Waiter {}
        let (queue, holder, waiters) = (Waiter(), Waiter(), (0..<100_000).map { _ in Waiter() })
        var state = ExclusionState<Int, Int>()
        func acquire(_ keys: [Int], _ waiter: Waiter) {
            let rank = ExclusionLine.Rank(level: 2, sequence: UInt64(keys[0]))
            _ = state.acquire(keys, for: ObjectIdentifier(waiter), of: ObjectIdentifier(queue), rank, .fifo, keys[0])
        }
        acquire(Array(waiters.indices), holder)
        for (key, waiter) in waiters.enumerated() { acquire([key], waiter) }
        let start = processorMilliseconds()
        for _ in 0..<100 {
            for order in [ExecutionOrder.lifo, .fifo] { state.setOrder(order, of: ObjectIdentifier(queue)) }
        }
        XCTAssertLessThan(processorMilliseconds() - start, 1_000)
    }

    /// Rows that each observe the same photo, say, and leave in the order in which they came.
    func testObserversOfOneOperation() {
        assertLinear(500, 20_000) { count in
            let (operation, told) = (BlockOperation {}, Counter())
            let stay = (0..<count).map { _ in operation.observe { _ in told.increase() } }
            let leave = (0..<count).map { _ in operation.observe { _ in } }
            for token in leave { token.invalidate() }
            operation.start()
            XCTAssertEqual(told.value, 2 * count)
            withExtendedLifetime(stay) {}
        }
    }

    /// Each operation awaits one of the next queue, and that of the last queue one of the first.
    func testTheSearchForWaitsInARingOfQueues() {
        assertLinear(20, 400) { width in
            let queues = (0..<3).map { _ in makeQueue(width: width) }
            let began = Counter()
            for (index, queue) in queues.enumerated() {
                let next = queues[(index + 1) % queues.count]
                for _ in 0..<width {
                    queue.addTask {
                        began.increase()
                        while began.value < width * queues.count { await Task.yield() }
                        _ = await next.addTask {}.result
                    }
                }
            }
            eventually("all wait") { queues.allSatisfy { $0.diagnostics.issues.count == width } }
            for queue in queues { queue.maxConcurrentOperationCount = 2 * width }
            for queue in queues { finishes(queue) }
        }
    }

    func testObserversThatCease() {
        assertLinear(200, 6_000) { count in
            let queue = OperationQueue()
            var tokens = (0..<count).map { _ in queue.observe { _ in } }
            while tokens.popLast() != nil {}
        }
    }

    func testQueuesOfASeededScheduler() {
        assertLinear(100, 2_000) { count in
            let scheduler = SeededScheduler(seed: 1)
            for _ in 0..<count { scheduler.makeQueue().addOperation {} }
            XCTAssertGreaterThanOrEqual(scheduler.run(), count)
        }
    }

    func testDiagnosticsOfManyBarriers() {
        assertLinear(200, 4_000) { count in
            let queue = makeQueue(width: 1, suspended: true)
            var last: Operation?
            for _ in 0..<count {
                let operation = BlockOperation {}
                if let last { operation.addDependency(last) }
                last = operation
                queue.addOperation(operation)
                queue.addBarrierBlock {}
            }
            XCTAssertEqual(queue.diagnostics.issues, [])
            queue.isSuspended = false
            finishes(queue)
        }
    }

    func testBarriers() {
        assertLinear(5_000, 200_000) { count in
            let queue = makeQueue(width: 1, suspended: true)
            for _ in 0..<count { queue.addBarrierBlock {} }
            queue.isSuspended = false
            finishes(queue)
        }
    }

    /// As when each of many waits for its own link.
    func testRaisingThePriorityOfEachInAChain() {
        assertLinear(250, 4_000) { count in
            let chain = (0..<count).map { _ in BlockOperation {} }
            for (operation, next) in zip(chain, chain.dropFirst()) { next.addDependency(operation) }
            for operation in chain { operation.raisePriority(to: .high) }
            XCTAssertEqual(chain[0].queuePriority, .high)
        }
    }

    /// A dependency that comes later is raised too.
    func testALaterDependencyIsRaised() {
        let (first, second, late, latest) = (BlockOperation {}, BlockOperation {}, BlockOperation {}, BlockOperation {})
        second.addDependency(first)
        second.raisePriority(to: .high)
        late.addDependency(latest)
        first.addDependency(late)
        second.raisePriority(to: .high)
        for operation in [first, late, latest] { XCTAssertEqual(operation.queuePriority, .high) }
        second.raisePriority(to: .veryHigh)
        for operation in [first, late, latest] { XCTAssertEqual(operation.queuePriority, .veryHigh) }
    }

    /// Layers in which each operation waits for all of the layer before: the paths double with each.
    func testLookingForAWaitThatNeverEnds() {
        let (queue, end) = (makeQueue(width: 2), Door())
        let running = BlockOperation { end.pass() }
        queue.addOperation(running)
        var layer: [Operation] = [running]
        for _ in 0..<60 {
            let next = (0..<2).map { _ in BlockOperation {} }
            for operation in next { layer.forEach(operation.addDependency) }
            queue.addOperations(next, waitUntilFinished: false)
            layer = next
        }
        let (clock, start) = (ThreadClock(), ThreadClock().used)
        var search = EndlessWait()
        XCTAssertFalse(search.isEndless(for: layer[0]))
        XCTAssertLessThan(Double(clock.used - start) / 1_000_000, 100, "milliseconds of computing")
        end.open()
        finishes(queue)
    }

    /// Queues of which each waits for the next: what holds one of them up is found out once for all.
    func testLookingIntoTheWaitsOfManyQueues() {
        let clock = ThreadClock()
        func cost(_ count: Int) -> Double {
            let (gate, queues) = (Gate(), (0..<count).map { _ in makeQueue(width: 1) })
            var last = queues[0].addTask { await gate.pass() }
            for queue in queues.dropFirst() { last = queue.addTask { [last] in try await last.value } }
            eventually("all of them wait") { queues.dropFirst().allSatisfy { !$0.core.holds.targets.isEmpty } }
            let start = clock.used
            for _ in 0..<4 { WaitWatch.look() }
            let used = Double(clock.used - start) / Double(count)
            gate.open()
            for queue in queues { finishes(queue) }
            return used
        }
        let (cheap, dear) = (cost(20), cost(1_000))
        XCTAssertLessThan(dear, cheap * 5, "nanoseconds for each of 1,000 queues, and for each of 20")
    }

    /// Where no limit is reached, and where it is said that there is none.
    func testTasksWithTimeLimitsLeaveNothingBehind() async throws {
        let queue = makeQueue(width: 2)
        for limit in [Duration.seconds(3_600), .seconds(Int64.max)] {
            func makeTasks(_ count: Int) async {
                for _ in 0..<count / 1_000 {
                    let tasks = (0..<1_000).map { _ in
                        queue.addTask(limits: TimeLimits(attempt: limit, total: limit)) {}
                    }
                    for task in tasks { _ = await task.result }
                }
            }
            await makeTasks(5_000)
            let before = try residentMegabytes()
            await makeTasks(many(50_000, long: 200_000))
            let grown = try residentMegabytes() - before
            XCTAssertLessThan(grown, 20, "with a limit of \(limit)")
        }
    }

    private func residentMegabytes() throws -> Double {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try XCTUnwrap(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try XCTUnwrap(line.split(separator: " ").dropFirst().first.flatMap { Double($0) }) / 1_024
    }
}
