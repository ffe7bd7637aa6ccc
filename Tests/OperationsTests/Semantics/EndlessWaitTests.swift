import Foundation
import Operations
import XCTest

@testable import OperationsCore

/// Waits that never end are named, by the log within about a second and by `diagnostics`.
final class EndlessWaitTests: XCTestCase {
    private func named<Some: Operation>(_ name: String, _ operation: Some) -> Some {
        operation.name = name
        return operation
    }

    /// Both names are in a line of the log, and in an issue.
    private func expectNamed(
        _ waiting: String, _ target: String, in queue: OperationQueue, _ reports: Recorder, within seconds: Double = 10,
        file: StaticString = #filePath, line: UInt = #line
    ) {
        func areNamed(in text: String) -> Bool { text.contains(waiting) && text.contains("'\(target)'") }
        eventually("it is logged", within: seconds, file: file, line: line) { reports.all.contains(where: areNamed) }
        XCTAssertTrue(
            queue.diagnostics.issues.contains { areNamed(in: $0.description) }, queue.diagnostics.description,
            file: file,
            line: line)
    }

    func testABarrierThatWaitsForAnOperationBehindIt() {
        let queue = makeQueue(width: 4)
        let behind = named("behind", ManualOperation())
        collectingReports { reports in
            queue.addBarrierBlock { behind.waitUntilFinished() }
            queue.addOperation(behind)
            expectNamed("barrier", "behind", in: queue, reports)
            behind.finish()
            finishes(queue)
        }
    }

    func testAnOperationBeforeABarrierThatWaitsForOneBehindIt() {
        let queue = makeQueue(width: 4, suspended: true)
        let behind = named("behind", ManualOperation())
        collectingReports { reports in
            queue.addOperation(named("before", BlockOperation { behind.waitUntilFinished() }))
            queue.addBarrierBlock {}
            queue.addOperation(behind)
            queue.isSuspended = false
            expectNamed("'before'", "behind", in: queue, reports)
            behind.finish()
            finishes(queue)
        }
    }

    func testAWaitForAllOfAQueueThatWaitsForTheNextOperation() {
        let (queue, other) = (makeQueue(width: 1), makeQueue(width: 1))
        other.name = "other"
        let (next, theirs) = (BlockOperation {}, BlockOperation {})
        theirs.addDependency(next)
        collectingReports { reports in
            other.addOperation(theirs)
            queue.addOperations(
                [named("all", BlockOperation { other.waitUntilAllOperationsAreFinished() }), next],
                waitUntilFinished: false)
            expectNamed("'all'", "other", in: queue, reports)
            XCTAssertEqual(queue.diagnostics.issues, [.endlessWaitForQueue(waiting: "all", queue: "other")])
            queue.maxConcurrentOperationCount = 2
            finishes(queue)
            finishes(other)
        }
    }

    func testABarrierThatWaitsForAllOfASuspendedQueue() {
        let (queue, other) = (makeQueue(width: 2), makeQueue(width: 1, suspended: true))
        other.name = "other"
        collectingReports { reports in
            other.addBarrierBlock {}
            queue.addBarrierBlock { other.waitUntilAllOperationsAreFinished() }
            expectNamed("barrier", "other", in: queue, reports)
            other.isSuspended = false
            finishes(queue)
        }
    }

    func testQueuesThatWaitForEachOther() {
        let (queue, other, waits) = (makeQueue(width: 2), makeQueue(width: 2), Door())
        other.name = "other"
        let (dependent, working) = (BlockOperation {}, ManualOperation())
        let mine = named(
            "mine",
            BlockOperation {
                waits.open()
                other.waitUntilAllOperationsAreFinished()
            })
        dependent.addDependency(mine)
        collectingReports { reports in
            other.addOperations([working, dependent], waitUntilFinished: false)
            working.began.pass()
            queue.addOperation(mine)
            waits.pass()
            XCTAssertEqual(queue.diagnostics.issues, [], "One is at work.")
            working.finish()
            expectNamed("'mine'", "other", in: queue, reports)
            dependent.removeDependency(mine)
            finishes(queue)
            finishes(other)
        }
    }

    func testAWaitForAllOfAQueueThatOnlyTakesLongIsNotReported() {
        let (queue, other, long) = (makeQueue(width: 1), makeQueue(width: 1), ManualOperation())
        collectingReports { reports in
            other.addOperation(long)
            for _ in 0..<3 { other.addOperation {} }
            queue.addOperation { other.waitUntilAllOperationsAreFinished() }
            long.began.pass()
            for _ in 0..<4 { WaitWatch.look() }
            XCTAssertEqual(queue.diagnostics.issues, [])
            long.finish()
            finishes(queue)
            XCTAssertEqual(reports.all, [])
        }
    }

    func testAnOperationThatWaitsForOneThatWaitsForItsKey() {
        let queue = makeQueue(width: 4)
        let (behind, began) = (named("behind", BlockOperation {}), Door())
        let holder = named(
            "holder",
            BlockOperation {
                began.open()
                behind.waitUntilFinished()
            })
        for operation in [holder, behind] { operation.exclusionKeys = [ExclusionKey("one")] }
        collectingReports { reports in
            queue.addOperation(holder)
            began.pass()
            queue.addOperation(behind)
            expectNamed("'holder'", "behind", in: queue, reports)
            XCTAssert(queue.diagnostics.issues.contains(.endlessWait(waiting: "behind", target: "holder")))
            behind.exclusionKeys = []
            finishes(queue)
        }
    }

    /// One that was cancelled waits for its key no more, but for a place.
    func testOneThatIsCancelledIsNotHeldUpByItsKey() {
        let queue = makeQueue(width: 2)
        let (behind, long, began) = (named("behind", BlockOperation {}), ManualOperation(), Door())
        let holder = BlockOperation {
            began.open()
            behind.waitUntilFinished()
        }
        for operation in [holder, behind] { operation.exclusionKeys = [ExclusionKey("one")] }
        queue.addOperation(holder)
        began.pass()
        queue.addOperation(behind)
        eventually("it waits for the key") { behind.state.phase == .parked }
        queue.addOperation(long)
        long.began.pass()
        behind.cancel()
        XCTAssertEqual(queue.diagnostics.issues, [])
        long.finish()
        finishes(queue)
    }

    /// The limits do their part in tasks of their own.
    func testATaskWithATimeLimitThatAwaitsAnotherOfItsQueue() async {
        await expectNamedUntilWidened("'outer'", "inner") { queue in
            let limits = TimeLimits(attempt: .seconds(3_600), total: .seconds(3_600))
            return try await queue.addTask(name: "outer", retry: RetryPolicy(attempts: 2), limits: limits) {
                try await queue.addTask(name: "inner") { 7 }.value
            }.value
        }
    }

    /// A task that was begun in a place and goes on when the place is free again may come to have its number.
    func testAPlaceThatIsFreeIsNobodysPlace() async {
        let queue = makeQueue(width: 1)
        await Task {
            let place = TaskPlace(queue.core, of: BlockOperation {}, on: nil)
            TaskPlace.$current.withValue(place) {
                XCTAssertNotNil(TaskPlace.ofCurrentTask)
                place.end()
                XCTAssertNil(TaskPlace.ofCurrentTask)
            }
        }.value
    }

    func testRunInsideRun() async {
        await expectNamedUntilWidened("'outer'", "inner") { queue in
            try await queue.run(name: "outer") { try await queue.run(name: "inner") { 7 } }
        }
    }

    /// What waits for ever in a queue of width 1 is named, and ends with 7 in a wider one.
    private func expectNamedUntilWidened(
        _ waiting: String, _ target: String, _ work: @escaping @Sendable (OperationQueue) async throws -> Int
    ) async {
        let queue = makeQueue(width: 1)
        let task = await collectingReportsInTask { reports in
            let task = Task { try await work(queue) }
            expectNamed(waiting, target, in: queue, reports)
            queue.maxConcurrentOperationCount = 2
            return task
        }
        let value = try? await task.value
        XCTAssertEqual(value, 7)
        XCTAssertTrue(queue.diagnostics.issues.isEmpty)
    }

    func testRunInsideRunOfAnotherQueueInBetween() async {
        let (queue, other) = (makeQueue(width: 1), makeQueue(width: 1))
        let task = await collectingReportsInTask { reports in
            let task = Task {
                try await queue.run(name: "outer") {
                    try await other.run(name: "between") { try await queue.run(name: "inner") { 7 } }
                }
            }
            expectNamed("'between'", "inner", in: other, reports)
            queue.maxConcurrentOperationCount = 2
            return task
        }
        let value = try? await task.value
        XCTAssertEqual(value, 7)
    }

    func testATaskThatAwaitsAnotherOfItsQueue() async {
        let queue = makeQueue(width: 1)
        let outer = await collectingReportsInTask { reports in
            let outer = queue.addTask(name: "outer") { try await queue.addTask(name: "inner") { 7 }.value }
            expectNamed("'outer'", "inner", in: queue, reports)
            queue.maxConcurrentOperationCount = 2
            return outer
        }
        let value = try? await outer.value
        XCTAssertEqual(value, 7)
    }

    /// More than can be followed one after the other.
    func testManyTasksThatAwaitOthersOfTheirQueue() async {
        let (queue, gate) = (makeQueue(width: 300), Gate())
        let tasks = await collectingReportsInTask { reports in
            let tasks = (0..<300).map { index in
                queue.addTask(name: "outer \(index)") {
                    await gate.pass()
                    return try await queue.addTask(name: "inner \(index)") { index }.value
                }
            }
            eventually("all have a place") { gate.waitingCount == 300 }
            gate.open()
            eventually("it is logged", within: 10) { reports.all.contains { $0.contains("'inner ") } }
            eventually("all are found") { queue.diagnostics.issues.count == 300 }
            queue.maxConcurrentOperationCount = 301
            return tasks
        }
        var sum = 0
        for task in tasks { sum += (try? await task.value) ?? 0 }
        XCTAssertEqual(sum, 300 * 299 / 2)
    }

    /// One that runs does not wait, and so the other can start some time.
    func testATaskThatAwaitsAnotherWhichOnlyTakesLongIsNotReported() async {
        let (queue, gate, suspended) = (makeQueue(width: 2), Gate(), makeQueue(width: 1, suspended: true))
        let outer = await collectingReportsInTask { reports in
            queue.addTask(name: "runs") { await gate.pass() }
            let outer = queue.addTask(name: "outer") { try await queue.addTask(name: "inner") { 7 }.value }
            eventually("it waits") { queue.operationCount == 3 }
            // An unstructured task is no part of what created it.
            let apart = Task { try await queue.run(name: "apart") {} }
            // Reported: by then the others have been looked into too.
            let never = named("never", BlockOperation {})
            suspended.addOperation(never)
            makeQueue(width: 1).addOperation(named("waits", BlockOperation { never.waitUntilFinished() }))
            eventually("the report of the other") { !reports.all.isEmpty }
            XCTAssertTrue(reports.all.allSatisfy { $0.contains("'never'") }, "\(reports.all)")
            XCTAssertTrue(queue.diagnostics.issues.isEmpty, queue.diagnostics.description)
            suspended.isSuspended = false
            gate.open()
            _ = try? await apart.value
            return outer
        }
        let value = try? await outer.value
        XCTAssertEqual(value, 7)
    }

    func testWaitingForOneselfInExecuteIsLogged() {
        final class Waits: AsyncOperation, @unchecked Sendable {
            override func execute() { waitUntilFinished() }
        }
        let queue = makeQueue(width: 1)
        let operation = named("waits", Waits())
        collectingReports { reports in
            queue.addOperation(operation)
            expectNamed("operation 'waits'", "waits", in: queue, reports)
            operation.finish()
            finishes(queue)
        }
    }

    /// The thread that looks into a wait may be the last to hold an operation.
    func testADeinitThatBlocksTheLookHoldsUpNoOtherQueue() {
        final class Blocking: Operation, @unchecked Sendable {
            let (whileLookedAt, isOver): (@Sendable (Operation) -> Void, Door)
            init(_ isOver: Door, whileLookedAt: @escaping @Sendable (Operation) -> Void) {
                (self.isOver, self.whileLookedAt) = (isOver, whileLookedAt)
            }
            override var dependencies: [Operation] {
                whileLookedAt(self)
                return []
            }
            deinit { isOver.pass() }
        }
        let (pool, suspended) = (HandPool(), makeQueue(width: 1, suspended: true))
        let queue = OperationQueue(pool: pool, clock: ContinuousClock())
        let (isOver, wasLetGo, wait) = (Door(), Flag(), Lock<QueueCore.Wait.Identifier?>(nil))
        let (unfinished, never) = (BlockOperation {}, named("never", BlockOperation {}))
        suspended.addOperation(never)
        var blocking: Blocking? = Blocking(isOver) { [unowned queue] operation in
            // Nobody waits any more, and on this thread it finishes and leaves its queue.
            if let wait = wait.withLock({ $0 }) { queue.core.endWait(wait) }
            operation.cancel()
            while pool.count > 0 { pool.runFirst() }
            wasLetGo.set()
        }
        blocking?.addDependency(unfinished)
        if let operation = blocking.take() {
            queue.addOperation(operation)
            wait.withLock { $0 = queue.core.beginWait(for: .operation(operation), of: nil) }
        }
        let other = makeQueue(width: 1)
        collectingReports { reports in
            // The other wait is one look behind.
            WaitWatch.look()
            let otherWait = other.core.beginWait(for: .operation(never), of: nil)
            eventually("the thread that looks is the last to hold the operation") { wasLetGo.isSet }
            eventually("the report of the other", within: 10) { reports.all.contains { $0.contains("'never'") } }
            other.core.endWait(otherWait)
            isOver.open()
        }
        suspended.isSuspended = false
        finishes(suspended)
    }
}
