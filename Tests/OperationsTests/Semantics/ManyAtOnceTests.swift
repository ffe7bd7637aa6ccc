import Foundation
import Operations
import OperationsCore
import XCTest

/// More operations than a queue deals with under one lock: what it does with them in parts is seen as one step.
final class ManyAtOnceTests: XCTestCase {
    private let recorder = Recorder()

    private func makeBlocks(_ count: Int = 500) -> [BlockOperation] { (0..<count).map { block("\($0)", recorder) } }

    private func names(_ indexes: some Sequence<Int>) -> [String] { indexes.map { "\($0)" } }

    func testTheFirstByPriorityStartsFirst() {
        for _ in 0..<many(20) {
            let recorder = Recorder()
            let operations = (0..<500).map { block("\($0)", recorder) }
            operations[499].queuePriority = .veryHigh
            operations[250].queuePriority = .high
            operations[0].queuePriority = .low
            let queue = makeQueue(width: 1)
            queue.addOperations(operations, waitUntilFinished: false)
            finishes(queue)
            let others = names((1..<499).filter { $0 != 250 })
            XCTAssertEqual(recorder.all, ["499", "250"] + others + ["0"])
        }
    }

    func testTheNewestStartsFirst() {
        let queue = makeQueue(width: 1)
        queue.executionOrder = .lifo
        queue.addOperations(makeBlocks(), waitUntilFinished: false)
        finishes(queue)
        XCTAssertEqual(recorder.all, names((0..<500).reversed()))
    }

    func testOneThatIsRaisedInASuspendedQueue() {
        let (queue, operations) = (makeQueue(width: 1, suspended: true), makeBlocks())
        for operation in operations { queue.addOperation(operation) }
        operations[400].queuePriority = .high
        queue.isSuspended = false
        finishes(queue)
        XCTAssertEqual(recorder.all, ["400"] + names((0..<500).filter { $0 != 400 }))
    }

    func testThoseBehindABarrierStartInTheirOrder() {
        for isListed in [false, true] {
            let (recorder, end) = (Recorder(), Door())
            let operations = (0..<500).map { block("\($0)", recorder) }
            operations[300].queuePriority = .high
            let queue = makeQueue(width: 1)
            queue.addBarrierBlock { end.pass() }
            queue.addOperations(Array(operations[..<400]), waitUntilFinished: false)
            queue.addBarrierBlock { recorder.note("barrier") }
            operations[450].queuePriority = .high
            for operation in operations[400...] { queue.addOperation(operation) }
            if isListed { XCTAssertEqual(queue.operations, operations) }
            XCTAssertEqual(queue.operationCount, 500)
            end.open()
            finishes(queue)
            let first = ["300"] + names((0..<400).filter { $0 != 300 })
            XCTAssertEqual(recorder.all, first + ["barrier", "450"] + names((400..<500).filter { $0 != 450 }))
        }
    }

    func testAllAreCancelledInTheOrderOfAdding() {
        final class Noting: Operation, @unchecked Sendable {
            let recorder: Recorder
            init(_ recorder: Recorder) { self.recorder = recorder }
            override func main() { XCTFail("It ran.") }
            override func cancel() {
                super.cancel()
                recorder.note(name ?? "")
            }
        }
        let (queue, end) = (makeQueue(width: 2), Door())
        queue.addBarrierBlock { end.pass() }
        for index in 0..<500 {
            let operation = Noting(recorder)
            operation.name = "\(index)"
            queue.addOperation(operation)
            if index == 250 { queue.addBarrierBlock { XCTFail("It ran.") } }
        }
        queue.cancelAllOperations()
        XCTAssertEqual(recorder.all, names(0..<500))
        end.open()
        finishes(queue)
    }

    /// By a published pattern: what is cancelled before its start says at once that it has finished.
    func testThoseThatFinishWhenTheyAreCancelledLeaveASuspendedQueue() {
        final class Impatient: AsyncOperation, @unchecked Sendable {
            override func execute() { XCTFail("It ran.") }
            override func cancel() {
                super.cancel()
                finish()
            }
        }
        for hasBarrier in [false, true] {
            let queue = makeQueue(width: 1, suspended: true)
            weak var released: Impatient?
            if hasBarrier { queue.addBarrierBlock {} }
            for index in 0..<500 {
                let operation = Impatient()
                if index == 499 { released = operation }
                queue.addOperation(operation)
            }
            XCTAssertEqual(queue.operationCount, 500)
            released?.cancel()
            XCTAssertEqual(queue.operationCount, 499)
            XCTAssertNil(released, "Its queue has let go of it.")
            queue.cancelAllOperations()
            XCTAssertEqual(queue.operationCount, 0)
            finishes(queue)
        }
    }

    func testWhoeverLooksOnIsToldOfAllThatMayStart() {
        let (queue, ready) = (makeQueue(width: 1, suspended: true), Counter())
        let observation = queue.observe { if $0.kind == .ready { ready.increase() } }
        queue.addOperations(makeBlocks(), waitUntilFinished: false)
        eventually { ready.value == 500 }
        queue.isSuspended = false
        finishes(queue)
        XCTAssertEqual(ready.value, 500)
        withExtendedLifetime(observation) {}
    }

    /// What runs, or is suspended, keeps nobody from being told.
    func testWhoeverLooksOnIsToldOfAllBehindABarrierWhileTheFirstRuns() {
        for isSuspended in [false, true] {
            let (queue, ready, end) = (makeQueue(width: 1), Counter(), Door())
            let (began, before) = (Door(), Door())
            let observation = queue.observe { if $0.kind == .ready { ready.increase() } }
            queue.addBarrierBlock {
                began.open()
                before.pass()
            }
            began.pass()
            queue.addOperation { end.pass() }
            for operation in makeBlocks() { queue.addOperation(operation) }
            queue.isSuspended = isSuspended
            before.open()
            eventually { ready.value == 501 }
            end.open()
            queue.isSuspended = false
            finishes(queue)
            withExtendedLifetime(observation) {}
        }
    }

    /// Its states and the property agree.
    func testWhoeverLooksOnAtOneIsToldThatItMayStart() {
        for count in [2, 500] {
            for isOneByOne in [false, true] {
                let (queue, operations, recorder) = (
                    makeQueue(width: 1, suspended: true), makeBlocks(count), Recorder()
                )
                let last = operations[count - 1]
                let observation = last.observe { recorder.note("\($0)") }
                if isOneByOne {
                    for operation in operations { queue.addOperation(operation) }
                } else {
                    queue.addOperations(operations, waitUntilFinished: false)
                }
                XCTAssertEqual(last.executionState, .ready)
                eventually { recorder.all == ["ready"] }
                queue.isSuspended = false
                finishes(queue)
                eventually { recorder.all == ["ready", "executing", "finished"] }
                withExtendedLifetime(observation) {}
            }
        }
    }

    /// Its dependency finishes, or it is cancelled, when it waits in a queue that has looked at none of them.
    func testWhoeverLooksOnAtOneIsToldThatItBecomesReady() {
        for (count, isCancelled) in [(1, false), (500, false), (1, true), (500, true)] {
            let (queue, before, recorder) = (makeQueue(width: 1, suspended: true), BlockOperation {}, Recorder())
            for operation in makeBlocks(count) { queue.addOperation(operation) }
            let last = BlockOperation {}
            last.addDependency(before)
            queue.addOperation(last)
            let observation = last.observe { recorder.note("\($0)") }
            if isCancelled { last.cancel() } else { before.start() }
            XCTAssertEqual(last.executionState, .ready)
            eventually { recorder.all == ["ready"] }
            queue.isSuspended = false
            if isCancelled { before.start() }
            finishes(queue)
            withExtendedLifetime(observation) {}
        }
    }

    /// Whoever waits for the first has it waited for as much as for the last.
    func testListingThemWhileTheyRunNamesThoseThatStay() {
        let (queue, end) = (makeQueue(width: 3), Door())
        let staying = BlockOperation { end.pass() }
        queue.addOperation(staying)
        let last = BlockOperation {}
        last.addDependency(staying)
        queue.addOperations((0..<many(20_000)).map { _ in BlockOperation {} } + [last], waitUntilFinished: false)
        var looks = 0
        while queue.operationCount > 2 || looks < 10 {
            let operations = queue.operations
            XCTAssertTrue(operations.first === staying && operations.last === last)
            looks += 1
        }
        end.open()
        finishes(queue)
    }
}
