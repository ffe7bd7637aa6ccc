import Foundation
import Operations
import OperationsTesting
import Synchronization
import XCTest

@testable import OperationsCore

/// The races that must be impossible.
final class RaceTests: XCTestCase {
    // A local class would be none that Thread Sanitizer looks at.
    final class Writing: Operation, @unchecked Sendable {
        var written: [Int] = []
        override func main() { written.append(1) }
    }

    /// For Thread Sanitizer, which reported it once in some ten thousand times.
    func testWhatAnOperationWroteIsThereForWhoAwaitsIt() async {
        let queue = OperationQueue()
        for _ in 0..<many(2_000, sanitized: 30_000) {
            let operation = Writing()
            queue.addOperation(operation)
            await operation.untilFinished()
            XCTAssertEqual(operation.written.count, 1)
        }
    }

    func testMutualAddDependencyAtOnce() {
        for _ in 0..<many(3_000) {
            let pair = (Operation(), Operation())
            DispatchQueue.concurrentPerform(iterations: 2) { index in
                if index == 0 { pair.0.addDependency(pair.1) } else { pair.1.addDependency(pair.0) }
            }
            XCTAssertFalse(pair.0.isReady)
            XCTAssertFalse(pair.1.isReady)
            pair.0.removeDependency(pair.1)
            XCTAssertTrue(pair.0.isReady)
            pair.1.removeDependency(pair.0)
        }
    }

    func testReadingBlocksAgainstRunningThem() {
        let queue = makeQueue(width: 2)
        let (ran, count) = (Counter(), many(2_000))
        for _ in 0..<count {
            let operation = BlockOperation { ran.increase() }
            queue.addOperation(operation)
            XCTAssertLessThanOrEqual(operation.executionBlocks.count, 1)
            if operation.isFinished { XCTAssertTrue(operation.executionBlocks.isEmpty) }
        }
        finishes(queue)
        XCTAssertEqual(ran.value, count)
    }

    func testCancelAgainstStart() {
        for _ in 0..<50 {
            let queue = makeQueue(width: 2)
            let ran = Counter()
            let completed = Counter()
            let operations = (0..<40).map { _ in
                let operation = BlockOperation { ran.increase() }
                operation.completionBlock = { completed.increase() }
                return operation
            }
            queue.addOperations(operations, waitUntilFinished: false)
            for each in operations { each.cancel() }
            finishes(queue)
            eventually("every completion block") { completed.value == 40 }
            XCTAssertLessThanOrEqual(ran.value, 40)
            XCTAssertGreaterThanOrEqual(ran.value, operations.filter { !$0.isCancelled }.count)
        }
    }

    func testLastDependencyFinishingAgainstAddAndRemove() {
        for round in 0..<400 {
            let queue = makeQueue(width: 2)
            let other = makeQueue(width: 2)
            let ran = Counter()
            let dependencies = (0..<3).map { _ in BlockOperation {} }
            let extra = BlockOperation {}
            let operation = BlockOperation { ran.increase() }
            dependencies.forEach(operation.addDependency)
            queue.addOperation(operation)
            DispatchQueue.concurrentPerform(iterations: 3) { index in
                switch index {
                case 0: other.addOperations(dependencies, waitUntilFinished: false)
                case 1:
                    for _ in 0..<5 {
                        operation.addDependency(extra)
                        operation.removeDependency(extra)
                    }
                default: operation.removeDependency(dependencies[round % 3])
                }
            }
            finishes(queue)
            finishes(other)
            XCTAssertEqual(ran.value, 1)
        }
    }

    func testAddAndRemoveOfTheSameDependencyAtOnce() {
        for _ in 0..<400 {
            let queue = makeQueue(width: 1)
            let dependency = BlockOperation {}
            let operation = BlockOperation { XCTAssertTrue(dependency.isFinished) }
            operation.addDependency(dependency)
            let held = BlockOperation {}
            operation.addDependency(held)
            DispatchQueue.concurrentPerform(iterations: 2) { index in
                for _ in 0..<20 {
                    if index == 0 { operation.removeDependency(dependency) }
                    if index == 1 { operation.addDependency(dependency) }
                }
            }
            operation.addDependency(dependency)
            XCTAssertEqual(operation.dependencies.filter { $0 === dependency }.count, 1)
            queue.addOperations([operation, dependency, held], waitUntilFinished: true)
        }
    }

    /// A removal must not come between the halves of an addition: what would be left of the edge holds an operation
    /// back that does not know why, and outlives it.
    func testAddAndRemoveOfTheSameDependenciesAtOnceAgree() {
        let dependencies = (0..<40).map { _ in Operation() }
        for round in 0..<200 {
            let operation = Operation()
            DispatchQueue.concurrentPerform(iterations: 2) { index in
                for _ in 0..<5 {
                    for dependency in dependencies {
                        if index == 0 { operation.addDependency(dependency) }
                        if index == 1 { operation.removeDependency(dependency) }
                    }
                }
            }
            XCTAssertEqual(operation.state.unmetDependencies, operation.dependencies.count, "round \(round)")
        }
        dependencies.forEach { $0.start() }
    }

    /// What is let go of with its dependent is somebody's again, by a weak reference, before it is released.
    func testAWeakReferenceAgainstTheReleaseOfADependent() {
        // Each is touched by one thread at a time; the runtime guards weak references itself.
        final class Weak: @unchecked Sendable {
            weak var operation: Operation?
        }
        final class Held: @unchecked Sendable {
            var dependent: Operation?
        }
        let last = Operation()
        for round in 0..<many(400, long: 20_000) {
            let isOver = Atomic(false)
            let held = Held()
            let weak = (0..<200).map { _ in Weak() }
            do {
                let dependent = Operation()
                for each in weak {
                    let operation = Operation()
                    operation.addDependency(last)
                    dependent.addDependency(operation)
                    each.operation = operation
                }
                held.dependent = dependent
            }
            DispatchQueue.concurrentPerform(iterations: 2) { index in
                guard index == 0 else {
                    while !isOver.load(ordering: .acquiring) {
                        for each in weak.reversed() {
                            guard let kept = each.operation else { continue }
                            sched_yield()
                            XCTAssertEqual(kept.dependencies, [last], "round \(round)")
                            XCTAssertFalse(kept.isReady, "round \(round)")
                        }
                    }
                    return
                }
                held.dependent = nil
                isOver.store(true, ordering: .releasing)
            }
        }
    }

    /// Those who add, and those who look for work, know the same one.
    func testTwoThatSetTheQuality() {
        let queue = OperationQueue()
        for _ in 0..<many(5_000) {
            DispatchQueue.concurrentPerform(iterations: 2) { index in
                queue.qualityOfService = index == 0 ? .background : .userInitiated
            }
            XCTAssertEqual(queue.qualityOfService.code, queue.core.monitor.withLock { queue.core.state.quality })
        }
    }

    /// What a worker puts back, others run to its end, and with it the queue goes.
    func testSuspendingAQueueThatGoes() {
        let ran = Counter()
        for _ in 0..<many(2_000) {
            let queue = makeQueue(width: 1)
            for _ in 0..<3 { queue.addOperation { ran.increase() } }
            for _ in 0..<3 {
                queue.isSuspended = true
                queue.isSuspended = false
            }
        }
        eventually { ran.value == 3 * many(2_000) }
    }

    func testWidthAndSuspensionChangedWhileWorkersGoIdle() {
        let queue = makeQueue(width: 2)
        let (ran, count) = (Counter(), many(3_000))
        var random = SeededRandom(seed: 42)
        for _ in 0..<count {
            queue.addOperation { ran.increase() }
            switch Int.random(in: 0..<6, using: &random) {
            case 0: queue.maxConcurrentOperationCount = 0
            case 1: queue.maxConcurrentOperationCount = Int.random(in: 1...4, using: &random)
            case 2: queue.isSuspended = true
            case 3: queue.isSuspended = false
            case 4: queue.maxConcurrentOperationCount = -1
            default: break
            }
        }
        queue.isSuspended = false
        queue.maxConcurrentOperationCount = 1
        finishes(queue)
        XCTAssertEqual(ran.value, count)
    }

    func testWorkersGoIdleAgainstAdding() {
        for width in [1, 2, -1] {
            let queue = makeQueue(width: width)
            let ran = Counter()
            for count in 1...many(1_000) {
                queue.addOperation { ran.increase() }
                if count % 3 == 0 { eventually { ran.value == count } }
            }
            finishes(queue)
        }
    }

    func testReprioritisingAndCancellingAgainstRunning() {
        let queue = makeQueue(width: 2)
        let finished = Counter()
        let operations = (0..<2_000).map { index in
            let operation = BlockOperation {}
            operation.completionBlock = { finished.increase() }
            return operation
        }
        for (former, latter) in zip(operations, operations.dropFirst(10)) { latter.addDependency(former) }
        queue.addOperations(operations, waitUntilFinished: false)
        DispatchQueue.concurrentPerform(iterations: 2) { index in
            var random = SeededRandom(seed: UInt64(index))
            let levels: [Operation.QueuePriority] = [.veryLow, .low, .normal, .high, .veryHigh]
            for operation in operations.shuffled(using: &random) {
                if index == 0 { operation.queuePriority = levels[Int.random(in: 0..<5, using: &random)] }
                if index == 1, Bool.random(using: &random) { operation.cancel() }
            }
        }
        finishes(queue)
        eventually("every completion block") { finished.value == operations.count }
    }

    /// Random graphs across queues, with everything that can happen to them at once.
    func testRandomGraphs() {
        for seed in 1...20 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            let queues = [makeQueue(width: 1), makeQueue(width: 3), OperationQueue()]
            let ran = Counter()
            let operations = (0..<300).map { index -> Operation in
                let operation: Operation = index % 7 == 0 ? ManualOperation() : BlockOperation { ran.increase() }
                return operation
            }
            for (index, operation) in operations.enumerated().dropFirst() {
                for _ in 0..<Int.random(in: 0..<4, using: &random) {
                    operation.addDependency(operations[Int.random(in: max(0, index - 40)..<index, using: &random)])
                }
            }
            for operation in operations.shuffled(using: &random) {
                queues[Int.random(in: 0..<3, using: &random)].addOperation(operation)
                if Int.random(in: 0..<50, using: &random) == 0 { queues[1].addBarrierBlock { ran.increase() } }
            }
            let manual = operations.compactMap { $0 as? ManualOperation }
            DispatchQueue.concurrentPerform(iterations: 3) { index in
                var random = SeededRandom(seed: seed &* 31 &+ UInt64(index))
                for operation in operations.shuffled(using: &random) {
                    switch Int.random(in: 0..<10, using: &random) {
                    case 0: operation.cancel()
                    case 1: operation.queuePriority = .high
                    case 2: operation.dependencies.randomElement(using: &random).map(operation.removeDependency)
                    default: break
                    }
                }
            }
            // A barrier may wait for what depends on something behind it: cancelling frees that.
            for each in queues { each.cancelAllOperations() }
            for each in manual { each.finish() }
            for queue in queues { finishes(queue) }
            XCTAssertTrue(operations.allSatisfy(\.isFinished), "seed \(seed)")
        }
    }
}
