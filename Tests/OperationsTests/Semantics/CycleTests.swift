import Foundation
import Operations
import OperationsCore
import XCTest

/// Row "cycles".
final class CycleTests: XCTestCase {
    private func makeCycle() -> [BlockOperation] {
        let operations = ["a", "b", "c"].map { name in
            let operation = BlockOperation {}
            operation.name = name
            return operation
        }
        operations[0].addDependency(operations[1])
        operations[1].addDependency(operations[2])
        operations[2].addDependency(operations[0])
        return operations
    }

    func testCyclesAreNamedAndCancellingAMemberFreesTheRest() {
        let queue = OperationQueue()
        let operations = makeCycle()
        queue.addOperations(operations, waitUntilFinished: false)
        XCTAssertEqual(queue.diagnostics.issues, [.cycle(path: ["a", "b", "c"])])
        XCTAssertTrue(queue.diagnostics.description.contains("'a' -> 'b' -> 'c' -> 'a'"))
        operations[1].cancel()
        finishes(queue)
        XCTAssertEqual(queue.diagnostics.issues, [])
        for member in operations { operations.forEach(member.removeDependency) }
    }

    func testCyclesAcrossQueues() {
        let operations = makeCycle()
        let queues = operations.map { operation in
            let queue = OperationQueue()
            queue.addOperation(operation)
            return queue
        }
        XCTAssertEqual(queues[1].diagnostics.issues, [.cycle(path: ["b", "c", "a"])])
        operations[0].removeDependency(operations[1])
        for each in queues { finishes(each) }
        for member in operations { operations.forEach(member.removeDependency) }
    }

    func testCyclesDependencyNeverEnqueuedIsNamed() {
        let queue = OperationQueue()
        let forgotten = BlockOperation {}
        forgotten.name = "forgotten"
        let waiting = BlockOperation {}
        waiting.name = "waiting"
        waiting.addDependency(forgotten)
        queue.addOperation(waiting)
        let issue = QueueDiagnostics.Issue.dependencyNotEnqueued(operation: "waiting", dependency: "forgotten")
        XCTAssertEqual(queue.diagnostics.issues, [issue])
        queue.addOperation(forgotten)
        finishes(queue)
    }

    func testCyclesAreLoggedInDebugBuilds() {
        #if DEBUG
            collectingReports { reports in
                let queue = OperationQueue()
                queue.name = "stuck"
                let operations = makeCycle()
                queue.addOperations(operations, waitUntilFinished: false)
                eventually("the report") { reports.all.contains { $0.contains("'a' -> 'b' -> 'c' -> 'a'") } }
                queue.cancelAllOperations()
                finishes(queue)
                for member in operations { operations.forEach(member.removeDependency) }
            }
        #endif
    }

    func testDiagnosticsOfALongChainDoesNotOverflowTheStack() {
        let queue = makeQueue(width: 1, suspended: true)
        var previous = BlockOperation {}
        queue.addOperation(previous)
        for _ in 0..<20_000 {
            let operation = BlockOperation {}
            operation.addDependency(previous)
            queue.addOperation(operation)
            previous = operation
        }
        XCTAssertEqual(queue.diagnostics.issues, [])
        queue.isSuspended = false
        finishes(queue)
    }
}
