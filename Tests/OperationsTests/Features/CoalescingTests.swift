import Foundation
import Operations
import OperationsCore
import XCTest

/// Coalescing: the same key gives the same task, and the last holder cancels it.
final class CoalescingTests: XCTestCase {
    func testTheSameKeyGivesTheSameTask() async throws {
        let tasks = SharedTasks<String, Int>(queue: makeQueue(width: 2))
        let (gate, runs) = (Gate(), Counter())
        let holders = (0..<10).map { index in
            tasks.task(for: index < 9 ? "a" : "b") {
                await gate.pass()
                return runs.increase()
            }
        }
        XCTAssertTrue(holders[..<9].allSatisfy { $0.operation === holders[0].operation })
        XCTAssertFalse(holders[9].operation === holders[0].operation)
        XCTAssertEqual(tasks.count, 2)
        gate.open()
        let first = try await holders[0].value
        for holder in holders[..<9] {
            let value = try await holder.value
            XCTAssertEqual(value, first)
        }
        _ = await holders[9].result
        XCTAssertEqual(runs.value, 2)
        eventually("the keys are free") { tasks.count == 0 }
        let again = try await tasks.task(for: "a") { 77 }.value
        XCTAssertEqual(again, 77)
    }

    func testOnlyTheLastHolderCancels() async {
        let queue = makeQueue(width: 1, suspended: true)
        let tasks = SharedTasks<Int, Int>(queue: queue)
        let holders = (0..<3).map { _ in tasks.task(for: 1) { 1 } }
        holders[0].cancel()
        holders[0].cancel()
        holders[0].cancel()
        holders[1].cancel()
        XCTAssertFalse(holders[2].operation.isCancelled)
        XCTAssertTrue(holders[0].isCancelled)
        holders[2].cancel()
        XCTAssertTrue(holders[2].operation.isCancelled)
        let next = tasks.task(for: 1) { 2 }
        XCTAssertFalse(next.operation === holders[0].operation)
        queue.isSuspended = false
        let value = try? await next.value
        XCTAssertEqual(value, 2)
        eventually("the keys are free") { tasks.count == 0 }
    }

    func testATaskThatWasGivenUpDoesNotFreeTheKeyOfTheNext() async throws {
        let tasks = SharedTasks<Int, Int>(queue: makeQueue(width: 2))
        let (first, second, began) = (Gate(), Gate(), Gate())
        let old = tasks.task(for: 1) {
            began.open()
            await first.pass()
            return 1
        }
        await began.pass()
        old.cancel()
        let new = tasks.task(for: 1) {
            await second.pass()
            return 2
        }
        first.open()
        _ = await old.result
        let joined = tasks.task(for: 1) { 3 }
        XCTAssertTrue(joined.operation === new.operation)
        XCTAssertEqual(tasks.count, 1)
        second.open()
        let value = try await joined.value
        XCTAssertEqual(value, 2)
        eventually("the key is free") { tasks.count == 0 }
    }

    func testJoiningRaisesItAndWhatItDependsOn() {
        let queue = makeQueue(width: 1, suspended: true)
        let tasks = SharedTasks<Int, Int>(queue: queue)
        let first = BlockOperation {}
        let second = BlockOperation {}
        second.addDependency(first)
        queue.addOperations([first, second], waitUntilFinished: false)
        let low = tasks.task(for: 1, priority: .low, dependencies: [second]) { 1 }
        XCTAssertEqual(low.operation.queuePriority, .low)
        let high = tasks.task(for: 1, priority: .high) { 2 }
        _ = tasks.task(for: 1, priority: .background) { 3 }
        XCTAssertEqual([first, second, high.operation].map(\.queuePriority), [.high, .high, .high])
        queue.isSuspended = false
        finishes(queue)
    }

    func testJoiningAgainstLettingGo() async {
        let tasks = SharedTasks<Int, Int>(queue: makeQueue(width: 4))
        let wrong = Counter()
        await withTaskGroup { group in
            for worker in 0..<4 {
                group.addTask {
                    for round in 0..<1_000 {
                        let holder = tasks.task(for: round % 3) {
                            await Task.yield()
                            return round % 3
                        }
                        if (round + worker) % 2 == 0 {
                            holder.cancel()
                        } else if case .success(let value) = await holder.result, value == round % 3 {
                            continue
                        } else {
                            // One who holds on must not be cancelled by those who let go.
                            wrong.increase()
                        }
                    }
                }
            }
        }
        XCTAssertEqual(wrong.value, 0)
        eventually("the keys are free") { tasks.count == 0 }
    }
}
