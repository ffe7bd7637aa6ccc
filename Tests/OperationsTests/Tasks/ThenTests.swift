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
}
