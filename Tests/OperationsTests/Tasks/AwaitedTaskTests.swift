import Foundation
import Operations
import OperationsCore
import XCTest

/// A task operation that is awaited at once: it begins on the thread that waits, by the same rules as elsewhere.
final class AwaitedTaskTests: XCTestCase {
    private enum Mark { @TaskLocal static var value = 0 }

    /// Not `pthread_self()`: it is declared to return the same always, so that the optimiser asks once for all of an asynchronous
    /// function, which goes on with other threads.
    @Sendable private static func thread() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }

    /// To wake a thread for it, and one for who awaits it, takes many times as long as an empty task does.
    func testItNeedsNoOtherThread() async throws {
        try XCTSkipIf(ProcessInfo.processInfo.activeProcessorCount < 2, "The only thread is left to others.")
        let (queue, recorder) = (makeQueue(width: 1), Counter())
        for _ in 0..<1_000 {
            let caller = Self.thread()
            let inside = try await queue.addTask { Self.thread() }.value
            if inside == caller { recorder.increase() }
        }
        // Now and then a thread of the engine is quicker, on a busy machine often.
        XCTAssertGreaterThan(recorder.value, 200)
    }

    /// The executor may have no other thread for what it waits for.
    func testItDoesNotBeginOnAnExecutorOfTheTasks() async throws {
        final class OneThread: TaskExecutor {
            static let mark = DispatchSpecificKey<Bool>()
            private let queue = DispatchQueue(label: "one thread")
            init() { queue.setSpecific(key: Self.mark, value: true) }
            func enqueue(_ job: consuming ExecutorJob) {
                let job = UnownedJob(job)
                queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
            }
        }
        let queue = makeQueue(width: 1)
        let isInside = try await Task(executorPreference: OneThread()) {
            for _ in 0..<200 {
                let isInside = try await queue.addTask { DispatchQueue.getSpecific(key: OneThread.mark) ?? false }.value
                if isInside { return true }
            }
            return false
        }.value
        XCTAssertFalse(isInside)
    }

    func testItIsStillATaskOfItsOwn() async throws {
        let queue = makeQueue(width: 1)
        for _ in 0..<200 {
            try await Mark.$value.withValue(8) {
                let (mark, isInside) = try await queue.addTask { (Mark.value, OperationQueue.current === queue) }.value
                XCTAssertEqual(mark, 0)
                XCTAssertTrue(isInside)
            }
            let priority = try await queue.addTask(priority: .high) { Task.currentPriority }.value
            XCTAssertGreaterThanOrEqual(priority, .high)
            XCTAssertEqual(queue.operationCount, 0)
        }
        let waiter = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await queue.addTask { Task.isCancelled }.value
        }
        let isCancelled = try await waiter.value
        XCTAssertFalse(isCancelled)
    }

    func testWidthSuspensionAndOrderHold() async throws {
        let (queue, occupancy, recorder) = (makeQueue(width: 1, suspended: true), Occupancy(), Recorder())
        let first = queue.addTask(priority: .medium) { recorder.note("first") }
        let second = queue.addTask(priority: .low) { recorder.note("second") }
        let waiter = Task(priority: .medium) { try await second.value }
        // Raised by who awaits it.
        eventually("it is awaited") { second.queuePriority == .normal }
        XCTAssertEqual(recorder.all, [])
        queue.isSuspended = false
        // Awaiting them before would raise them to this test's priority.
        eventually("both ran") { queue.operationCount == 0 }
        try await waiter.value
        try await first.value
        XCTAssertEqual(recorder.all, ["first", "second"])
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<100 {
                        try await queue.addTask {
                            occupancy.enter()
                            if Bool.random() { await Task.yield() }
                            occupancy.leave()
                        }.value
                    }
                }
            }
            try await group.waitForAll()
        }
        XCTAssertEqual(occupancy.most, 1)
    }

    /// Work that blocks before it is suspended must not take all of Swift's threads.
    func testOneOfSwiftsThreadsIsLeftToOthers() async throws {
        let door = Door()
        let waiters = (0..<3 * processors).map { _ in
            Task { try await OperationQueue().addTask { door.pass() }.value }
        }
        // It needs one of Swift's threads.
        await Task.detached(priority: .background) { door.open() }.value
        for waiter in waiters {
            let isOpen = try await waiter.value
            XCTAssertTrue(isOpen)
        }
    }

    /// Each is awaited inside the one before: the stack does not grow with them.
    func testManyInsideEachOther() async throws {
        @Sendable func depth(_ left: Int) async throws -> Int {
            guard left > 0 else { return 0 }
            return try await OperationQueue().addTask { try await depth(left - 1) }.value + 1
        }
        let reached = try await depth(3_000)
        XCTAssertEqual(reached, 3_000)
    }

    /// Neither the stack nor the locks of Swift's that are held grow with them when the first of them is raised.
    func testARiseReachesTheEndOfALongChain() async throws {
        let (gate, door) = (Gate(), Door())
        let queue = OperationQueue()
        let end = ContinuousClock.now + .seconds(60)
        @Sendable func lowest(_ left: Int) async throws -> TaskPriority {
            guard left > 0 else {
                await gate.pass()
                while Task.currentPriority < .high, .now < end { try await Task.sleep(for: .milliseconds(1)) }
                return Task.currentPriority
            }
            let next = queue.addTask(priority: .low) { try await lowest(left - 1) }
            // One that comes to wait when the rise has passed by hands it on itself.
            if left == 1 { door.pass() }
            return try await next.value
        }
        let waiter = Task(priority: .low) { try await lowest(many(20_000)) }
        eventually("the last of them waits") { gate.waitingCount == 1 }
        waiter.escalatePriority(to: .high)
        gate.open()
        door.open()
        let reached = try await waiter.value
        XCTAssertGreaterThanOrEqual(reached, .high)
    }
}
