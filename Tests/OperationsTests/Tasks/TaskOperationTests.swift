import Dispatch
import Foundation
import Operations
import OperationsCore
import XCTest

/// `addTask`: values, the place in the width, and the thread that is not held.
final class TaskOperationTests: XCTestCase {
    private enum Mark { @TaskLocal static var value = 0 }

    func testValueAndResult() async throws {
        let queue = makeQueue(width: 1)
        let good = queue.addTask { 7 }
        let value = try await good.value
        XCTAssertEqual(value, 7)
        XCTAssertTrue(good.isFinished)
        XCTAssertNil(good.error)
        let bad = queue.addTask { () async throws -> Int in throw Fault("bad") }
        let result = await bad.result
        XCTAssertThrowsError(try result.get()) { XCTAssertEqual($0 as? Fault, Fault("bad")) }
        XCTAssertEqual(bad.error as? Fault, Fault("bad"))
        XCTAssertFalse(bad.isCancelled)
    }

    func testAFinishFromOutsideIsTheEnd() async throws {
        let (queue, goesOn, hasEnded) = (makeQueue(width: 1), Gate(), Gate())
        let task = queue.addTask { () -> Int in
            await goesOn.pass()
            let isCancelled = Task.isCancelled
            Task.detached { hasEnded.open() }
            return isCancelled ? 1 : 2
        }
        eventually("it works") { goesOn.waitingCount == 1 }
        task.finish(Fault("outside"))
        let first = await task.result
        XCTAssertThrowsError(try first.get()) { XCTAssertEqual($0 as? Fault, Fault("outside")) }
        goesOn.open()
        await hasEnded.pass()
        // The task's own end, which comes soon.
        for _ in 0..<1_000 {
            let later = await task.result
            guard case .failure = later else { return XCTFail("The result is another: \(later)") }
            await Task.yield()
        }
        XCTAssertEqual(task.error as? Fault, Fault("outside"))
        XCTAssertFalse(task.isCancelled)
    }

    func testValuesOfAllKinds() async throws {
        let queue = makeQueue(width: 2)
        let large = (0..<5).map { ["\($0)"] }
        let tuple = try await queue.addTask { (large[0], large[1], large[2], large[3], large[4]) }.value
        XCTAssertEqual([tuple.0, tuple.1, tuple.2, tuple.3, tuple.4], large)
        let error = try await queue.addTask { () -> any Error in Fault("value") }.value
        XCTAssertEqual(error as? Fault, Fault("value"))
        let erased = try await queue.addTask { () -> any Sendable in 7 }.value
        XCTAssertEqual(erased as? Int, 7)
        let nothing = try await queue.addTask { () -> Int?? in .some(nil) }.value
        XCTAssertEqual(nothing, .some(nil))
        let none = try await queue.addTask { () -> Int?? in nil }.value
        XCTAssertEqual(none, .none)
        let anyNothing = try await queue.addTask { () -> (any Sendable)? in nil }.value
        XCTAssertNil(anyNothing)
        let closure = try await queue.addTask { () -> @Sendable (Int) -> Int in { $0 + 1 } }.value
        XCTAssertEqual(closure(1), 2)
    }

    func testItHoldsAPlaceButNoThread() async throws {
        let (queue, gate) = (makeQueue(width: 200), Gate())
        let tasks = (0..<300).map { index in
            queue.addTask {
                await gate.pass()
                return index
            }
        }
        eventually("200 wait at the gate") { gate.waitingCount == 200 }
        XCTAssertLessThan(ThreadPool.shared.threadCount, 100)
        XCTAssertEqual(queue.operationCount, 300)
        XCTAssertEqual(tasks.filter(\.isExecuting).count, 200)
        gate.open()
        var sum = 0
        for task in tasks { sum += try await task.value }
        XCTAssertEqual(sum, 300 * 299 / 2)
    }

    /// The default width bounds threads. A task that is suspended holds none, so that any number are under way at once;
    /// to count them would have 64 that wait for a slow server stop every other queue.
    func testAtTheDefaultWidthTasksAreLimitedByThreadsOnly() async throws {
        let (queue, gate, limited) = (OperationQueue(), Gate(), makeQueue(width: 64))
        let tasks = (0..<2_000).map { _ in queue.addTask { await gate.pass() } }
        eventually("all are under way") { gate.waitingCount == 2_000 }
        XCTAssertLessThan(ThreadPool.shared.threadCount, 150)
        let other = try await OperationQueue().addTask { 7 }.value
        XCTAssertEqual(other, 7)
        let few = (0..<200).map { _ in limited.addTask { await gate.pass() } }
        eventually("as many as were asked for") { gate.waitingCount == 2_064 }
        XCTAssertEqual(few.filter(\.isExecuting).count, 64)
        gate.open()
        for task in tasks + few { try await task.value }
    }

    func testItBeginsOnAThreadOfTheQueue() async throws {
        let queue = OperationQueue()
        let marked = DispatchQueue(label: "marked")
        let key = DispatchSpecificKey<Int>()
        marked.setSpecific(key: key, value: 5)
        queue.underlyingQueue = marked
        let value = try await queue.addTask { DispatchQueue.getSpecific(key: key) }.value
        XCTAssertEqual(value, 5)
    }

    func testCurrentIsRightBeforeAndAfterSuspension() async throws {
        let (queue, other) = (makeQueue(width: 2), makeQueue(width: 2))
        let names = try await queue.addTask {
            var seen = [OperationQueue.current === queue]
            await Task.yield()
            seen.append(OperationQueue.current === queue)
            try await other.run { seen.append(OperationQueue.current === other) }
            seen.append(OperationQueue.current === queue)
            async let child = OperationQueue.current
            seen.append(await child === queue)
            return seen
        }.value
        XCTAssertEqual(names, [true, true, true, true, true])
        XCTAssertNil(OperationQueue.current.map { $0 === OperationQueue.main ? nil : $0 } ?? nil)
    }

    func testCancellingBeforeTheStart() async {
        let queue = makeQueue(width: 1, suspended: true)
        let ran = Counter()
        let task = queue.addTask { ran.increase() }
        task.cancel()
        queue.isSuspended = false
        let result = await task.result
        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
        XCTAssertEqual(ran.value, 0)
    }

    func testCancellingReachesATaskThatHasNotSuspended() async {
        let (queue, began) = (makeQueue(width: 1), Door())
        let task = queue.addTask {
            began.open()
            while !Task.isCancelled { usleep(100) }
            try Task.checkCancellation()
        }
        began.pass()
        task.cancel()
        let result = await task.result
        XCTAssertThrowsError(try result.get()) { XCTAssertTrue($0 is CancellationError) }
        XCTAssertTrue(task.isCancelled)
    }

    func testCancellingReachesASuspendedTask() async {
        let (queue, began) = (makeQueue(width: 1), Door())
        let task = queue.addTask {
            began.open()
            try await Task.sleep(for: .seconds(600))
        }
        began.pass()
        queue.cancelAllOperations()
        let result = await task.result
        XCTAssertThrowsError(try result.get())
    }

    func testATaskThatCancelsItselfLeavesACancelledOperation() async throws {
        let queue = makeQueue(width: 1)
        let task = queue.addTask { withUnsafeCurrentTask { $0?.cancel() } }
        _ = await task.result
        XCTAssertTrue(task.isCancelled)
    }

    func testCancellingTheWaiterDoesNotCancelTheOperation() async throws {
        let (queue, gate) = (makeQueue(width: 1), Gate())
        let task = queue.addTask {
            await gate.pass()
            return 3
        }
        let waiter = Task { try await task.value }
        waiter.cancel()
        gate.open()
        let value = try await waiter.value
        XCTAssertEqual(value, 3)
        XCTAssertFalse(task.isCancelled)
    }

    func testStartedByHand() async throws {
        let task = TaskOperation { 11 }
        task.start()
        let value = try await task.value
        XCTAssertEqual(value, 11)
    }

    func testItsBodyIsReleasedAtTheFinish() async throws {
        final class Token: Sendable {}
        weak var weakToken: Token?
        let queue = makeQueue(width: 1)
        let task: TaskOperation<Int>
        do {
            let token = Token()
            weakToken = token
            task = queue.addTask { withExtendedLifetime(token) { 1 } }
        }
        _ = try await task.value
        eventually("the body is released") { weakToken == nil }
    }

    func testAwaitingRaisesWhatItWaitsFor() async throws {
        let queue = makeQueue(width: 1, suspended: true)
        let first = queue.addTask(name: "first", priority: .background) {}
        let second = queue.addTask(name: "second", priority: .low, dependencies: [first]) { 2 }
        XCTAssertEqual(first.queuePriority, .veryLow)
        XCTAssertEqual(second.queuePriority, .low)
        let waiter = Task(priority: .high) { try await second.value }
        eventually("both are raised") { first.queuePriority == .high && second.queuePriority == .high }
        queue.isSuspended = false
        let value = try await waiter.value
        XCTAssertEqual(value, 2)
    }

    func testEscalatingTheWaiterRaisesTheOperation() async throws {
        let queue = makeQueue(width: 1, suspended: true)
        let task = queue.addTask(priority: .background) { 2 }
        let waiter = Task(priority: .low) { try await task.value }
        eventually("it waits") { task.queuePriority == .low }
        waiter.escalatePriority(to: .high)
        eventually("it is raised") { task.queuePriority == .high }
        queue.isSuspended = false
        _ = try await waiter.value
    }

    func testAwaitingARunningTaskRaisesItAndWhatItAwaits() async throws {
        let (queue, other) = (makeQueue(width: 1), makeQueue(width: 1, suspended: true))
        let first = other.addTask(name: "first", priority: .background) {}
        let second = other.addTask(name: "second", priority: .low, dependencies: [first]) { 2 }
        let (began, priority) = (Gate(), Lock(TaskPriority.background))
        let running = queue.addTask(name: "running", priority: .low) {
            began.open()
            let value = try await second.value
            priority.withLock { $0 = Task.currentPriority }
            return value
        }
        await began.pass()
        eventually("it waits") { second.queuePriority == .low && first.queuePriority == .low }
        let waiter = Task(priority: .high) { try await running.value }
        eventually("all of them are raised") {
            [running.queuePriority, second.queuePriority, first.queuePriority] == [.high, .high, .high]
        }
        other.isSuspended = false
        let value = try await waiter.value
        XCTAssertEqual(value, 2)
        XCTAssertGreaterThanOrEqual(priority.withLock { $0 }, .high)
    }

    func testCancelAgainstTheEndOfTheTask() async {
        let queue = makeQueue(width: 4)
        let threads = DispatchQueue(label: "cancellers", attributes: .concurrent)
        for round in 0..<many(2_000) {
            let task = queue.addTask {
                if round % 2 == 0 { await Task.yield() }
                return round
            }
            threads.async { task.cancel() }
            switch await task.result {
            case .success(let value): XCTAssertEqual(value, round)
            case .failure(let error): XCTAssertTrue(error is CancellationError)
            }
        }
        XCTAssertEqual(queue.operationCount, 0)
    }

    func testAPriorityThatIsRaisedWhileTheTaskBeginsIsNotLost() async throws {
        let queue = makeQueue(width: 2)
        var lost = 0
        for index in 0..<many(10_000, long: 200_000) {
            let flag = Flag()
            let task = queue.addTask {
                while !flag.isSet { sched_yield() }
                return Task.currentPriority
            }
            // Some of the rises come just when the task begins.
            let moment = DispatchTime.now().uptimeNanoseconds + UInt64(index % 400) * 100
            while DispatchTime.now().uptimeNanoseconds < moment {}
            task.raisePriority(to: .veryHigh)
            flag.set()
            if try await task.value < .high { lost += 1 }
        }
        XCTAssertEqual(lost, 0)
    }
}
