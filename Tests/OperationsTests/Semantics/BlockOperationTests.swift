import Foundation
import Operations
import OperationsCore
import XCTest

/// Rows "BlockOperation", "progress" and "QoS".
final class BlockOperationTests: XCTestCase {
    func testBlockOperationRunsItsBlocksConcurrentlyAndCountsAsOne() {
        let queue = makeQueue(width: 1)
        let inside = Occupancy()
        let end = Door()
        let operation = BlockOperation()
        for _ in 0..<6 {
            operation.addExecutionBlock {
                inside.enter()
                end.pass()
                inside.leave()
            }
        }
        XCTAssertEqual(operation.executionBlocks.count, 6)
        let next = BlockOperation { XCTAssertEqual(inside.now, 0) }
        queue.addOperations([operation, next], waitUntilFinished: false)
        eventually("six at once") { inside.now == 6 }
        XCTAssertFalse(operation.isFinished)
        XCTAssertEqual(queue.operationCount, 2)
        end.open()
        finishes(queue)
    }

    func testBlockOperationOnASerialQueueStillFinishes() {
        let queue = OperationQueue()
        queue.underlyingQueue = DispatchQueue(label: "serial")
        let counter = Counter()
        let operation = BlockOperation { counter.increase() }
        for _ in 0..<5 { operation.addExecutionBlock { counter.increase() } }
        queue.addOperation(operation)
        finishes(queue)
        XCTAssertEqual(counter.value, 6)
    }

    func testBlockOperationWithoutBlocksFinishes() {
        OperationQueue().addOperations([BlockOperation()], waitUntilFinished: true)
    }

    func testBlockOperationByHand() {
        let counter = Counter()
        let operation = BlockOperation { counter.increase() }
        operation.addExecutionBlock { counter.increase() }
        operation.start()
        XCTAssertEqual(counter.value, 2)
    }

    // MARK: Progress

    func testProgressReportsNothingUntilItsTotalIsSet() {
        let queue = makeQueue(width: 1)
        queue.addOperations([BlockOperation {}], waitUntilFinished: true)
        XCTAssertEqual(queue.progress.completedUnitCount, 0)
    }

    func testProgressCountsOperationsOnceItsTotalIsSet() {
        let queue = makeQueue(width: 2)
        queue.progress.totalUnitCount = 10
        let operations = (0..<4).map { _ in BlockOperation {} }
        queue.addOperations(operations, waitUntilFinished: true)
        queue.addBarrierBlock {}
        finishes(queue)
        XCTAssertEqual(queue.progress.fractionCompleted, 0.4, accuracy: 1e-9)
        let asynchronous = ManualOperation()
        queue.addOperation(asynchronous)
        asynchronous.began.pass()
        XCTAssertEqual(queue.progress.fractionCompleted, 0.4, accuracy: 1e-9)
        asynchronous.finish()
        finishes(queue)
        eventually { abs(queue.progress.fractionCompleted - 0.5) < 1e-9 }
    }

    func testProgressOfManyThatEndAtOnceCountsEachOnce() {
        for _ in 0..<20 {
            let queue = makeQueue(width: 4)
            queue.progress.totalUnitCount = 400
            queue.addOperations((0..<400).map { _ in BlockOperation {} }, waitUntilFinished: true)
            XCTAssertEqual(queue.progress.fractionCompleted, 1, accuracy: 1e-9)
        }
    }

    func testProgressTakesInWhatAnOperationReports() {
        let queue = makeQueue(width: 1)
        queue.progress.totalUnitCount = 2
        let half = Door()
        let end = Door()
        queue.addOperation {
            let own = Progress(totalUnitCount: 100)
            own.completedUnitCount = 50
            half.open()
            end.pass()
            own.completedUnitCount = 100
        }
        half.pass()
        XCTAssertEqual(queue.progress.fractionCompleted, 0.25, accuracy: 1e-9)
        end.open()
        finishes(queue)
        XCTAssertEqual(queue.progress.fractionCompleted, 0.5, accuracy: 1e-9)
    }

    // MARK: Quality of service

    func testQoSChoosesThreadsOfAHigherNiceness() {
        let own = niceness()
        let queue = makeQueue(width: 3)
        let seen = Recorder()
        let expected: [(QualityOfService, Int32)] = [(.userInteractive, 0), (.utility, 5), (.background, 10)]
        for _ in 0..<20 {
            for (quality, added) in expected {
                let operation = BlockOperation {
                    if niceness() != min(19, own + added) { seen.note("\(quality.rawValue) at \(niceness())") }
                }
                operation.qualityOfService = quality
                XCTAssertEqual(operation.qualityOfService, quality)
                queue.addOperation(operation)
            }
        }
        finishes(queue)
        XCTAssertEqual(seen.all, [])
        XCTAssertEqual(BlockOperation().qualityOfService, .default)
    }

    func testQoSOfTheQueueCountsForOperationsWithoutTheirOwn() {
        let own = niceness()
        let queue = OperationQueue()
        queue.qualityOfService = .background
        XCTAssertEqual(queue.qualityOfService, .background)
        let seen = Recorder()
        queue.addOperation { seen.note("\(niceness())") }
        queue.addBarrierBlock { seen.note("\(niceness())") }
        finishes(queue)
        XCTAssertEqual(seen.all, Array(repeating: "\(min(19, own + 10))", count: 2))
    }

    /// Whatever ran before it.
    func testABarrierRunsAtTheQualityOfItsQueue() {
        let (own, seen) = (niceness(), Recorder())
        for (before, added) in [(QualityOfService.background, Int32(0)), (.userInteractive, 10)] {
            let queue = makeQueue(width: 1)
            if added > 0 { queue.qualityOfService = .background }
            for _ in 0..<20 {
                let operation = BlockOperation {}
                operation.qualityOfService = before
                queue.addOperation(operation)
                queue.addBarrierBlock { if niceness() != min(19, own + added) { seen.note("\(niceness())") } }
            }
            finishes(queue)
        }
        XCTAssertEqual(seen.all, [])
    }
}

private func niceness() -> Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }
