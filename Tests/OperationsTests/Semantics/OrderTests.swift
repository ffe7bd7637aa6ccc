import Foundation
import Operations
import OperationsCore
import XCTest

/// Rows "order" and "reprioritising".
final class OrderTests: XCTestCase {
    func testOrderIsOfAddingNotOfBecomingReady() {
        for _ in 0..<50 {
            let queue = makeQueue(width: 1)
            let recorder = Recorder()
            let began = Door()
            let end = Door()
            let holder = BlockOperation {
                began.open()
                end.pass()
                recorder.note("X")
            }
            let gate = BlockOperation {}
            let first = block("A", recorder)
            first.addDependency(gate)
            queue.addOperation(holder)
            queue.addOperations([first, block("B", recorder), block("C", recorder)], waitUntilFinished: false)
            began.pass()
            gate.start()
            end.open()
            finishes(queue)
            XCTAssertEqual(recorder.all, ["X", "A", "B", "C"])
        }
    }

    func testOrderPriorityFirst() {
        let queue = makeQueue(width: 1, suspended: true)
        let recorder = Recorder()
        let levels: [Operation.QueuePriority] = [.low, .veryHigh, .normal, .veryLow, .high]
        for level in levels + levels {
            let operation = block("\(level)", recorder)
            operation.queuePriority = level
            queue.addOperation(operation)
        }
        queue.isSuspended = false
        finishes(queue)
        let order = ["veryHigh", "high", "normal", "low", "veryLow"]
        XCTAssertEqual(recorder.all, order.flatMap { [$0, $0] })
    }

    func testReprioritisingTakesEffectAtOnceAndKeepsTheAddingOrder() {
        let queue = makeQueue(width: 1, suspended: true)
        let recorder = Recorder()
        let operations = "ABCDEF".map { block(String($0), recorder) }
        operations[4].queuePriority = .high
        queue.addOperations(operations, waitUntilFinished: false)
        operations[3].queuePriority = .high
        operations[1].queuePriority = .high
        operations[0].queuePriority = .veryLow
        XCTAssertEqual(operations[1].queuePriority, .high)
        queue.isSuspended = false
        finishes(queue)
        XCTAssertEqual(recorder.all, ["B", "D", "E", "C", "F", "A"])
    }

    func testReprioritisingOneThatWaits() {
        let queue = makeQueue(width: 1, suspended: true)
        let recorder = Recorder()
        let gate = block("gate", recorder)
        let waiting = block("waiting", recorder)
        waiting.addDependency(gate)
        queue.addOperations([gate, block("other", recorder), waiting], waitUntilFinished: false)
        waiting.queuePriority = .veryHigh
        queue.isSuspended = false
        finishes(queue)
        XCTAssertEqual(recorder.all, ["gate", "waiting", "other"])
    }

    func testUnsetPriorityIsNormalWhateverTheQuality() {
        let queue = makeQueue(width: 1, suspended: true)
        let recorder = Recorder()
        let background = block("background", recorder)
        background.qualityOfService = .background
        let interactive = block("interactive", recorder)
        interactive.qualityOfService = .userInteractive
        queue.addOperations([background, interactive], waitUntilFinished: false)
        XCTAssertEqual(background.queuePriority, .normal)
        XCTAssertEqual(interactive.queuePriority, .normal)
        queue.isSuspended = false
        finishes(queue)
        XCTAssertEqual(recorder.all, ["background", "interactive"])
    }
}
