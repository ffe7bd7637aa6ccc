import Foundation
import Operations
import XCTest

/// `then`: a value that flows along a dependency.
final class ThenTests: XCTestCase {
    func testAValueFlowsAcrossQueues() async throws {
        let (first, second) = (makeQueue(width: 1), makeQueue(width: 1))
        let text = first.addTask { 20 }.then(on: second) { $0 + 1 }.then(on: first) { "\($0)" }
        let value = try await text.value
        XCTAssertEqual(value, "21")
    }

    func testAFailurePassesOn() async {
        let (queue, ran) = (makeQueue(width: 1), Counter())
        let last = queue.addTask { () async throws -> Int in throw Fault("first") }
            .then(on: queue) { _ in ran.increase() }
            .then(on: queue) { _ in ran.increase() }
        let result = await last.result
        XCTAssertThrowsError(try result.get()) { XCTAssertEqual($0 as? Fault, Fault("first")) }
        XCTAssertEqual(ran.value, 0)
        XCTAssertTrue(last.isCancelled)
    }

    /// A cancellation goes to what comes after, and never back.
    func testCancellingTheLaterOneLeavesTheEarlierOneRunning() async throws {
        let (queue, inside) = (makeQueue(width: 1), Flag())
        let (untilItGoesOn, goesOn) = AsyncStream<Never>.makeStream()
        let first = queue.addTask {
            inside.set()
            for await _ in untilItGoesOn {}
            return 1
        }
        let last = first.then(on: queue) { $0 + 1 }
        eventually("the first one runs") { inside.isSet }
        last.cancel()
        XCTAssertTrue(last.isCancelled)
        XCTAssertFalse(first.isCancelled)
        goesOn.finish()
        let value = try await first.value
        XCTAssertEqual(value, 1)
    }

    func testAfterTheFinish() async throws {
        let queue = makeQueue(width: 1)
        let done = queue.addTask { 4 }
        _ = await done.result
        let value = try await done.then(on: queue) { $0 * 2 }.value
        XCTAssertEqual(value, 8)
        let failed = queue.addTask { () async throws -> Int in throw Fault("early") }
        _ = await failed.result
        let next = await failed.then(on: queue) { $0 }.result
        XCTAssertThrowsError(try next.get()) { XCTAssertEqual($0 as? Fault, Fault("early")) }
    }

    /// Of a long chain the last one is kept, and what somebody holds.
    func testAChainThatHasFinishedKeepsNoValues() async throws {
        final class Value: Sendable {
            let living: Counter
            let number: Int
            init(_ number: Int, _ living: Counter, _ made: Counter) {
                (self.number, self.living) = (number, living)
                made.increase()
            }
            deinit { living.increase() }
        }
        let (queue, made, released) = (makeQueue(width: 1, suspended: true), Counter(), Counter())
        let count = many(10_000)
        let first = queue.addTask { Value(0, released, made) }
        var last = first
        for _ in 0..<count { last = last.then(on: queue) { Value($0.number + 1, released, made) } }
        queue.isSuspended = false
        let number = try await last.value.number
        XCTAssertEqual(number, count)
        let firstNumber = try await first.value.number
        XCTAssertEqual(firstNumber, 0)
        eventually("all but two are released") { made.value - released.value == 2 }
        XCTAssertEqual(made.value, count + 1)
    }

    /// What was dropped is in the trace all the same.
    func testATraceHasTheArrowsOfAChain() async throws {
        let queue = makeQueue(width: 1)
        let trace = OperationTrace(of: [queue])
        let last = queue.addTask(name: "first") { 1 }.then(on: queue, name: "second") { $0 + 1 }
            .then(on: queue, name: "third") { $0 + 1 }
        _ = try await last.value
        trace.stop()
        let lines = trace.dot().split(separator: "\n").filter { $0.contains("->") }
        XCTAssertEqual(lines.count, 2, trace.dot())
    }
}
