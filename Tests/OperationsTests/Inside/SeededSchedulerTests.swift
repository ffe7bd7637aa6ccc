import Foundation
import Operations
import OperationsTesting
import XCTest

/// Queues on the calling thread.
final class SeededSchedulerTests: XCTestCase {
    private func order(seed: UInt64) -> [String] {
        let scheduler = SeededScheduler(seed: seed)
        let recorder = Recorder()
        for name in ["a", "b", "c"] {
            let queue = scheduler.makeQueue()
            for index in 0..<5 {
                let operation = block("\(name)\(index)", recorder)
                operation.completionBlock = { recorder.note("\(name)\(index) completed") }
                queue.addOperation(operation)
            }
        }
        scheduler.run()
        return recorder.all
    }

    func testTheSameSeedIsTheSameOrder() {
        XCTAssertEqual(order(seed: 7).count, 30)
        XCTAssertEqual(order(seed: 7), order(seed: 7))
        XCTAssertGreaterThan(Set((0..<10).map { order(seed: $0) }).count, 1)
    }

    /// The delays of retries are chance, too.
    func testTheSameSeedIsTheSameDelays() {
        func tries(seed: UInt64) -> [Int] {
            let scheduler = SeededScheduler(seed: seed)
            let (queue, tries) = (scheduler.makeQueue(), Counter())
            let policy = RetryPolicy(attempts: 40, backoff: Backoff(initial: .seconds(1), factor: 1))
            queue.addTask(retry: policy) {
                tries.increase()
                throw Fault("again")
            }
            return (0..<20).map { _ in
                scheduler.run()
                scheduler.clock.advance(by: .milliseconds(400))
                return tries.value
            }
        }
        for seed in 0..<5 as Range<UInt64> { XCTAssertEqual(tries(seed: seed), tries(seed: seed)) }
        XCTAssertGreaterThan(Set((0..<10).map { tries(seed: $0) }).count, 1)
    }

    /// Nothing of them goes on elsewhere, where nobody knows when. What this is about goes wrong in optimised builds alone, which
    /// `make check-long` tests.
    func testTasksWithTimeLimitsEndInItsSteps() {
        for seed in 0..<20 as Range<UInt64> {
            let scheduler = SeededScheduler(seed: seed)
            let (queue, clock) = (scheduler.makeQueue(), scheduler.clock)
            let limits = TimeLimits(attempt: .seconds(5), total: .seconds(8))
            let quick = queue.addTask(limits: limits) { () -> Int in
                await Task.yield()
                return 7
            }
            let attempts = Recorder()
            let slow = queue.addTask(retry: RetryPolicy(attempts: 2), limits: limits) {
                attempts.note("attempt")
                try await clock.sleep(for: .seconds(100))
            }
            scheduler.run()
            XCTAssertTrue(quick.isFinished, "seed \(seed)")
            XCTAssertNil(quick.error)
            for _ in 0..<2 {
                XCTAssertFalse(slow.isFinished, "seed \(seed)")
                clock.advance(by: .seconds(5))
                scheduler.run()
            }
            XCTAssertTrue(slow.isFinished, "seed \(seed)")
            XCTAssertEqual(slow.error as? TimeoutError, .total(limit: .seconds(8)))
            XCTAssertEqual(attempts.all.count, 2)
            XCTAssertEqual(clock.sleeperCount, 0)
        }
    }

    func testAWaitForWhatEndsElsewhere() {
        let (scheduler, other, gate) = (SeededScheduler(seed: 1), makeQueue(width: 1), Gate())
        let queue = scheduler.makeQueue()
        let (dependency, dependent) = (ManualOperation(), BlockOperation {})
        dependent.addDependency(dependency)
        other.addOperation(dependency)
        queue.addOperation(dependent)
        let task = queue.addTask { await gate.pass() }
        // When the scheduler has nothing left to do.
        Thread.detachNewThread {
            eventually("the task waits") { gate.waitingCount == 1 }
            dependency.finish()
            finishes(other)
            gate.open()
        }
        dependent.waitUntilFinished()
        task.waitUntilFinished()
        XCTAssertNil(task.error)
        queue.waitUntilAllOperationsAreFinished()
    }

    /// A search that was given away is older than the one that the queue waits for.
    func testWhatIsReleasedMayWaitForAnotherLane() {
        let scheduler = SeededScheduler(seed: 1)
        let (queue, last) = (scheduler.makeQueue(), BlockOperation {})
        queue.qualityOfService = .background
        var held: Leaving? = Leaving { [weak queue] in
            let urgent = BlockOperation {}
            urgent.qualityOfService = .userInteractive
            queue?.addOperation(urgent)
            urgent.waitUntilFinished()
        }
        queue.addBarrierBlock { [held] in withExtendedLifetime(held) {} }
        held = nil
        let others = (0..<140).map { _ in BlockOperation {} }
        for operation in others { operation.queuePriority = .low }
        queue.addOperations(others, waitUntilFinished: false)
        scheduler.run()
        queue.addOperation(last)
        scheduler.run()
        XCTAssertTrue(last.isFinished)
    }

    func testWaitingRunsTheWork() {
        let scheduler = SeededScheduler(seed: 1)
        let queue = scheduler.makeQueue()
        let first = BlockOperation {}
        let second = BlockOperation { XCTAssertTrue(OperationQueue.current === queue) }
        second.addDependency(first)
        queue.addOperations([second, first], waitUntilFinished: true)
        queue.addBarrierBlock { first.waitUntilFinished() }
        queue.waitUntilAllOperationsAreFinished()
    }

    /// What a task awaits of the scheduler's queues runs in its steps.
    func testAwaitingRunsTheWork() async throws {
        let scheduler = SeededScheduler(seed: 1)
        let queue = scheduler.makeQueue()
        queue.maxConcurrentOperationCount = 1
        let policy = RetryPolicy(attempts: 2, backoff: Backoff(initial: .seconds(60), jitter: 0))
        let attempts = Counter()
        let task = queue.addTask(retry: policy) { throw Fault("\(attempts.increase())") }
        scheduler.run()
        XCTAssertEqual(scheduler.clock.sleeperCount, 1)
        scheduler.clock.advance(by: .seconds(60))
        _ = await task.result
        XCTAssertEqual(task.error as? Fault, Fault("2"))
        // One that awaits another of the same scheduler inside its own task.
        let other = scheduler.makeQueue()
        let value = try await queue.addTask { try await other.addTask { 6 }.then(on: other) { $0 * 7 }.value }.value
        XCTAssertEqual(value, 42)
        let ran = try await queue.run { 8 }
        XCTAssertEqual(ran, 8)
        let block = BlockOperation {}
        queue.addOperation(block)
        await block.untilFinished()
    }

    func testManualClock() async throws {
        let clock = ManualClock()
        let slept = Task {
            try await clock.sleep(for: .seconds(5))
            return clock.now.offset
        }
        while clock.sleeperCount == 0 { await Task.yield() }
        clock.advance(by: .seconds(4))
        XCTAssertEqual(clock.sleeperCount, 1)
        clock.advance(by: .seconds(1))
        let offset = try await slept.value
        XCTAssertEqual(offset, .seconds(5))
        let cancelled = Task { try await clock.sleep(for: .seconds(5)) }
        while clock.sleeperCount == 0 { await Task.yield() }
        cancelled.cancel()
        let result = await cancelled.result
        XCTAssertThrowsError(try result.get())
    }
}
