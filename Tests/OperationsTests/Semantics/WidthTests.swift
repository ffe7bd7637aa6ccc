import Foundation
import Operations
import OperationsCore
import XCTest

/// Rows "width" and "suspend".
final class WidthTests: XCTestCase {
    func testWidthOf32Runs32BlockingOperationsAtOnce() {
        let queue = makeQueue(width: 32)
        let inside = Occupancy()
        let end = Door()
        for _ in 0..<64 {
            queue.addOperation {
                inside.enter()
                end.pass()
                inside.leave()
            }
        }
        eventually("32 at once", within: 30) { inside.now == 32 }
        end.open()
        finishes(queue)
        XCTAssertEqual(inside.most, 32)
    }

    func testWidthOfOneNeverOverlaps() {
        let queue = makeQueue(width: 1)
        let inside = Occupancy()
        for _ in 0..<2_000 {
            queue.addOperation {
                inside.enter()
                inside.leave()
            }
        }
        finishes(queue)
        XCTAssertEqual(inside.most, 1)
    }

    func testWidthDefaultIsMinusOneAndRunsBlockersBeyondTheProcessors() {
        let queue = OperationQueue()
        XCTAssertEqual(queue.maxConcurrentOperationCount, -1)
        XCTAssertEqual(OperationQueue.defaultMaxConcurrentOperationCount, -1)
        let inside = Occupancy()
        let end = Door()
        for _ in 0..<20 {
            queue.addOperation {
                inside.enter()
                end.pass()
                inside.leave()
            }
        }
        eventually("20 at once", within: 30) { inside.now == 20 }
        end.open()
        finishes(queue)
    }

    func testWidthZeroStopsAndChangesLive() {
        let queue = makeQueue(width: 0)
        let inside = Occupancy()
        let turns = DispatchSemaphore(value: 0)
        let ended = Counter()
        for _ in 0..<12 {
            queue.addOperation {
                inside.enter()
                turns.wait()
                inside.leave()
                ended.increase()
            }
        }
        XCTAssertEqual(inside.now, 0)
        queue.maxConcurrentOperationCount = 3
        eventually { inside.now == 3 }
        queue.maxConcurrentOperationCount = 5
        eventually { inside.now == 5 }
        queue.maxConcurrentOperationCount = 2
        for count in 1...3 {
            turns.signal()
            eventually { ended.value == count }
            eventually { inside.now == 5 - count }
        }
        turns.signal()
        eventually { ended.value == 4 && inside.now == 2 }
        queue.maxConcurrentOperationCount = -1
        for _ in 0..<8 { turns.signal() }
        finishes(queue)
        XCTAssertEqual(inside.most, 5)
    }

    func testWidthIsHeldByAsynchronousOperations() {
        let queue = makeQueue(width: 2)
        let operations = (0..<4).map { _ in ManualOperation() }
        queue.addOperations(operations, waitUntilFinished: false)
        operations[0].began.pass()
        operations[1].began.pass()
        XCTAssertFalse(operations[2].isExecuting)
        operations[1].finish()
        operations[2].began.pass()
        XCTAssertFalse(operations[3].isExecuting)
        for each in operations { each.finish() }
        finishes(queue)
    }

    func testSuspendStartsNothingNewAndLetsGoOnWhatRuns() {
        let queue = makeQueue(width: 1)
        let recorder = Recorder()
        let began = Door()
        let end = Door()
        queue.addOperation {
            began.open()
            end.pass()
            recorder.note("first")
        }
        queue.addOperation { recorder.note("second") }
        began.pass()
        queue.isSuspended = true
        end.open()
        eventually { queue.operationCount == 1 }
        XCTAssertEqual(recorder.all, ["first"])
        queue.isSuspended = false
        finishes(queue)
        XCTAssertEqual(recorder.all, ["first", "second"])
    }

    func testSuspendNeverSuspendsTheUnderlyingQueue() {
        let dispatch = DispatchQueue(label: "underlying")
        let queue = OperationQueue()
        queue.underlyingQueue = dispatch
        queue.isSuspended = true
        queue.addOperation {}
        let done = Door()
        dispatch.async { done.open() }
        done.pass()
        XCTAssertEqual(queue.operationCount, 1)
        queue.isSuspended = false
        finishes(queue)
    }

    func testIdleThreadsAreReused() {
        let queue = makeQueue(width: 4)
        let before = ThreadPool.shared.threadCount
        for _ in 0..<200 { queue.addOperations([BlockOperation {}], waitUntilFinished: true) }
        // One begins while the one before it looks for more.
        XCTAssertLessThan(ThreadPool.shared.threadCount - before, 8)
    }
}
