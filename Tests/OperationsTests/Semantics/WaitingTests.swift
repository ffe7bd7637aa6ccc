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
            // What another test has left may be reported, too.
            func report() -> String? { reports.all.first { $0.contains("'narrow'") } }
            eventually("the report") { report() != nil }
            for name in ["'outer'", "'inner'"] { XCTAssertEqual(report()?.contains(name), true, report() ?? "") }
            queue.maxConcurrentOperationCount = 2
            finishes(queue)
        }
    }

    /// Each operation waits for one that the other's queue could start only after it.
    func testWaitingThatCanNeverEndAcrossQueuesIsLogged() {
        let queues = [makeQueue(width: 1, suspended: true), makeQueue(width: 1, suspended: true)]
        collectingReports { reports in
            let inner = queues.indices.map { index in
                let operation = BlockOperation {}
                operation.name = "inner \(index)"
                return operation
            }
            for (index, queue) in queues.enumerated() {
                queue.name = "queue \(index)"
                let target = inner[1 - index]
                let outer = BlockOperation { target.waitUntilFinished() }
                outer.name = "outer \(index)"
                queue.addOperations([outer, inner[index]], waitUntilFinished: false)
            }
            for queue in queues { queue.isSuspended = false }
            eventually("the report") { !reports.all.isEmpty }
            let report = reports.all.first ?? ""
            for name in ["queue 0", "outer ", "inner ", "queue 1"] {
                XCTAssertTrue(report.contains("'\(name)"), report)
            }
            queues[0].maxConcurrentOperationCount = 2
            queues.forEach { finishes($0) }
        }
    }

    /// The operation that is waited for has a place, but depends on one that has none.
    func testWaitingForWhatDependsOnOnesOwnQueueIsLogged() {
        let (narrow, wide) = (makeQueue(width: 1), makeQueue(width: 4))
        collectingReports { reports in
            let (held, target) = (BlockOperation {}, BlockOperation {})
            target.addDependency(held)
            target.name = "target"
            wide.addOperation(target)
            narrow.addOperations([BlockOperation { target.waitUntilFinished() }, held], waitUntilFinished: false)
            eventually("the report") { reports.all.contains { $0.contains("'target'") } }
            narrow.maxConcurrentOperationCount = 2
            finishes(narrow)
            finishes(wide)
        }
    }

    func testWaitingForWorkThatTakesLongIsNotLogged() {
        let (queue, other) = (makeQueue(width: 1), makeQueue(width: 1))
        collectingReports { reports in
            let (long, second) = (ManualOperation(), BlockOperation {})
            other.addOperations([long, second], waitUntilFinished: false)
            long.began.pass()
            queue.addOperation { second.waitUntilFinished() }
            // In a suspended queue, and so reported: by then the one above has been looked into too.
            let (suspended, witness) = (makeQueue(width: 1, suspended: true), makeQueue(width: 1))
            let never = BlockOperation {}
            never.name = "never"
            suspended.addOperation(never)
            eventually { queue.operations.first?.isExecuting == true }
            witness.addOperation { never.waitUntilFinished() }
            eventually("the report of the other") { !reports.all.isEmpty }
            XCTAssertTrue(reports.all.allSatisfy { $0.contains("'never'") }, "\(reports.all)")
            suspended.isSuspended = false
            long.finish()
            for queue in [queue, other, suspended, witness] { finishes(queue) }
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

    /// It can end, if another thread finishes the operation, and is probably a mistake.
    func testWaitingForOnesOwnQueueInExecuteIsLogged() {
        final class Waits: AsyncOperation, @unchecked Sendable {
            let queue: OperationQueue
            init(_ queue: OperationQueue) { self.queue = queue }
            override func execute() { queue.waitUntilAllOperationsAreFinished() }
        }
        let queue = makeQueue(width: 1)
        let operation = Waits(queue)
        operation.name = "waits"
        collectingReports { reports in
            queue.addOperation(operation)
            eventually("it is logged", within: 10) { reports.all.contains { $0.contains("'waits'") } }
            operation.finish()
            finishes(queue)
        }
    }
}
