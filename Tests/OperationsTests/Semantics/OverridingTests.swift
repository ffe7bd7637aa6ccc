import Foundation
import Operations
import OperationsCore
import XCTest

/// The published pattern that keeps its flags behind a dispatch queue.
private class LockQueueOperation: Operation, @unchecked Sendable {
    private let lockQueue = DispatchQueue(label: "flags", attributes: .concurrent)
    private var _isExecuting = false
    private var _isFinished = false

    override var isAsynchronous: Bool { true }

    override private(set) var isExecuting: Bool {
        get { lockQueue.sync { _isExecuting } }
        set {
            willChangeValue(forKey: "isExecuting")
            lockQueue.sync(flags: [.barrier]) { _isExecuting = newValue }
            didChangeValue(forKey: "isExecuting")
        }
    }

    override private(set) var isFinished: Bool {
        get { lockQueue.sync { _isFinished } }
        set {
            willChangeValue(forKey: "isFinished")
            lockQueue.sync(flags: [.barrier]) { _isFinished = newValue }
            didChangeValue(forKey: "isFinished")
        }
    }

    override func start() {
        guard !isCancelled else { return finish() }
        isFinished = false
        isExecuting = true
        main()
    }

    override func main() {
        DispatchQueue.global().async { self.finish() }
    }

    func finish() {
        isExecuting = false
        isFinished = true
    }
}

/// The published pattern with one enumeration, whose raw value makes the key paths.
private class StateEnumOperation: Operation, @unchecked Sendable {
    enum State: String {
        case ready, executing, finished
        var keyPath: String { "is" + rawValue.capitalized }
    }

    private let lock = NSLock()
    private var stored = State.ready
    let began = Door()

    var state: State {
        get { lock.withLock { stored } }
        set {
            let old = state
            willChangeValue(forKey: newValue.keyPath)
            willChangeValue(forKey: old.keyPath)
            // Without this the pattern loses a finish inside `cancel()` when `start()` runs at the same time.
            lock.withLock { if stored != .finished { stored = newValue } }
            didChangeValue(forKey: old.keyPath)
            didChangeValue(forKey: newValue.keyPath)
        }
    }

    override var isReady: Bool { super.isReady && state == .ready }
    override var isExecuting: Bool { state == .executing }
    override var isFinished: Bool { state == .finished }
    override var isAsynchronous: Bool { true }

    override func start() {
        if isCancelled {
            state = .finished
            return
        }
        main()
        state = .executing
        began.open()
    }

    override func cancel() {
        super.cancel()
        state = .finished
    }
}

/// The same as it is published: it loses a finish inside `cancel()` when `start()` runs at the same time.
private final class RacyStateEnumOperation: Operation, @unchecked Sendable {
    enum State: String {
        case ready, executing, finished
        var keyPath: String { "is" + rawValue.capitalized }
    }

    /// For the memory only, not for the order.
    private let stored = Lock(State.ready)

    var state: State {
        get { stored.withLock { $0 } }
        set {
            let old = state
            willChangeValue(forKey: newValue.keyPath)
            willChangeValue(forKey: old.keyPath)
            stored.withLock { $0 = newValue }
            didChangeValue(forKey: old.keyPath)
            didChangeValue(forKey: newValue.keyPath)
        }
    }

    override var isReady: Bool { super.isReady && state == .ready }
    override var isExecuting: Bool { state == .executing }
    override var isFinished: Bool { state == .finished }
    override var isAsynchronous: Bool { true }

    override func start() {
        if isCancelled {
            state = .finished
            return
        }
        state = .executing
        main()
    }

    override func main() { DispatchQueue.global().async { self.state = .finished } }

    override func cancel() {
        super.cancel()
        state = .finished
    }
}

private final class MainOperation: Operation, @unchecked Sendable {
    let counter: Counter
    init(_ counter: Counter) { self.counter = counter }
    override func main() { counter.increase() }
}

private final class LazyReporter: Operation, @unchecked Sendable {
    private let done = Lock(false)
    override var isFinished: Bool { done.withLock { $0 } }
    override func start() { done.withLock { $0 = true } }
}

private final class Forgetful: Operation, @unchecked Sendable {
    private let state = Lock(false)
    override var isExecuting: Bool { false }
    override var isFinished: Bool { state.withLock { $0 } }
    override func start() { didChangeValue(forKey: "isExcuting") }
    func finish() {
        state.withLock { $0 = true }
        didChangeValue(for: \.isFinished)
    }
}

private final class Choosy: Operation, @unchecked Sendable {
    private let allowed = Lock(false)
    let asked = Counter()
    let ran = Counter()
    override var isReady: Bool {
        asked.increase()
        return super.isReady && allowed.withLock { $0 }
    }
    override func main() { ran.increase() }
    func allow() {
        willChangeValue(forKey: "isReady")
        allowed.withLock { $0 = true }
        didChangeValue(forKey: "isReady")
    }
}

private class PlainQueue: OperationQueue, @unchecked Sendable {}

/// A queue with a stored property and an initializer of its own, which wants to see what comes.
private final class CountingQueue: OperationQueue, @unchecked Sendable {
    let added = Counter()
    let label: String

    init(label: String) {
        self.label = label
        super.init()
        name = label
    }

    override func addOperation(_ op: Operation) {
        added.increase()
        super.addOperation(op)
    }
}

/// Rows "overriding" and "isReady overridden".
final class OverridingTests: XCTestCase {
    /// In place of observing what only the program itself sets.
    func testOverridesHearOfWhatIsSet() {
        final class Own: Operation, @unchecked Sendable {
            let recorder: Recorder
            init(_ recorder: Recorder) { self.recorder = recorder }
            override var queuePriority: QueuePriority { didSet { recorder.note("priority") } }
            override var completionBlock: (@Sendable () -> Void)? { didSet { recorder.note("block") } }
            override var name: String? { didSet { recorder.note("name") } }
            override func addDependency(_ other: Operation) {
                recorder.note("depends")
                super.addDependency(other)
            }
            override func removeDependency(_ other: Operation) {
                recorder.note("is free")
                super.removeDependency(other)
            }
        }
        final class OwnQueue: OperationQueue, @unchecked Sendable {
            let recorder = Recorder()
            override var isSuspended: Bool { didSet { recorder.note("suspended") } }
            override var maxConcurrentOperationCount: Int { didSet { recorder.note("width") } }
            override var name: String? { didSet { recorder.note("name") } }
        }
        let (queue, recorder, other) = (OwnQueue(), Recorder(), BlockOperation {})
        let operation = Own(recorder)
        operation.queuePriority = .high
        operation.name = "own"
        operation.completionBlock = {}
        operation.addDependency(other)
        operation.removeDependency(other)
        (queue.isSuspended, queue.maxConcurrentOperationCount, queue.name) = (true, 2, "own")
        queue.addOperation(operation)
        queue.isSuspended = false
        queue.waitUntilAllOperationsAreFinished()
        XCTAssertEqual(recorder.all, ["priority", "name", "block", "depends", "is free"])
        XCTAssertEqual(queue.recorder.all, ["suspended", "width", "name", "suspended"])
    }

    func testOverridingMain() {
        let counter = Counter()
        let queue = OperationQueue()
        queue.addOperations((0..<500).map { _ in MainOperation(counter) }, waitUntilFinished: true)
        XCTAssertEqual(counter.value, 500)
        XCTAssertEqual(queue.operationCount, 0)
    }

    func testOverridingByTheLockQueuePattern() {
        let queue = makeQueue(width: 2)
        let operations = (0..<100).map { _ in LockQueueOperation() }
        for (former, latter) in zip(operations, operations.dropFirst(7)) { latter.addDependency(former) }
        operations[50].cancel()
        queue.addOperations(operations, waitUntilFinished: true)
        finishes(queue)
        XCTAssertTrue(operations.allSatisfy { $0.isFinished && !$0.isExecuting })
    }

    func testOverridingByTheStateEnumPattern() {
        let queue = makeQueue(width: 1)
        let operations = (0..<20).map { _ in StateEnumOperation() }
        queue.addOperations(operations, waitUntilFinished: false)
        for operation in operations {
            operation.began.pass()
            XCTAssertTrue(operation.isExecuting)
            operation.state = .finished
        }
        finishes(queue)
    }

    func testOverridingFinishInsideCancelBeforeTheStartDoesNotStick() {
        let queue = makeQueue(width: 1, suspended: true)
        let operations = (0..<20).map { _ in StateEnumOperation() }
        queue.addOperations(operations, waitUntilFinished: false)
        operations[3].cancel()
        XCTAssertTrue(operations[3].isFinished)
        XCTAssertEqual(queue.operationCount, 19)
        queue.isSuspended = false
        operations[0].began.pass()
        queue.cancelAllOperations()
        finishes(queue)
    }

    func testOverridingFinishInsideCancelAgainstTheStart() {
        for _ in 0..<200 {
            let queue = makeQueue(width: 2)
            let operations = (0..<4).map { _ in StateEnumOperation() }
            queue.addOperations(operations, waitUntilFinished: false)
            for each in operations { each.cancel() }
            finishes(queue)
        }
    }

    func testOverridingByTheStateEnumPatternWithItsOwnRace() {
        let completed = Counter()
        for _ in 0..<300 {
            let queue = makeQueue(width: 2)
            let operations = (0..<6).map { _ in RacyStateEnumOperation() }
            for each in operations { each.completionBlock = { completed.increase() } }
            queue.addOperations(operations, waitUntilFinished: false)
            for each in operations { each.cancel() }
            finishes(queue)
        }
        eventually("each completion block, once") { completed.value == 1_800 }
    }

    func testOverridingIsFinishedIsAskedOnceAfterStart() {
        let queue = makeQueue(width: 1)
        queue.addOperations([LazyReporter(), LazyReporter()], waitUntilFinished: true)
        finishes(queue)
    }

    func testOverridingOneThatNeitherRunsNorFinishesShowsInDiagnostics() {
        let queue = makeQueue(width: 1)
        let forgetful = Forgetful()
        forgetful.name = "forgetful"
        queue.addOperation(forgetful)
        let issue = QueueDiagnostics.Issue.neitherExecutingNorFinished(operation: "forgetful")
        eventually { queue.diagnostics.issues == [issue] }
        forgetful.finish()
        finishes(queue)
    }

    func testOverridingAQueue() {
        XCTAssertEqual(PlainQueue().maxConcurrentOperationCount, -1)
        let queue = CountingQueue(label: "counting")
        let ran = Counter()
        queue.addOperation { ran.increase() }
        queue.addOperation(BlockOperation { if OperationQueue.current === queue { ran.increase() } })
        finishes(queue)
        XCTAssertEqual(ran.value, 2)
        // A block is added as an operation; several at once are not added one by one, as on Apple's systems.
        XCTAssertEqual(queue.added.value, 2)
        queue.addOperations([BlockOperation { ran.increase() }], waitUntilFinished: true)
        XCTAssertEqual(queue.added.value, 2)
        XCTAssertEqual(ran.value, 3)
        XCTAssertEqual(queue.name, "counting")
    }

    func testIsReadyOverriddenParksUntilAChangeIsReported() {
        let queue = makeQueue(width: 1)
        let choosy = Choosy()
        choosy.name = "choosy"
        queue.addOperation(choosy)
        queue.addOperations([BlockOperation {}], waitUntilFinished: true)
        eventually { queue.diagnostics.issues == [.saysNotReady(operation: "choosy")] }
        XCTAssertGreaterThan(choosy.asked.value, 0)
        XCTAssertEqual(choosy.ran.value, 0)
        choosy.allow()
        finishes(queue)
        XCTAssertEqual(choosy.ran.value, 1)
    }

    func testIsReadyOverriddenAgainstTheReport() {
        for _ in 0..<500 {
            let queue = makeQueue(width: 1)
            let choosy = Choosy()
            queue.addOperation(choosy)
            choosy.allow()
            finishes(queue)
        }
    }

    func testIsReadyOverriddenIsNotAskedOfACancelledOne() {
        let queue = makeQueue(width: 1)
        let choosy = Choosy()
        queue.addOperation(choosy)
        choosy.cancel()
        finishes(queue)
        XCTAssertEqual(choosy.ran.value, 0)
    }
}
