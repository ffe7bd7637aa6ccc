import Operations
import OperationsCore

/// The kinds of operations that programs are made of.
enum ExploredKind: String, CaseIterable {
    case block
    case twoBlocks
    case main
    case failing
    /// Its overridden `isReady` may be false.
    case gated
    /// An `AsyncOperation` that the program finishes.
    case manual
    /// As `manual`, but it finishes itself as soon as it is cancelled while it executes.
    case obedient
    /// Overrides `start()`, `isExecuting` and `isFinished`, and is finished by the program.
    case handmade
    case task
    /// A task that is suspended and goes on some times.
    case yieldingTask

    /// It goes on after its work began, until the program finishes it.
    var isOpenEnded: Bool { self == .manual || self == .obedient || self == .handmade }
    /// It can be told to finish at any time, even before the start.
    var finishesAnyTime: Bool { self == .manual || self == .obedient }
    /// Started by hand all of it happens on the calling thread, and the engine knows.
    var isForHand: Bool { self != .twoBlocks && self != .yieldingTask && self != .handmade }
}

final class PlainOperation: Operation, @unchecked Sendable {
    private let body: @Sendable () -> Void
    private let fault: Fault?

    init(failingWith fault: Fault? = nil, _ body: @escaping @Sendable () -> Void) {
        self.fault = fault
        self.body = body
    }

    override func main() {
        body()
        if let fault { fail(fault) }
    }
}

/// Touched by one thread.
final class GatedOperation: Operation, @unchecked Sendable {
    var isOpen = true
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    override var isReady: Bool { super.isReady && isOpen }
    override func main() { body() }

    func open() {
        isOpen = true
        didChangeValue(forKey: "isReady")
    }
}

final class ExploredAsyncOperation: AsyncOperation, @unchecked Sendable {
    private let body: @Sendable () -> Void
    private let whenCancelled: @Sendable (ExploredAsyncOperation) -> Void

    init(
        _ body: @escaping @Sendable () -> Void,
        whenCancelled: @escaping @Sendable (ExploredAsyncOperation) -> Void
    ) {
        self.body = body
        self.whenCancelled = whenCancelled
    }

    override func execute() { body() }
    override func cancelExecution() { whenCancelled(self) }
}

/// Touched by one thread.
final class HandmadeOperation: Operation, @unchecked Sendable {
    private let body: @Sendable () -> Void
    private var isAtWork = false
    private var isDone = false

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { isAtWork }
    override var isFinished: Bool { isDone }

    override func start() {
        if isCancelled { return end() }
        willChangeValue(forKey: "isExecuting")
        isAtWork = true
        didChangeValue(forKey: "isExecuting")
        body()
    }

    func end() {
        willChangeValue(forKey: "isFinished")
        isAtWork = false
        isDone = true
        didChangeValue(forKey: "isFinished")
    }
}
