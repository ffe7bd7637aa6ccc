import Foundation
import Operations
import XCTest

@testable import OperationsCore

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

    func testAnObservationThatIsInvalidatedIsOver() {
        let (queue, calls, token) = (makeQueue(width: 1, suspended: true), Counter(), Lock<ObservationToken?>(nil))
        let all = (0..<40).map { _ in BlockOperation {} }
        let first = queue.observe { _ in
            calls.increase()
            token.withLock { $0.take() }?.invalidate()
        }
        token.withLock { $0 = first }
        let stateCalls = Counter()
        let second = Lock<ObservationToken?>(nil)
        // Told in the order of coming.
        let states = all[0].observe { _ in second.withLock { $0.take() }?.invalidate() }
        second.withLock { $0 = all[0].observe { _ in stateCalls.increase() } }
        queue.addOperations(all, waitUntilFinished: false)
        queue.isSuspended = false
        finishes(queue)
        let isTold = Flag()
        let last = queue.observe { if $0.kind == .finished { isTold.set() } }
        queue.addOperation {}
        eventually("all is told") { isTold.isSet }
        XCTAssertEqual([calls.value, stateCalls.value], [1, 0])
        for token in [states, last] { token.invalidate() }
    }

    /// What was said to work works, whoever cancels it then; and what was cancelled before is not said to.
    func testWhatIsSaidToWorkWorks() {
        for round in 0..<many(300, long: 3_000) {
            let queue = makeQueue(width: 1)
            let work = Counter()
            let kinds: [Operation] = [
                CountingOperation(work), CountingAsyncOperation(work), BlockOperation { work.increase() },
            ]
            let operation = kinds[round % 3]
            let (said, ended) = (Counter(), Counter())
            let token = operation.observe { state in
                if state == .executing { said.increase() }
                if state == .finished { ended.increase() }
                if state == .executing, round % 2 == 0 { operation.cancel() }
            }
            // Just as it begins.
            if round % 2 == 1 {
                Thread.detachNewThread {
                    while operation.executionState < .executing {}
                    operation.cancel()
                }
            }
            queue.addOperation(operation)
            eventually("it has finished") { ended.value == 1 }
            XCTAssertEqual(said.value, work.value, "\(type(of: operation)), round \(round)")
            if round % 2 == 0 { XCTAssertEqual(work.value, 1, "\(type(of: operation))") }
            withExtendedLifetime(token) {}
        }
    }

    /// The work of a block goes on whoever cancels it, also just before it is told of.
    func testABlockIsToldOfThoughItWasCancelledAMomentBefore() {
        let (queue, told) = (makeQueue(width: 1), Counter())
        let operation = BlockOperation()
        operation.addExecutionBlock { [unowned operation] in
            operation.cancel()
            queue.core.reportStart(of: operation)
        }
        let token = queue.observe { if $0.kind == .started { told.increase() } }
        queue.addOperations([operation], waitUntilFinished: true)
        // Another thread may still be telling.
        eventually("it was told of when it began, and here") { told.value == 2 }
        withExtendedLifetime(token) {}
    }

    /// Who adds an operation may still be telling of that when it starts on another thread.
    func testNoStateIsLeftOutWhileTheAdderIsTelling() async {
        let queue = makeQueue(width: 1)
        let operation = ManualOperation()
        let adder = Lock<UInt?>(nil)
        let token = queue.observe { event in
            // Where the worker came first to tell of it all, there is nothing to wait for.
            let isAdder = adder.withLock { $0 == UInt(pthread_self()) }
            if event.kind == .added, isAdder { operation.began.pass() }
        }
        let states = operation.states
        adder.withLock { $0 = UInt(pthread_self()) }
        queue.addOperation(operation)
        operation.began.pass()
        operation.finish()
        var seen: [Operation.ExecutionState] = []
        for await state in states { seen.append(state) }
        XCTAssertEqual(seen, [.pending, .ready, .executing, .finished])
        withExtendedLifetime(token) {}
    }

    /// Whoever tells the observers has them while others come and go.
    func testObserversComeAndGoWhileOthersAreTold() {
        for _ in 0..<many(200, long: 2_000) {
            let queue = makeQueue(width: 1)
            let (operation, finishes, ended) = (ManualOperation(), Counter(), Counter())
            let tokens = (0..<8).map { _ in operation.observe { if $0 == .finished { finishes.increase() } } }
            for _ in 0..<2 {
                Thread.detachNewThread {
                    while !operation.isFinished { operation.observe { _ in }.invalidate() }
                    ended.increase()
                }
            }
            queue.addOperation(operation)
            operation.began.pass()
            operation.finish()
            eventually("all were told") { finishes.value == 8 && ended.value == 2 }
            for token in tokens { token.invalidate() }
        }
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

    func testClosuresInPlaceOfKeyValueObserving() {
        let (queue, states, events) = (makeQueue(width: 1, suspended: true), Recorder(), Recorder())
        let operation = BlockOperation {}
        let token = operation.observe { states.note("\($0)") }
        let queueToken = queue.observe { events.note("\($0.kind)") }
        queue.addOperation(operation)
        queue.isSuspended = false
        eventually("both were told") { states.all.count == 3 && events.all.count == 4 }
        XCTAssertEqual(states.all, ["ready", "executing", "finished"])
        XCTAssertEqual(events.all, ["added", "ready", "started", "finished"])
        withExtendedLifetime((token, queueToken)) {}
    }

    func testAnObservationEndsWithItsToken() {
        let (queue, recorder) = (makeQueue(width: 1), Recorder())
        var tokens: [ObservationToken] = []
        for (index, label) in ["kept", "invalidated", "released"].enumerated() {
            let operation = ManualOperation()
            tokens.append(operation.observe { recorder.note("\(label) \($0)") })
            tokens.append(queue.observe { if $0.kind == .finished { recorder.note("\(label) in the queue") } })
            queue.addOperation(operation)
            operation.began.pass()
            eventually("executing was told") { recorder.all.contains("\(label) executing") }
            switch index {
            case 1: for token in tokens { token.invalidate() }
            case 2: tokens = []
            default: break
            }
            operation.finish()
            finishes(queue)
            if index == 0 { eventually("the end was told") { recorder.all.count == 4 } }
        }
        XCTAssertEqual(recorder.all.filter { $0.hasSuffix("finished") }, ["kept finished"])
        XCTAssertEqual(recorder.all.filter { $0.hasSuffix("in the queue") }, ["kept in the queue"])
    }

    /// Also when that has not been told yet to others.
    func testAnObserverIsNotToldOfWhatHappenedBefore() {
        let (queue, recorder) = (makeQueue(width: 1, suspended: true), Recorder())
        let (begin, end) = (Door(), Door())
        let slow = queue.observe { _ in
            begin.open()
            end.pass()
        }
        let earlier = BlockOperation {}
        queue.addOperation(earlier)
        begin.pass()
        queue.isSuspended = false
        earlier.waitUntilFinished()
        let token = queue.observe { recorder.note("\($0.operation.name ?? "earlier") \($0.kind)") }
        let later = BlockOperation {}
        later.name = "later"
        queue.addOperations([later], waitUntilFinished: true)
        end.open()
        eventually("it was told") { recorder.all.last == "later finished" }
        XCTAssertEqual(recorder.all, ["later added", "later ready", "later started", "later finished"])
        withExtendedLifetime((slow, token)) {}
    }

    /// What a closure does may bring about the next state.
    func testAnObserverMayActOnTheOperation() {
        let (operation, recorder) = (BlockOperation {}, Recorder())
        let token = operation.observe { [weak operation] state in
            recorder.note("\(state)")
            operation?.cancel()
            _ = operation?.observe { _ in }
        }
        operation.start()
        XCTAssertEqual(recorder.all, ["executing", "finished"])
        XCTAssertTrue(operation.isCancelled)
        withExtendedLifetime(token) {}
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

    func testEventsEndWithTheQueueAlsoWhileItsOperationsAreHeld() async {
        let operation = BlockOperation {}
        let events: AsyncStream<QueueEvent> = {
            let queue = OperationQueue()
            defer { queue.addOperation(operation) }
            return queue.events()
        }()
        let reader = Task {
            var kinds: [QueueEvent.Kind] = []
            for await event in events { kinds.append(event.kind) }
            return kinds
        }
        let ended = expectation(description: "The stream ends.")
        Task {
            _ = await reader.value
            ended.fulfill()
        }
        await fulfillment(of: [ended], timeout: 60)
        // Where it has not, this does.
        reader.cancel()
        let kinds = await reader.value
        XCTAssertEqual(kinds, [.added, .ready, .started, .finished])
        XCTAssertTrue(operation.isFinished)
    }

    func testNothingIsKeptOfStreamsAndTokensThatWereDropped() async {
        let operation = BlockOperation {}
        func kept() -> Int? { operation.locked { operation.extras?.stateObservers.count } }
        for _ in 0..<many(5_000, long: 200_000) {
            _ = operation.states
            _ = operation.observe { _ in }
        }
        XCTAssertEqual(kept(), 0)
        let states = operation.states
        OperationQueue().addOperation(operation)
        var last = Operation.ExecutionState.pending
        for await state in states { last = state }
        XCTAssertEqual(last, .finished)
        // A stream has ended for its reader a moment before its observer is let go.
        eventually("its observer is gone") { kept() == 0 }
    }

    /// While somebody observes a queue, each event costs: those who have gone are no longer there.
    func testNothingIsKeptOfAQueuesStreamsThatWereDropped() {
        let queue = makeQueue(width: 1)
        for _ in 0..<many(2_000, long: 200_000) {
            _ = queue.events()
            _ = queue.observe { _ in }
        }
        XCTAssertFalse(queue.core.hub.isObserved)
        queue.addOperations([BlockOperation {}], waitUntilFinished: true)
        XCTAssertFalse(queue.core.hub.hasPosted)
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

private final class CountingOperation: Operation, @unchecked Sendable {
    private let work: Counter

    init(_ work: Counter) {
        self.work = work
        super.init()
    }

    override func main() { work.increase() }
}

private final class CountingAsyncOperation: AsyncOperation, @unchecked Sendable {
    private let work: Counter

    init(_ work: Counter) {
        self.work = work
        super.init()
    }

    override func execute() {
        work.increase()
        finish()
    }
}
