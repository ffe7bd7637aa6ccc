import Foundation
import Operations
import OperationsCore

/// The members that the engine has asked for although a subclass declared them for itself.
let misuses = Lock<[String]>([])

func misused<Value>(_ name: String, _ value: Value) -> Value {
    misuses.withLock { $0.append(name) }
    return value
}

/// Declares each of our additions again, with the types that they have.
class RedeclaringOperation: Operation, @unchecked Sendable {
    var error: (any Error)? {
        get { misused("error", Fault("redeclared")) }
        set { _ = misused("error", newValue) }
    }
    func fail(_ error: any Error) { misused("fail", ()) }
    var cancelsWhenDependencyFails: Bool {
        get { misused("cancelsWhenDependencyFails", true) }
        set { _ = misused("cancelsWhenDependencyFails", newValue) }
    }
    var executionState: Operation.ExecutionState { misused("executionState", .finished) }
    var states: AsyncStream<Operation.ExecutionState> { misused("states", AsyncStream { $0.finish() }) }
    var exclusionKeys: Set<ExclusionKey> {
        get { misused("exclusionKeys", [ExclusionKey("all")]) }
        set { _ = misused("exclusionKeys", newValue) }
    }
    func observe(_ handler: @escaping @Sendable (Operation.ExecutionState) -> Void) -> ObservationToken {
        misused("observe", super.observe(handler))
    }
    func raisePriority(to priority: QueuePriority) { misused("raisePriority", ()) }
    func untilFinished() async { misused("untilFinished", ()) }
}

/// Declares them as something else.
class RedeclaringOtherwiseOperation: Operation, @unchecked Sendable {
    enum ExecutionState { case idle, busy }

    var error: String? = "none of the engine's"
    var failures: [String] = []
    func fail(_ reason: String) { failures.append(reason) }
    func fail() { failures.append("") }
    func finished() { failures.append("finished") }
    var executionState = ExecutionState.idle
    let states = ["idle", "busy"]
    var exclusionKeys: [String] = []
    let cancelsWhenDependencyFails = 1
    func observe(_ handler: @escaping (Double) -> Void) { handler(0.5) }
    let raisePriority = true
    let untilFinished = Date.distantFuture

    override func main() {
        executionState = .busy
        fail("first")
        fail()
        finished()
        exclusionKeys.append("key")
        observe { [self] in failures.append("\($0)") }
        error = states.last
    }

    /// A call without `await`, though it stands in a task.
    func endInTask() async { finished() }
}

/// The commonest of all: an error that the subclass sets itself.
class FailingOperation: Operation, @unchecked Sendable {
    var error: (any Error)?
    func fail(_ error: any Error) { self.error = error }
    func finished() {}
    override func main() { fail(Fault("its own")) }
}

class RedeclaringBlockOperation: BlockOperation, @unchecked Sendable {
    var error: (any Error)? { misused("error", Fault("redeclared")) }
    func fail(_ error: any Error) { misused("fail", ()) }
    var states: [String] { misused("states", []) }
    var block: Int { misused("block", 0) }
    func runBlocks() { misused("runBlocks", ()) }
}

class RedeclaringAsyncOperation: AsyncOperation, @unchecked Sendable {
    var error: (any Error)? { misused("error", Fault("redeclared")) }
    func fail(_ error: any Error) { misused("fail", ()) }
    var states: [String] { misused("states", []) }
    var executionState: Int { misused("executionState", 0) }
    func finished() { misused("finished", ()) }
    override func execute() { finish(Fault("of the work")) }
}

enum Foreign {
    /// A class of one's own under the name that tutorials give it.
    class AsyncOperation: Operation, @unchecked Sendable {
        private let lock = NSLock()
        private var hasFinished = false
        var error: (any Error)?

        override var isAsynchronous: Bool { true }
        override var isFinished: Bool { lock.withLock { hasFinished } }
        override func start() { isCancelled ? finish() : execute() }
        func execute() { DispatchQueue.global().async { self.finish(nil) } }
        func finish(_ error: (any Error)? = nil) {
            willChangeValue(forKey: "isFinished")
            self.error = error
            lock.withLock { hasFinished = true }
            didChangeValue(forKey: "isFinished")
        }
    }
}

/// Declares each addition of ours to queues again.
class RedeclaringQueue: OperationQueue, @unchecked Sendable {
    var diagnostics: QueueDiagnostics { misused("diagnostics", super.diagnostics) }
    var executionOrder: ExecutionOrder {
        get { misused("executionOrder", .lifo) }
        set { _ = misused("executionOrder", newValue) }
    }
    var rateLimit: RateLimit? {
        get { misused("rateLimit", nil) }
        set { _ = misused("rateLimit", newValue) }
    }
    var foundationQueue: Foundation.OperationQueue { misused("foundationQueue", .main) }
    func events() -> [String] { misused("events", []) }
    func observe(_ handler: @escaping @Sendable (QueueEvent) -> Void) -> ObservationToken {
        misused("observe", super.observe(handler))
    }
    func addTask(_ block: @escaping @Sendable () -> Void) { misused("addTask", ()) }
    func run(_ block: () -> Void) { misused("run", ()) }
}

/// Declares them as something else, and what queues of published code have.
class RedeclaringOtherwiseQueue: OperationQueue, @unchecked Sendable {
    static let shared = RedeclaringOtherwiseQueue()
    weak var delegate: (any ForeignDelegate)?
    var diagnostics = ["of its own"]
    var executionOrder = 1
    var rateLimit = 2.5
    var events: [String] = []
    var state = 0, hub = 0, monitor = 0, intake = 0, width = 4, pool = 0, clock = 0, order = 0, urgency = 0
    var maxSize = 20, title = "title", identifier = "identifier", label = "label", running = 0
    var pending: [Operation] = []
    var isPaused = false, isIdle = true, onEmpty: (() -> Void)?, completion: (() -> Void)?, observers: [AnyObject] = []
    var lastOperation: Operation?, tasks: [Operation] = [], logger = "", qos = 0, lock = NSLock(), error: (any Error)?
    func run() { events.append("run") }
    func addTask(named name: String) { events.append(name) }
    func addTask(_ operation: Operation) { addOperation(operation) }
    func observe(_ handler: (Int) -> Void) { handler(operationCount) }
    func add(_ operation: Operation) { addOperation(operation) }
    func addOperations(_ operations: [Operation]) { addOperations(operations, waitUntilFinished: false) }
    func addSerialOperation(_ operation: Operation) {}
    func pause() { isSuspended = true }
    func resume() { isSuspended = false }
    func cancelAll() { cancelAllOperations() }
    func attach() {}
    func settleIn() {}
    func change() {}
    func finish() {}
    func reconcile() {}

    override func addOperation(_ op: Operation) {
        events.append("add")
        super.addOperation(op)
    }
}

extension Operation {
    /// What code of a client adds to the class itself.
    var isUnfinished: Bool { !isFinished }
    func then(_ next: Operation) -> Operation {
        next.addDependency(self)
        return next
    }
}
