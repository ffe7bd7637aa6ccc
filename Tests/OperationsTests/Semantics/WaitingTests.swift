import Foundation
import Operations
import OperationsCore
import XCTest

/// Row "waiting".
final class WaitingTests: XCTestCase {
    func testWaitingForAllAndForSome() {
        let queue = makeQueue(width: 3)
        let counter = Counter()
        queue.addOperations((0..<100).map { _ in BlockOperation { counter.increase() } }, waitUntilFinished: true)
        XCTAssertEqual(counter.value, 100)
        XCTAssertEqual(queue.operationCount, 0)
        for _ in 0..<100 { queue.addOperation { counter.increase() } }
        queue.waitUntilAllOperationsAreFinished()
        XCTAssertEqual(counter.value, 200)
        queue.addOperations([], waitUntilFinished: true)
    }

    func testWaitingSeesTheQueueWithoutTheOperation() {
        let queue = makeQueue(width: 1)
        for _ in 0..<2_000 {
            let operation = BlockOperation {}
            queue.addOperation(operation)
            operation.waitUntilFinished()
            XCTAssertEqual(queue.operationCount, 0)
        }
    }

    func testWaitingOfManyThreads() {
        let queue = makeQueue(width: 1)
        let operation = ManualOperation()
        let woken = Counter()
        for _ in 0..<20 {
            Thread.detachNewThread {
                operation.waitUntilFinished()
                woken.increase()
            }
        }
        queue.addOperation(operation)
        operation.began.pass()
        operation.finish()
        eventually { woken.value == 20 }
    }

    func testWaitingThatCanNeverEndInsideOnesOwnQueueIsLogged() {
        let queue = makeQueue(width: 1)
        queue.name = "narrow"
        collectingReports { reports in
            let inner = BlockOperation {}
            inner.name = "inner"
            let outer = BlockOperation { inner.waitUntilFinished() }
            outer.name = "outer"
            queue.addOperations([outer, inner], waitUntilFinished: false)
            eventually("the report") { !reports.all.isEmpty }
            let report = reports.all.first ?? ""
            for name in ["narrow", "outer", "inner"] { XCTAssertTrue(report.contains("'\(name)'"), report) }
            queue.maxConcurrentOperationCount = 2
            finishes(queue)
        }
    }

    func testWaitingInsideOnesOwnQueueWithRoomIsFine() {
        let queue = makeQueue(width: 2)
        let inner = BlockOperation {}
        queue.addOperation {
            queue.addOperation(inner)
            inner.waitUntilFinished()
        }
        finishes(queue)
    }

    func testWaitingAfterSuperStartDoesNotHoldUpTheNextOperation() {
        final class Lingering: Operation, @unchecked Sendable {
            let next: Operation
            init(next: Operation) { self.next = next }
            override func start() {
                super.start()
                next.waitUntilFinished()
            }
        }
        let queue = makeQueue(width: 1)
        let next = BlockOperation {}
        queue.addOperations([Lingering(next: next), next], waitUntilFinished: false)
        finishes(queue)
    }
}
