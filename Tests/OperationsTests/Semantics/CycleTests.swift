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

    /// One that says itself when it works, by the pattern of Apple's guide.
    func testADependencyThatWasStartedByHandIsNotMissing() {
        final class Published: Operation, @unchecked Sendable {
            private let (began, ended) = (Flag(), Flag())
            override var isExecuting: Bool { began.isSet && !ended.isSet }
            override var isFinished: Bool { ended.isSet }
            override func start() {
                willChangeValue(forKey: "isExecuting")
                began.set()
                didChangeValue(forKey: "isExecuting")
            }
            func end() {
                willChangeValue(forKey: "isFinished")
                ended.set()
                didChangeValue(forKey: "isFinished")
            }
        }
        let (queue, dependency, waiting) = (OperationQueue(), Published(), BlockOperation {})
        dependency.name = "dependency"
        waiting.name = "waiting"
        waiting.addDependency(dependency)
        queue.addOperation(waiting)
        XCTAssertEqual(
            queue.diagnostics.issues, [.dependencyNotEnqueued(operation: "waiting", dependency: "dependency")])
        dependency.start()
        XCTAssertEqual(queue.diagnostics.issues, [])
        dependency.end()
        finishes(queue)
    }

    func testSeveralCyclesAreNamed() {
        let (queue, other) = (OperationQueue(), OperationQueue())
        let names = ["start", "a", "b", "c", "d"]
        let all = names.map { name in
            let operation = BlockOperation {}
            operation.name = name
            return operation
        }
        for (from, to) in [(0, 1), (0, 3), (1, 2), (2, 1), (3, 4), (4, 3)] { all[from].addDependency(all[to]) }
        other.addOperations(Array(all[1...]), waitUntilFinished: false)
        queue.addOperation(all[0])
        XCTAssertEqual(queue.diagnostics.issues, [.cycle(path: ["c", "d"]), .cycle(path: ["a", "b"])])
        // An operation is named once, also where several cycles share it.
        all[2].addDependency(all[3])
        all[3].addDependency(all[2])
        XCTAssertEqual(queue.diagnostics.issues, [.cycle(path: ["c", "b"])])
        for member in all { all.forEach(member.removeDependency) }
        finishes(queue)
        finishes(other)
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
