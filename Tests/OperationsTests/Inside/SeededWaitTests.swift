import Foundation
import Operations
import OperationsTesting
import XCTest

/// Operations of a `SeededScheduler` that wait for others of it.
final class SeededWaitTests: XCTestCase {
    private let seeds = 0..<40 as Range<UInt64>

    /// On one stack the second would wait for what is below it there.
    func testOneWaitsForOneThatWaits() {
        for seed in seeds {
            let scheduler = SeededScheduler(seed: seed)
            let queue = scheduler.makeQueue()
            queue.maxConcurrentOperationCount = 4
            let last = BlockOperation {}
            let middle = BlockOperation { last.waitUntilFinished() }
            let first = BlockOperation { middle.waitUntilFinished() }
            queue.addOperations([middle, first, last], waitUntilFinished: false)
            scheduler.run()
            XCTAssertTrue(first.isFinished && middle.isFinished && last.isFinished, "seed \(seed)")
        }
    }

    func testOneWaitsForTheQueueOfOneThatWaits() {
        for seed in seeds {
            let scheduler = SeededScheduler(seed: seed)
            let (queue, other) = (scheduler.makeQueue(), scheduler.makeQueue())
            let last = BlockOperation {}
            queue.addOperation { last.waitUntilFinished() }
            other.addOperation { queue.waitUntilAllOperationsAreFinished() }
            queue.addOperation(last)
            scheduler.run()
            XCTAssertEqual(queue.operationCount + other.operationCount, 0, "seed \(seed)")
        }
    }

    /// Each of them ends before those that wait for it go on, and the same seed is the same order.
    func testManyWaits() {
        var orders: Set<[String]> = []
        for seed in seeds {
            let order = orderOfWaits(seed: seed)
            XCTAssertEqual(order, orderOfWaits(seed: seed), "seed \(seed)")
            orders.insert(order)
            for index in 0..<9 where index % 3 != 0 {
                let (own, awaited) = (order.firstIndex(of: "\(index)"), order.firstIndex(of: "\(index - 1)"))
                XCTAssertGreaterThan(own ?? -1, awaited ?? .max, "seed \(seed)")
            }
        }
        XCTAssertGreaterThan(orders.count, 10)
    }

    private func orderOfWaits(seed: UInt64) -> [String] {
        let (scheduler, recorder) = (SeededScheduler(seed: seed), Recorder())
        let queues = [scheduler.makeQueue(), scheduler.makeQueue()]
        var operations: [BlockOperation] = []
        for index in 0..<9 {
            let awaited = index % 3 == 0 ? nil : operations[index - 1]
            operations.append(
                BlockOperation {
                    awaited?.waitUntilFinished()
                    recorder.note("\(index)")
                })
        }
        for (index, operation) in operations.enumerated().reversed() { queues[index % 2].addOperation(operation) }
        let task = queues[0].addTask {
            await Task.yield()
            recorder.note("task")
        }
        queues[1].addBarrierBlock { task.waitUntilFinished() }
        scheduler.run()
        XCTAssertEqual(queues.map(\.operationCount), [0, 0], "seed \(seed)")
        return recorder.all
    }

    /// One block of an operation waits, and the others are run meanwhile; the operation ends after all of them.
    func testBlocksOfOneOperationThatWait() {
        for seed in seeds {
            let (scheduler, ran) = (SeededScheduler(seed: seed), Counter())
            let queue = scheduler.makeQueue()
            let awaited = (0..<3).map { _ in BlockOperation {} }
            let operation = BlockOperation {}
            for each in awaited {
                operation.addExecutionBlock {
                    each.waitUntilFinished()
                    ran.increase()
                }
            }
            operation.completionBlock = { XCTAssertEqual(ran.value, 3, "seed \(seed)") }
            queue.addOperation(operation)
            queue.addOperations(awaited, waitUntilFinished: true)
            scheduler.run()
            XCTAssertTrue(operation.isFinished, "seed \(seed)")
        }
    }

    /// An observer waits while it is told of something: it holds up no step.
    func testAnObserverThatWaits() {
        for seed in seeds {
            let (scheduler, told) = (SeededScheduler(seed: seed), Recorder())
            let queue = scheduler.makeQueue()
            let (first, second) = (block("first", told), block("second", told))
            let token = queue.observe { event in
                if event.kind == .added, event.operation === first { second.waitUntilFinished() }
                if event.kind == .finished { told.note("told") }
            }
            queue.addOperation(first)
            queue.addOperation(second)
            scheduler.run()
            XCTAssertEqual(told.all.filter { $0 == "told" }.count, 2, "seed \(seed)")
            token.invalidate()
        }
    }

    /// An observer that was told of something on the scheduler's own thread waits there, while the trace is stopped: that ends what
    /// the observer waits for.
    func testATraceThatIsStoppedWhileAnObserverWaits() {
        for seed in 0..<120 as Range<UInt64> {
            let scheduler = SeededScheduler(seed: seed)
            let queue = scheduler.makeQueue()
            let (first, second, third) = (BlockOperation {}, BlockOperation {}, BlockOperation {})
            let waiting = BlockOperation { first.waitUntilFinished() }
            let token = queue.observe { event in
                if event.kind == .finished, event.operation === first { second.waitUntilFinished() }
            }
            let trace = OperationTrace(of: [queue])
            queue.addOperations([waiting, first, second, third], waitUntilFinished: false)
            for _ in 0..<seed % 6 { scheduler.step() }
            trace.stop()
            scheduler.run()
            XCTAssertEqual(queue.operationCount, 0, "seed \(seed)")
            token.invalidate()
        }
    }

    /// The log names the wait, and the scheduler goes on when somebody ends it.
    func testAWaitThatSomebodyEndsLater() {
        collectingReports { reports in
            let scheduler = SeededScheduler(seed: 3)
            let queue = scheduler.makeQueue()
            queue.maxConcurrentOperationCount = 1
            queue.name = "serial"
            let inner = BlockOperation {}
            inner.name = "inner"
            let outer = BlockOperation {
                queue.addOperation(inner)
                inner.waitUntilFinished()
            }
            outer.name = "outer"
            queue.addOperation(outer)
            Thread.detachNewThread { scheduler.run() }
            let report =
                "A SeededScheduler with seed 3 has had no step to take for a second, and operation 'outer' of queue "
                + "'serial' waits for operation 'inner' of queue 'serial'. Only what is not the scheduler's can end that. "
                + "Operation 'outer' waits for operation 'inner', which cannot end before it."
            eventually("the wait is in the log") { reports.all.contains(report) }
            queue.maxConcurrentOperationCount = 2
            eventually("both end") { inner.isFinished && outer.isFinished }
            XCTAssertEqual(reports.all.filter { $0 == report }.count, 1)
        }
    }
}
