import Foundation
import Operations
import OperationsCore
import XCTest

/// `states` of an operation and `events` of a queue.
final class ObservationTests: XCTestCase {
    func testStatesOfAnOperation() async {
        let queue = makeQueue(width: 1)
        let (first, second) = (ManualOperation(), BlockOperation {})
        second.addDependency(first)
        let states = second.states
        let late = first.states
        queue.addOperations([first, second])
        first.began.pass()
        first.finish()
        var seen: [Operation.ExecutionState] = []
        for await state in states { seen.append(state) }
        XCTAssertEqual(seen, [.pending, .ready, .executing, .finished])
        seen = []
        for await state in late { seen.append(state) }
        XCTAssertEqual(seen, [.pending, .ready, .executing, .finished])
        seen = []
        for await state in second.states { seen.append(state) }
        XCTAssertEqual(seen, [.finished])
    }

    func testStatesOfACancelledOperation() async {
        let queue = makeQueue(width: 1, suspended: true)
        let operation = BlockOperation {}
        queue.addOperation(operation)
        let states = operation.states
        operation.cancel()
        queue.isSuspended = false
        var seen: [Operation.ExecutionState] = []
        for await state in states { seen.append(state) }
        XCTAssertEqual(seen, [.ready, .finished])
    }

    func testStatesWithoutAQueue() async {
        let operation = BlockOperation {}
        let states = operation.states
        operation.start()
        var seen: [Operation.ExecutionState] = []
        for await state in states { seen.append(state) }
        XCTAssertEqual(seen, [.pending, .executing, .finished])
    }

    func testEventsOfAQueue() async {
        let queue = makeQueue(width: 1, suspended: true)
        let events = queue.events()
        let (first, second, third) = (BlockOperation {}, BlockOperation {}, BlockOperation {})
        for (operation, name) in [(first, "a"), (second, "b"), (third, "c")] { operation.name = name }
        first.addDependency(second)
        third.cancel()
        queue.addOperations([first, second, third])
        queue.isSuspended = false
        var seen: [String] = []
        for await event in events {
            seen.append("\(event.kind) \(event.operation.name ?? "")")
            if seen.count == 11 { break }
        }
        XCTAssertEqual(
            seen,
            [
                "added a", "added b", "ready b", "added c", "ready c", "started b", "finished b", "ready a",
                "started a", "finished a", "finished c",
            ])
    }

    func testEventsEndWithTheQueue() async {
        var queue: OperationQueue? = makeQueue(width: 1)
        guard let events = queue?.events() else { return XCTFail("No queue.") }
        queue?.addTask {}
        queue = nil
        var kinds: [QueueEvent.Kind] = []
        for await event in events { kinds.append(event.kind) }
        XCTAssertEqual(kinds, [.added, .ready, .started, .finished])
    }

    func testEveryOperationIsReportedOnceInOrder() async {
        let queue = makeQueue(width: 4)
        let events = queue.events()
        let count = 2_000
        let operations = (0..<count).map { _ in BlockOperation {} }
        for index in stride(from: 0, to: count - 1, by: 2) { operations[index].addDependency(operations[index + 1]) }
        Thread.detachNewThread { for operation in operations { queue.addOperation(operation) } }
        var seen: [ObjectIdentifier: [QueueEvent.Kind]] = [:]
        var finished = 0
        for await event in events {
            seen[ObjectIdentifier(event.operation), default: []].append(event.kind)
            if event.kind == .finished { finished += 1 }
            if event.kind == .started {
                for dependency in event.operation.dependencies {
                    XCTAssertEqual(seen[ObjectIdentifier(dependency)]?.last, .finished)
                }
            }
            if finished == count { break }
        }
        for operation in operations {
            XCTAssertEqual(seen[ObjectIdentifier(operation)], [.added, .ready, .started, .finished])
        }
    }
}

extension OperationQueue {
    /// Adds without waiting, also from a task.
    fileprivate func addOperations(_ operations: [Operation]) {
        for operation in operations { addOperation(operation) }
    }
}
