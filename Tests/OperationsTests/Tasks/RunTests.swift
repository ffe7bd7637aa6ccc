import Foundation
import Operations
import OperationsCore
import XCTest

/// `queue.run`: a place in the width for the calling task.
final class RunTests: XCTestCase {
    private enum Mark { @TaskLocal static var value = 0 }

    private actor Account {
        var sum = 0
        func add(_ number: Int, through queue: OperationQueue) async throws {
            // The closure is on this actor, or it could not change `sum`.
            try await queue.run {
                sum += number
                await Task.yield()
                sum += number
            }
        }
    }

    func testItRunsInTheCallersTask() async throws {
        let queue = makeQueue(width: 1)
        var notSendable: [Int] = []
        let value = try await Mark.$value.withValue(8) {
            try await queue.run {
                notSendable.append(Mark.value)
                return OperationQueue.current === queue
            }
        }
        XCTAssertTrue(value)
        XCTAssertEqual(notSendable, [8])
        XCTAssertEqual(queue.operationCount, 0)
    }

    func testItStaysOnTheActor() async throws {
        let (queue, account) = (makeQueue(width: 3), Account())
        try await withThrowingTaskGroup { group in
            for number in 1...100 { group.addTask { try await account.add(number, through: queue) } }
            try await group.waitForAll()
        }
        let sum = await account.sum
        XCTAssertEqual(sum, 10_100)
    }

    func testAFreePlaceIsTakenWithoutASuspension() async throws {
        for priority in [TaskPriority.medium, .low, .high] {
            let (queue, executor) = (makeQueue(width: 2), CountingExecutor())
            let jobs = try await Task(executorPreference: executor) {
                let before = executor.jobs
                for _ in 0..<100 {
                    try await queue.run(priority: priority) {
                        XCTAssertEqual(queue.operationCount, 1)
                        XCTAssertTrue(OperationQueue.current === queue)
                    }
                }
                return executor.jobs - before
            }.value
            XCTAssertEqual(jobs, 0)
            XCTAssertEqual(queue.operationCount, 0)
        }
    }

    func testAPlaceThatIsTakenAtOnceIsOneOfTheWidth() async throws {
        let queue = makeQueue(width: 1)
        let gate = Gate()
        let recorder = Recorder()
        try await queue.run {
            queue.addOperation(block("second", recorder))
            queue.addOperation { gate.open() }
            recorder.note("first")
        }
        await gate.pass()
        XCTAssertEqual(recorder.all, ["first", "second"])
    }

    func testItWaitsForAPlace() async throws {
        let (queue, occupancy) = (makeQueue(width: 3), Occupancy())
        try await withThrowingTaskGroup { group in
            for _ in 0..<60 {
                group.addTask {
                    try await queue.run {
                        occupancy.enter()
                        await Task.yield()
                        occupancy.leave()
                    }
                }
            }
            try await group.waitForAll()
        }
        XCTAssertLessThanOrEqual(occupancy.most, 3)
        XCTAssertGreaterThan(occupancy.most, 0)
    }

    func testErrorsComeThrough() async {
        let queue = makeQueue(width: 1)
        do {
            try await queue.run { throw Fault("inside") }
            XCTFail("It did not throw.")
        } catch {
            XCTAssertEqual(error as? Fault, Fault("inside"))
        }
        XCTAssertEqual(queue.operationCount, 0)
    }

    func testCancelledWhileWaiting() async throws {
        let queue = makeQueue(width: 1, suspended: true)
        let ran = Counter()
        let task = Task { try await queue.run { ran.increase() } }
        eventually("it waits") { queue.operationCount == 1 }
        task.cancel()
        // At once, although the queue is suspended.
        let result = await task.result
        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
        queue.isSuspended = false
        finishesSoon(queue)
        XCTAssertEqual(ran.value, 0)
    }

    func testCancelledBeforeTheCall() async throws {
        let queue = makeQueue(width: 1, suspended: true)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await queue.run {}
        }
        let result = await task.result
        XCTAssertThrowsError(try result.get())
        XCTAssertEqual(queue.operationCount, 0)
    }

    func testCancelAllEndsTheWait() async throws {
        let queue = makeQueue(width: 1, suspended: true)
        let task = Task { try await queue.run {} }
        eventually("it waits") { queue.operationCount == 1 }
        queue.cancelAllOperations()
        let result = await task.result
        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
        queue.isSuspended = false
        finishesSoon(queue)
    }

    func testTheTasksPriorityOrdersTheQueue() async throws {
        let queue = makeQueue(width: 1, suspended: true)
        let recorder = Recorder()
        let low = Task(priority: .low) { try await queue.run { recorder.note("low") } }
        eventually("one waits") { queue.operationCount == 1 }
        let high = Task(priority: .high) { try await queue.run { recorder.note("high") } }
        eventually("both wait") { queue.operationCount == 2 }
        let operations = queue.operations
        XCTAssertEqual(operations.map(\.queuePriority), [.low, .high])
        let urgent = Task(priority: .background) { try await queue.run { recorder.note("raised") } }
        eventually("three wait") { queue.operationCount == 3 }
        urgent.escalatePriority(to: TaskPriority(rawValue: 33))
        eventually("it is raised") { queue.operations.last?.queuePriority == .veryHigh }
        queue.isSuspended = false
        // Awaiting them before would raise them to this test's priority.
        finishesSoon(queue)
        for task in [low, high, urgent] { try await task.value }
        XCTAssertEqual(recorder.all, ["raised", "high", "low"])
    }

    func testCancelAgainstTheGrant() async {
        let queue = makeQueue(width: 2)
        for _ in 0..<many(2_000) {
            let task = Task { try await queue.run { 1 } }
            task.cancel()
            _ = await task.result
        }
        finishesSoon(queue)
    }

    private func finishesSoon(_ queue: OperationQueue) {
        eventually("the queue is empty") { queue.operationCount == 0 }
    }
}

/// Runs the jobs of a task on a queue of its own, and counts them.
private final class CountingExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "counting")
    private let count = Counter()

    var jobs: Int { count.value }

    func enqueue(_ job: consuming ExecutorJob) {
        count.increase()
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
