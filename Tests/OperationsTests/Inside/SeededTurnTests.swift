import Foundation
import Operations
import OperationsTesting
import XCTest

/// Several tasks and threads that wait for operations of one `SeededScheduler`.
final class SeededTurnTests: XCTestCase {
    private let seeds = 0..<40 as Range<UInt64>

    /// Runs `body` in a task, for which the calling thread waits without taking steps.
    private func ends(seed: UInt64, _ body: @escaping @Sendable () async -> Void) -> Bool {
        let isOver = Flag()
        Task {
            await body()
            isOver.set()
        }
        return eventually("all that the tasks await, with seed \(seed)", within: 60) { isOver.isSet }
    }

    /// The second one gets the place from the first, which takes no steps by then.
    func testTwoTasksThatRunInOnePlace() {
        for seed in seeds {
            let (queue, inside) = (SeededScheduler(seed: seed).makeQueue(), Occupancy())
            queue.maxConcurrentOperationCount = 1
            let haveEnded = ends(seed: seed) {
                await withTaskGroup { group in
                    for _ in 0..<2 {
                        group.addTask {
                            try? await queue.run {
                                inside.enter()
                                for _ in 0..<20 { await Task.yield() }
                                inside.leave()
                            }
                        }
                    }
                }
            }
            guard haveEnded else { return }
            XCTAssertEqual(inside.most, 1, "seed \(seed)")
            XCTAssertEqual(queue.operationCount, 0, "seed \(seed)")
        }
    }

    /// A step that stays for a moment, so that another one at the same time is seen.
    private func step(_ atWork: Occupancy) -> @Sendable () -> Void {
        {
            atWork.enter()
            for _ in 0..<100 { _ = atWork.now }
            atWork.leave()
        }
    }

    func testTwoTasksThatAwaitAtOnce() {
        for seed in seeds {
            let (queue, atWork) = (SeededScheduler(seed: seed).makeQueue(), Occupancy())
            for _ in 0..<many(2_000, sanitized: 200) {
                let operation = BlockOperation(block: step(atWork))
                // So that they come before the tasks, which get the priority of those that await them.
                operation.queuePriority = .veryHigh
                queue.addOperation(operation)
            }
            let (one, other) = (queue.addTask { 1 }, queue.addTask { 2 })
            let haveEnded = ends(seed: seed) {
                async let first = one.value
                async let second = other.value
                let sum = (try? await first + second) ?? 0
                XCTAssertEqual(sum, 3)
            }
            guard haveEnded else { return }
            XCTAssertEqual(atWork.most, 1, "seed \(seed)")
        }
    }

    /// When they have nothing left to do, one waits until another one adds what ends its wait.
    func testWorkThatComesWhileATaskWaits() {
        for seed in seeds {
            let (queue, other, began) = (SeededScheduler(seed: seed).makeQueue(), makeQueue(width: 1), Door())
            let (dependency, dependent) = (ManualOperation(), BlockOperation {})
            dependent.addDependency(dependency)
            other.addOperation(dependency)
            queue.addOperation(dependent)
            Thread.detachNewThread {
                began.pass()
                dependency.finish()
            }
            let hasEnded = ends(seed: seed) {
                began.open()
                await dependent.untilFinished()
            }
            guard hasEnded else { return }
            finishes(other)
        }
    }

    /// An operation waits inside a step, while the task has the place that this needs.
    func testAStepThatWaitsHoldsUpNoTaskThatAwaits() {
        for seed in seeds {
            let scheduler = SeededScheduler(seed: seed)
            let (queue, other) = (scheduler.makeQueue(), scheduler.makeQueue())
            queue.maxConcurrentOperationCount = 1
            queue.addOperation {}
            other.addOperation {
                let last = BlockOperation {}
                queue.addOperation(last)
                last.waitUntilFinished()
            }
            guard ends(seed: seed, { try? await queue.run {} }) else { return }
            scheduler.run()
            XCTAssertEqual(queue.operationCount + other.operationCount, 0, "seed \(seed)")
        }
    }

    /// The task goes on between two steps, always between the same ones.
    func testWhatATaskAddsAfterAWaitIsRepeated() async throws {
        func order(seed: UInt64) async throws -> [String] {
            let (scheduler, recorder) = (SeededScheduler(seed: seed), Recorder())
            let queues = (0..<3).map { _ in scheduler.makeQueue() }
            for number in 0..<30 {
                let operation = block("\(number)", recorder)
                operation.completionBlock = { recorder.note("\(number) completed") }
                queues[number % 3].addOperation(operation)
                guard number % 5 == 4 else { continue }
                await operation.untilFinished()
                recorder.note("\(number) awaited")
                try await queues[number % 2].run { recorder.note("\(number) run") }
            }
            scheduler.run()
            return recorder.all
        }
        for seed in seeds {
            let (first, second) = (try await order(seed: seed), try await order(seed: seed))
            XCTAssertEqual(first, second, "seed \(seed)")
            XCTAssertEqual(first.count, 72)
        }
    }

    func testACancelledTaskWaitsForNoPlace() {
        let queue = SeededScheduler(seed: 1).makeQueue()
        queue.isSuspended = true
        let hasEnded = ends(seed: 1) {
            let task = Task { try await queue.run {} }
            while queue.operationCount == 0 { await Task.yield() }
            task.cancel()
            _ = await task.result
        }
        XCTAssertTrue(hasEnded)
    }

    /// Tasks that run in the queues and await operations, a thread that waits, one that takes steps, and operations that wait for
    /// each other.
    func testAllKindsOfThemAtOnce() {
        for seed in seeds {
            let (scheduler, atWork) = (SeededScheduler(seed: seed), Occupancy())
            let queues = (0..<3).map { _ in scheduler.makeQueue() }
            queues[0].maxConcurrentOperationCount = 1
            let step = step(atWork)
            let threads = DispatchGroup()
            let last = BlockOperation(block: step)
            for use in [{ last.waitUntilFinished() }, { _ = scheduler.run() }] as [@Sendable () -> Void] {
                threads.enter()
                Thread.detachNewThread {
                    use()
                    threads.leave()
                }
            }
            let haveEnded = ends(seed: seed) {
                await withTaskGroup { group in
                    for number in 0..<12 {
                        group.addTask {
                            let queue = queues[number % 3]
                            let awaited = BlockOperation(block: step)
                            queues[(number + 1) % 3].addOperation(awaited)
                            queues[2].addOperation {
                                awaited.waitUntilFinished()
                                step()
                            }
                            try? await queue.run { await Task.yield() }
                            await awaited.untilFinished()
                            let task = queue.addTask {
                                step()
                                await Task.yield()
                                step()
                            }
                            _ = await task.result
                        }
                    }
                }
                queues[1].addOperation(last)
                await last.untilFinished()
            }
            guard haveEnded else { return }
            XCTAssertEqual(threads.wait(timeout: .now() + 60), .success, "seed \(seed)")
            scheduler.run()
            XCTAssertEqual(queues.map(\.operationCount), [0, 0, 0], "seed \(seed)")
            XCTAssertEqual(atWork.most, 1, "seed \(seed)")
        }
    }
}
