import Foundation
import Operations
import OperationsCore
import XCTest

/// Rows "main queue" and "current, underlyingQueue".
final class MainQueueTests: XCTestCase {
    private func pumpUntil(_ what: String, _ condition: () -> Bool) {
        let end = Date(timeIntervalSinceNow: 30)
        while !condition(), Date() < end {
            _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
        }
        XCTAssertTrue(condition(), what)
    }

    func testMainQueueRunsOnTheMainThread() {
        let counter = Counter()
        for _ in 0..<5 {
            OperationQueue.main.addOperation {
                XCTAssertTrue(Thread.isMainThread)
                XCTAssertTrue(OperationQueue.current === OperationQueue.main)
                counter.increase()
            }
        }
        pumpUntil("all ran") { counter.value == 5 && OperationQueue.main.operationCount == 0 }
    }

    /// What comes to the dispatch queue later runs later, and what it forbids does not start.
    func testWorkOfADispatchQueueStartsInItsTurn() {
        let (recorder, dispatch) = (Recorder(), DispatchQueue(label: "serial"))
        for index in 0..<20 {
            OperationQueue.main.addOperation { recorder.note("operation \(index)") }
            DispatchQueue.main.async { recorder.note("block \(index)") }
            pumpUntil("both ran") { recorder.all.count == 2 * index + 2 }
        }
        XCTAssertEqual(recorder.all, (0..<20).flatMap { ["operation \($0)", "block \($0)"] })

        let (ran, wrong) = (Counter(), Counter())
        for _ in 0..<100 {
            let queue = OperationQueue()
            queue.underlyingQueue = dispatch
            queue.addOperation { ran.increase() }
            dispatch.sync { queue.isSuspended = true }
            let before = ran.value
            queue.addOperation { wrong.increase() }
            queue.addBarrierBlock { wrong.increase() }
            dispatch.sync {}
            if before != ran.value { wrong.increase() }
            dispatch.async { queue.cancelAllOperations() }
            dispatch.async { queue.isSuspended = false }
            finishes(queue)
        }
        XCTAssertEqual([ran.value, wrong.value], [100, 0])
    }

    func testBlocksOfOneOperationRunBesideTheMainThread() {
        let (isOnMain, isBeside, second) = (Flag(), Flag(), DispatchSemaphore(value: 0))
        let note: @Sendable () -> Void = {
            (Thread.isMainThread ? isOnMain : isBeside).set()
            XCTAssertTrue(OperationQueue.current === OperationQueue.main)
        }
        // Which of them the main thread takes is open.
        let operation = BlockOperation {
            note()
            XCTAssertEqual(second.wait(timeout: .now() + 30), .success)
        }
        operation.addExecutionBlock {
            note()
            second.signal()
        }
        OperationQueue.main.addOperation(operation)
        pumpUntil("it ran") { operation.isFinished }
        XCTAssertTrue(isOnMain.isSet && isBeside.isSet)
    }

    func testMainQueueHasWidthOneForGoodAndIgnoresSuspensionAndCancelAll() {
        let main = OperationQueue.main
        main.maxConcurrentOperationCount = 5
        main.isSuspended = true
        XCTAssertEqual(main.maxConcurrentOperationCount, 1)
        XCTAssertFalse(main.isSuspended)
        XCTAssertEqual(main.underlyingQueue?.label, DispatchQueue.main.label)
        let counter = Counter()
        let operation = BlockOperation { counter.increase() }
        main.addOperation(operation)
        main.cancelAllOperations()
        XCTAssertFalse(operation.isCancelled)
        pumpUntil("it ran") { counter.value == 1 && main.operationCount == 0 }
    }

    /// Published libraries make queues of their own that do so, ProcedureKit and Overdrive among them.
    func testAQueueOfOnesOwnOnTheMainDispatchQueue() {
        let (queue, recorder, completed, inside) = (OperationQueue(), Recorder(), Counter(), Occupancy())
        queue.underlyingQueue = .main
        queue.isSuspended = true
        for index in 0..<5 {
            let operation = BlockOperation {
                inside.enter()
                XCTAssertTrue(Thread.isMainThread)
                XCTAssertTrue(OperationQueue.current === queue)
                recorder.note("\(index)")
                inside.leave()
            }
            operation.completionBlock = { completed.increase() }
            queue.addOperation(operation)
        }
        queue.addBarrierBlock {
            XCTAssertTrue(Thread.isMainThread)
            recorder.note("barrier")
        }
        queue.addOperation { recorder.note("behind it") }
        let waited = Flag()
        Thread.detachNewThread {
            finishes(queue)
            waited.set()
        }
        pumpUntil("it reached the dispatch queue") { queue.operationCount == 6 }
        XCTAssertEqual(recorder.all, [], "It is suspended.")
        queue.isSuspended = false
        pumpUntil("all ran") { waited.isSet && completed.value == 5 }
        XCTAssertEqual(recorder.all, (0..<5).map { "\($0)" } + ["barrier", "behind it"])
        XCTAssertEqual(inside.most, 1)
        queue.underlyingQueue = nil
        let isElsewhere = Flag()
        queue.addOperation { if !Thread.isMainThread { isElsewhere.set() } }
        finishes(queue)
        XCTAssertTrue(isElsewhere.isSet)
    }

    func testMainQueueOperationCanBeWaitedForElsewhere() {
        let waited = Counter()
        let operation = BlockOperation {}
        OperationQueue.main.addOperation(operation)
        let queue = OperationQueue()
        queue.addOperation {
            operation.waitUntilFinished()
            waited.increase()
        }
        pumpUntil("the wait ended") { waited.value == 1 && OperationQueue.main.operationCount == 0 }
    }

    func testCurrentIsRightInsideOperationsAndBarriers() {
        let queues = (0..<4).map { _ in OperationQueue() }
        for queue in queues {
            for _ in 0..<50 { queue.addOperation { XCTAssertTrue(OperationQueue.current === queue) } }
            queue.addBarrierBlock { XCTAssertTrue(OperationQueue.current === queue) }
            let several = BlockOperation { XCTAssertTrue(OperationQueue.current === queue) }
            for _ in 0..<3 { several.addExecutionBlock { XCTAssertTrue(OperationQueue.current === queue) } }
            queue.addOperation(several)
        }
        for each in queues { finishes(each) }
        XCTAssertTrue(OperationQueue.current === OperationQueue.main)
    }

    func testCurrentIsNilOnForeignThreads() {
        let done = Door()
        Thread.detachNewThread {
            XCTAssertNil(OperationQueue.current)
            done.open()
        }
        done.pass()
    }

    func testCurrentAndUnderlyingQueueOnACustomDispatchQueue() {
        let key = DispatchSpecificKey<String>()
        for attributes in [DispatchQueue.Attributes(), .concurrent] {
            let dispatch = DispatchQueue(label: "custom", attributes: attributes)
            dispatch.setSpecific(key: key, value: "custom")
            let queue = OperationQueue()
            queue.underlyingQueue = dispatch
            XCTAssertTrue(queue.underlyingQueue === dispatch)
            let counter = Counter()
            for _ in 0..<100 {
                queue.addOperation {
                    XCTAssertEqual(DispatchQueue.getSpecific(key: key), "custom")
                    XCTAssertTrue(OperationQueue.current === queue)
                    counter.increase()
                }
            }
            queue.addBarrierBlock { XCTAssertTrue(OperationQueue.current === queue) }
            finishes(queue)
            XCTAssertEqual(counter.value, 100)
            queue.underlyingQueue = nil
            XCTAssertNil(queue.underlyingQueue)
        }
    }

    func testFoundationQueueKeepsNothingThatHasFinished() {
        weak var weakQueue: OperationQueue?
        weak var weakOperation: Foundation.Operation?
        let completed = Counter()
        do {
            let queue = makeQueue(width: 1)
            let operation = Foundation.BlockOperation {}
            operation.completionBlock = { completed.increase() }
            weakQueue = queue
            weakOperation = operation
            queue.foundationQueue.addOperation(operation)
            finishes(queue)
        }
        eventually("nothing is left") { completed.value == 1 && weakOperation == nil && weakQueue == nil }
    }

    func testAFoundationOperationThatIsCancelledBeforeItsStartFinishes() {
        let queue = makeQueue(width: 1, suspended: true)
        let (ran, completed) = (Counter(), Counter())
        let operation = Foundation.BlockOperation { ran.increase() }
        operation.completionBlock = { completed.increase() }
        let dependent = Foundation.BlockOperation {}
        dependent.addDependency(operation)
        let other = Foundation.OperationQueue()
        queue.foundationQueue.addOperation(operation)
        other.addOperation(dependent)
        queue.foundationQueue.cancelAllOperations()
        queue.isSuspended = false
        finishes(queue)
        eventually("it finished", within: 10) { operation.isFinished && completed.value == 1 }
        eventually("and its dependent too", within: 10) { dependent.isFinished }
        XCTAssertTrue(operation.isCancelled)
        XCTAssertEqual(ran.value, 0)
    }

    func testFoundationQueueForwards() {
        let queue = makeQueue(width: 1)
        let forwarding: Foundation.OperationQueue = queue.foundationQueue
        let recorder = Recorder()
        let first = Foundation.BlockOperation { recorder.note("first") }
        let second = Foundation.BlockOperation {
            XCTAssertTrue(OperationQueue.current === queue)
            recorder.note("second")
        }
        second.addDependency(first)
        forwarding.addOperation(second)
        forwarding.addOperation(first)
        eventually { second.isFinished }
        forwarding.addOperation { recorder.note("third") }
        finishes(queue)
        XCTAssertEqual(recorder.all, ["first", "second", "third"])

        let name = Notification.Name("engine")
        let token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: forwarding) { _ in
            recorder.note("notified")
        }
        NotificationCenter.default.post(name: name, object: nil)
        eventually { recorder.all.last == "notified" }
        NotificationCenter.default.removeObserver(token)
    }

    func testThereIsOneFoundationQueueForTheQueuesLife() {
        let (queue, recorder) = (makeQueue(width: 1), Recorder())
        XCTAssertTrue(queue.foundationQueue === queue.foundationQueue)
        let name = Notification.Name("photos")
        let token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: queue.foundationQueue) {
            _ in
            recorder.note(OperationQueue.current === queue ? "in the queue" : "elsewhere")
        }
        NotificationCenter.default.post(name: name, object: nil)
        eventually("it was notified", within: 10) { recorder.all == ["in the queue"] }
        NotificationCenter.default.removeObserver(token)
    }

    /// Who has the forwarding queue needs no other, and nothing is kept for good.
    func testAFoundationQueueOutlivesTheQueue() {
        weak var weakQueue: OperationQueue?
        weak var weakForwarding: Foundation.OperationQueue?
        let ran = Recorder()
        do {
            let forwarding: Foundation.OperationQueue
            do {
                let queue = makeQueue(width: 1)
                queue.name = "photos"
                forwarding = queue.foundationQueue
                weakQueue = queue
            }
            weakForwarding = forwarding
            for _ in 0..<2 {
                forwarding.addOperation {
                    let current = OperationQueue.current
                    ran.note(current?.name ?? "none")
                    XCTAssertTrue(current?.foundationQueue === current?.foundationQueue)
                }
                forwarding.waitUntilAllOperationsAreFinished()
            }
            XCTAssertEqual(ran.all, ["photos", "photos"])
            XCTAssertEqual(forwarding.maxConcurrentOperationCount, 1)
        }
        eventually("nothing is left", within: 10) { weakQueue == nil && weakForwarding == nil }
    }
}
