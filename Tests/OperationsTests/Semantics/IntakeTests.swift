import Foundation
import Operations
import OperationsCore
import XCTest

/// What was added to a queue that is at work, and that no worker has looked at yet, is in it all the same.
final class IntakeTests: XCTestCase {
    /// A queue of width 1 whose place is held until `end` is opened.
    private func makeBusyQueue(_ end: Door) -> OperationQueue {
        let queue = makeQueue(width: 1)
        let began = Door()
        queue.addOperation {
            began.open()
            end.pass()
        }
        began.pass()
        return queue
    }

    func testPrioritySetBeforeAdding() {
        let (end, recorder) = (Door(), Recorder())
        let queue = makeBusyQueue(end)
        let operations = "ABC".map { block(String($0), recorder) }
        operations[2].queuePriority = .high
        for operation in operations { queue.addOperation(operation) }
        end.open()
        finishes(queue)
        XCTAssertEqual(recorder.all, ["C", "A", "B"])
    }

    func testPrioritiesSetBeforeAndAfterAdding() {
        let (end, recorder) = (Door(), Recorder())
        let queue = makeBusyQueue(end)
        let operations = "ABCDEF".map { block(String($0), recorder) }
        operations[2].queuePriority = .high
        operations[0].queuePriority = .low
        for operation in operations { queue.addOperation(operation) }
        operations[4].queuePriority = .veryHigh
        operations[3].raisePriority(to: .high)
        end.open()
        finishes(queue)
        XCTAssertEqual(recorder.all, ["E", "C", "D", "B", "F", "A"])
    }

    func testPriorityRaisedWhileOthersAreTakenIn() {
        let recorder = Recorder()
        let (began, end) = (Door(), Door())
        let queue = makeQueue(width: 1)
        let operations = (0..<20).map { block("\($0)", recorder) }
        let first = Door()
        queue.addOperation { first.pass() }
        queue.addOperation {
            began.open()
            end.pass()
        }
        for operation in operations { queue.addOperation(operation) }
        first.open()
        // By now the worker has taken out what was in the intake, but needs no more than it runs.
        began.pass()
        operations[17].queuePriority = .high
        end.open()
        finishes(queue)
        XCTAssertEqual(recorder.all.first, "17")
        XCTAssertEqual(recorder.all.dropFirst().map { $0 }, (0..<20).filter { $0 != 17 }.map(String.init))
    }

    /// What the worker has of it comes after what it has not.
    func testOneOfALowPriorityThatIsTheLastThatWasTakenIn() {
        let (end, recorder) = (Door(), Recorder())
        let queue = makeBusyQueue(end)
        let (began, next) = (Door(), Door())
        queue.addOperation {
            began.open()
            next.pass()
        }
        let low = block("low", recorder)
        low.queuePriority = .low
        queue.addOperation(low)
        end.open()
        began.pass()
        queue.addOperation(block("normal", recorder))
        next.open()
        finishes(queue)
        XCTAssertEqual(recorder.all, ["normal", "low"])
    }

    /// Those who add empty the intake now and then, which says nothing about what is in it later.
    func testOnesOfALowPriorityWhereTheIntakeWasEmptied() {
        let queue = makeQueue(width: 1)
        for _ in 0..<many(300) {
            let (began, end, recorder) = (Door(), Door(), Recorder())
            queue.addOperation {
                began.open()
                end.pass()
            }
            began.pass()
            for _ in 0..<6 {
                let low = block("low", recorder)
                low.queuePriority = .low
                queue.addOperation(low)
            }
            queue.addOperation(block("normal", recorder))
            end.open()
            finishes(queue)
            XCTAssertEqual(recorder.all.first, "normal")
        }
    }

    func testOrderTurnedRound() {
        let (end, recorder) = (Door(), Recorder())
        let queue = makeBusyQueue(end)
        for name in "ABC" { queue.addOperation(block(String(name), recorder)) }
        queue.executionOrder = .lifo
        for name in "DE" { queue.addOperation(block(String(name), recorder)) }
        end.open()
        finishes(queue)
        XCTAssertEqual(recorder.all, ["E", "D", "C", "B", "A"])
    }

    func testItCountsAndIsListed() {
        let (end, recorder) = (Door(), Recorder())
        let queue = makeBusyQueue(end)
        let (gate, free, bound) = (BlockOperation {}, block("free", recorder), block("bound", recorder))
        bound.addDependency(gate)
        queue.addOperation(free)
        queue.addOperation(bound)
        XCTAssertEqual([free, bound].map(\.executionState), [.ready, .pending])
        XCTAssertEqual(queue.operationCount, 3)
        XCTAssertEqual(queue.operations.suffix(2), [free, bound])
        gate.start()
        XCTAssertEqual(bound.executionState, .ready)
        queue.cancelAllOperations()
        XCTAssertTrue(free.isCancelled && bound.isCancelled)
        end.open()
        finishes(queue)
        XCTAssertTrue(free.isFinished && bound.isFinished)
        XCTAssertEqual(recorder.all, [])
    }

    func testWiderQueueStartsWhatWaits() {
        let (end, both) = (Door(), Occupancy())
        let queue = makeBusyQueue(end)
        for _ in 0..<3 {
            queue.addOperation {
                both.enter()
                end.pass()
            }
        }
        queue.maxConcurrentOperationCount = 4
        eventually("all run") { both.now == 3 }
        end.open()
        finishes(queue)
    }

    func testAddingWhileOneThatHasFinishedStaysInItsStart() {
        final class Lingering: AsyncOperation, @unchecked Sendable {
            let (finished, end) = (Door(), Door())
            override func execute() {
                finish()
                finished.open()
                end.pass()
            }
        }
        let (queue, lingering, ran) = (makeQueue(width: 1), Lingering(), Door())
        queue.addOperation(lingering)
        lingering.finished.pass()
        queue.addOperation { ran.open() }
        ran.pass()
        lingering.end.open()
        finishes(queue)
    }

    func testFinishedBeforeItWasTakenInIsReleased() {
        final class Early: Operation, @unchecked Sendable {
            // Changed by one thread, before the queue asks.
            nonisolated(unsafe) var isOver = false
            override var isFinished: Bool { isOver }
        }
        weak var released: Early?
        let end = Door()
        let queue = makeBusyQueue(end)
        do {
            let early = Early()
            released = early
            queue.addOperation(early)
            early.isOver = true
            early.didChangeValue(forKey: "isFinished")
        }
        XCTAssertEqual(queue.operationCount, 1)
        end.open()
        finishes(queue)
        eventually("released") { released == nil }
    }

    func testManyAddWhileTheQueueRunsDry() {
        for width in [1, 2, -1] {
            let queue = makeQueue(width: width)
            let ran = Counter()
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                for index in 0..<500 {
                    queue.addOperation { ran.increase() }
                    if index % 50 == 0 { queue.waitUntilAllOperationsAreFinished() }
                }
            }
            finishes(queue)
            XCTAssertEqual(ran.value, 2_000)
            XCTAssertEqual(queue.operationCount, 0)
        }
    }
}
