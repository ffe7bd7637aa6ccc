import Foundation
import Operations
import OperationsCore
import XCTest

/// Row "lifetime".
final class LifetimeTests: XCTestCase {
    private final class Token: Sendable {}

    func testLifetimeOfAQueueIsUntilItsOperationsFinish() {
        let end = Door()
        let ran = Counter()
        let last = BlockOperation { ran.increase() }
        weak var weakQueue: OperationQueue?
        do {
            let queue = makeQueue(width: 1)
            weakQueue = queue
            queue.addOperation { end.pass() }
            queue.addOperation(last)
        }
        XCTAssertNotNil(weakQueue)
        end.open()
        last.waitUntilFinished()
        XCTAssertEqual(ran.value, 1)
        eventually("A finished operation must not keep its queue.") { weakQueue == nil }
    }

    func testLifetimeOfAnEmptyQueueEndsAtOnce() {
        weak var weakQueue: OperationQueue?
        do {
            let queue = OperationQueue()
            weakQueue = queue
        }
        XCTAssertNil(weakQueue)
    }

    func testLifetimeOfOperationsEndsWithTheQueuesUse() {
        weak var weakOperation: Operation?
        let queue = makeQueue(width: 1)
        do {
            let operation = BlockOperation {}
            weakOperation = operation
            queue.addOperation(operation)
        }
        finishes(queue)
        eventually { weakOperation == nil }
    }

    func testLifetimeOfBlocksEndsAtTheFinish() {
        weak var weakToken: Token?
        let operation = BlockOperation()
        do {
            let token = Token()
            weakToken = token
            operation.addExecutionBlock { _ = token }
            operation.addExecutionBlock { _ = token }
            operation.completionBlock = { _ = token }
        }
        XCTAssertNotNil(weakToken)
        operation.start()
        XCTAssertTrue(operation.executionBlocks.isEmpty)
        eventually { weakToken == nil }
    }

    func testLifetimeOfBlocksEndsAtTheFinishWhenCancelled() {
        weak var weakToken: Token?
        let operation: BlockOperation
        do {
            let token = Token()
            weakToken = token
            operation = BlockOperation { _ = token }
        }
        operation.cancel()
        operation.start()
        XCTAssertNil(weakToken)
    }

    func testLifetimeOfALongChainThatRan() {
        let queue = makeQueue(width: 1)
        var previous: BlockOperation?
        for _ in 0..<300_000 {
            let operation = BlockOperation {}
            if let previous { operation.addDependency(previous) }
            queue.addOperation(operation)
            previous = operation
        }
        finishes(queue, within: 120)
        previous = nil
    }

    func testLifetimeOfAChainOfAMillionThatNeverRan() {
        weak var first: Operation?
        var previous: Operation?
        for index in 0..<1_000_000 {
            let operation = Operation()
            if index == 0 { first = operation }
            if let previous { operation.addDependency(previous) }
            previous = operation
        }
        XCTAssertNotNil(first)
        previous = nil
        XCTAssertNil(first)
    }
}
