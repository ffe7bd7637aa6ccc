import Foundation
import Operations
import XCTest

@testable import OperationsCore

/// Published subclasses begin work of their own in `isReady`, because key-value observing reads it after each change.
private final class AskedOperation: Operation, @unchecked Sendable {
    private let lock = NSLock()
    private var _answers: [Bool] = []

    var answers: [Bool] {
        lock.withLock { _answers }
    }

    override var isReady: Bool {
        let isReady = super.isReady
        lock.withLock { _answers.append(isReady) }
        return isReady
    }
}

/// Cancels itself when it is asked, as one does whose reason to run is gone.
private final class CancellingWhenAsked: Operation, @unchecked Sendable {
    let asked = Counter()
    override var isReady: Bool {
        asked.increase()
        cancel()
        return super.isReady
    }
}

final class ReadinessAskedTests: XCTestCase {
    func testOneThatCancelsItselfInIt() {
        let operation = CancellingWhenAsked()
        operation.cancel()
        XCTAssertTrue(operation.isCancelled)
        XCTAssertEqual(operation.asked.value, 1)
        let dependent = CancellingWhenAsked()
        let dependency = BlockOperation {}
        dependent.addDependency(dependency)
        dependency.start()
        XCTAssertTrue(dependent.isCancelled)
        XCTAssertEqual(dependent.asked.value, 2)
    }

    /// Many that depend on one that lives long, and are dropped, or ask again and again, leave nothing in it.
    func testThoseThatComeAndGoLeaveNothingInTheirDependency() {
        let (dependency, stays) = (BlockOperation {}, AskedOperation())
        for _ in 0..<10_000 {
            AskedOperation().addDependency(dependency)
            stays.addDependency(dependency)
            stays.removeDependency(dependency)
        }
        XCTAssertLessThan(dependency.extras?.askedDependents.references.count ?? 0, 100)
        let before = stays.answers.count
        stays.addDependency(dependency)
        dependency.start()
        eventually("it is asked") { stays.answers.count == before + 1 }
    }

    func testItIsAskedWhenTheLastDependencyFinishes_inNoQueue() {
        let asked = AskedOperation()
        let queue = OperationQueue()
        queue.isSuspended = true
        let dependencies = (0..<2).map { _ in BlockOperation {} }
        for dependency in dependencies {
            asked.addDependency(dependency)
            queue.addOperation(dependency)
        }
        queue.isSuspended = false
        queue.waitUntilAllOperationsAreFinished()
        expectAsked(asked)
    }

    /// The dependency has finished, and others of the many that wait for it are told first. ProcedureKit stood still there.
    func testItIsAskedWhenItsDependencyFinishesWhileItIsAdded() {
        var hindered: [AskedOperation] = []
        for _ in 0..<many(2_000, sanitized: 500) {
            let (dependency, started, end) = (BlockOperation {}, Counter(), Counter())
            let others = (0..<200).map { _ in BlockOperation {} }
            for other in others { other.addDependency(dependency) }
            let asked = AskedOperation()
            Thread.detachNewThread {
                started.increase()
                dependency.start()
                end.increase()
            }
            while started.value == 0 { sched_yield() }
            for _ in 0..<Int.random(in: 0..<4_000) where end.value > 0 { break }
            asked.addDependency(dependency)
            if !asked.isReady { hindered.append(asked) }
            while end.value == 0 { sched_yield() }
            withExtendedLifetime(others) {}
        }
        eventually("all are asked", within: 5) { hindered.allSatisfy { $0.answers.contains(true) } }
    }

    func testItIsReadAfterAReport_inNoQueue() {
        let asked = AskedOperation()
        asked.willChangeValue(forKey: "isReady")
        asked.didChangeValue(forKey: "isReady")
        XCTAssertEqual(asked.answers, [true])
        asked.addDependency(BlockOperation {})
        asked.didChangeValue(for: \.isReady)
        XCTAssertEqual(asked.answers, [true, false])
    }

    func testItIsAskedWhenTheOperationIsCancelled_inNoQueue() {
        let asked = AskedOperation()
        asked.addDependency(BlockOperation {})
        asked.cancel()
        expectAsked(asked)
    }

    func testItIsAskedWhenTheLastDependencyIsRemoved_inNoQueue() {
        let (asked, dependency) = (AskedOperation(), BlockOperation {})
        asked.addDependency(dependency)
        asked.removeDependency(dependency)
        expectAsked(asked)
    }

    /// Whoever finishes an operation may release one that depends on it at the same time.
    func testItIsNotAskedOfOneThatIsGone() {
        for _ in 0..<many(2_000, sanitized: 500) {
            let dependency = BlockOperation {}
            var asked: AskedOperation? = AskedOperation()
            asked?.addDependency(dependency)
            let started = Door()
            Thread.detachNewThread {
                started.open()
                dependency.start()
            }
            started.pass()
            asked = nil
            dependency.waitUntilFinished()
        }
        let dependency = BlockOperation {}
        weak var gone: AskedOperation?
        do {
            let asked = AskedOperation()
            asked.addDependency(dependency)
            gone = asked
        }
        XCTAssertNil(gone)
        dependency.start()
    }

    private func expectAsked(_ asked: AskedOperation, line: UInt = #line) {
        let deadline = Date() + 30
        while asked.answers.last != true, Date() < deadline { usleep(1_000) }
        XCTAssertEqual(asked.answers.last, true, "nobody read isReady after the change", line: line)
    }
}
