import Foundation
import Operations
import OperationsCore
import XCTest

/// Row "dependencies".
final class DependencyTests: XCTestCase {
    func testDependenciesAcrossQueues() {
        let recorder = Recorder()
        let one = OperationQueue()
        let two = OperationQueue()
        let first = block("first", recorder)
        let second = block("second", recorder)
        let third = block("third", recorder)
        second.addDependency(first)
        third.addDependency(second)
        one.addOperation(third)
        two.addOperation(second)
        one.addOperation(first)
        finishes(one)
        finishes(two)
        XCTAssertEqual(recorder.all, ["first", "second", "third"])
    }

    func testDependenciesAddedToAReadyOneHoldItBack() {
        let queue = makeQueue(width: 1, suspended: true)
        let recorder = Recorder()
        let late = block("late", recorder)
        let other = block("other", recorder)
        let gate = block("gate", recorder)
        queue.addOperations([late, other], waitUntilFinished: false)
        late.addDependency(gate)
        XCTAssertFalse(late.isReady)
        queue.isSuspended = false
        other.waitUntilFinished()
        XCTAssertFalse(late.isFinished)
        queue.addOperation(gate)
        finishes(queue)
        XCTAssertEqual(recorder.all, ["other", "gate", "late"])
    }

    func testDependenciesRemovedMakeReady() {
        let queue = OperationQueue()
        let never = BlockOperation {}
        let operation = BlockOperation {}
        operation.addDependency(never)
        queue.addOperation(operation)
        operation.removeDependency(never)
        XCTAssertEqual(operation.dependencies, [])
        finishes(queue)
    }

    func testDependenciesTheSameTwiceCountsOnce() {
        let never = BlockOperation {}
        let operation = BlockOperation {}
        operation.addDependency(never)
        operation.addDependency(never)
        XCTAssertEqual(operation.dependencies.count, 1)
        operation.removeDependency(never)
        XCTAssertTrue(operation.isReady)
        operation.removeDependency(never)
        XCTAssertTrue(operation.isReady)
    }

    func testDependenciesFinishedOrCancelledAreMetAndStayListed() {
        let finished = BlockOperation {}
        finished.start()
        let cancelled = BlockOperation {}
        cancelled.cancel()
        let operation = BlockOperation {}
        operation.addDependency(finished)
        XCTAssertTrue(operation.isReady)
        operation.addDependency(cancelled)
        XCTAssertFalse(operation.isReady, "A cancelled dependency counts until it has finished.")
        cancelled.start()
        XCTAssertTrue(operation.isReady)
        XCTAssertEqual(operation.dependencies, [finished, cancelled])
    }

    func testDependenciesManyAreFoundAndRemoved() {
        let operation = BlockOperation {}
        let many = (0..<100).map { _ in BlockOperation {} }
        many.forEach(operation.addDependency)
        many.forEach(operation.addDependency)
        XCTAssertEqual(operation.dependencies, many)
        many[0..<60].forEach(operation.removeDependency)
        XCTAssertEqual(operation.dependencies, Array(many[60...]))
        for each in many[0..<60] { each.start() }
        XCTAssertFalse(operation.isReady)
        for each in many[60...] { each.start() }
        XCTAssertTrue(operation.isReady)
    }

    func testDependenciesAddedAfterTheStartChangeNothing() {
        let began = Door()
        let end = Door()
        let queue = OperationQueue()
        let operation = BlockOperation {
            began.open()
            end.pass()
        }
        queue.addOperation(operation)
        began.pass()
        operation.addDependency(BlockOperation {})
        end.open()
        finishes(queue)
        XCTAssertEqual(operation.dependencies.count, 1)
    }

    func testDependentsThatAreDroppedLeaveNothingBehind() {
        let first = BlockOperation {}
        weak var weakDependent: BlockOperation?
        autoreleasepool {
            let dependents = (0..<100).map { _ in BlockOperation { XCTFail("It ran.") } }
            for each in dependents { each.addDependency(first) }
            weakDependent = dependents[50]
        }
        XCTAssertNil(weakDependent)
        first.start()
    }
}

private func autoreleasepool(_ body: () -> Void) { body() }
