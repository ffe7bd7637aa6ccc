import Foundation
import Synchronization

/// Stands for an operation of Foundation's class in a queue of ours.
final class ForwardedOperation: AsyncOperation, @unchecked Sendable {
    /// Foundation's class guards its own state.
    private let forwarded: Foundation.Operation
    private let isForwarded = Atomic(false)
    /// Waits for the dependencies that the other had, if it had some.
    private let wait: Foundation.Operation?

    /// It waits for the dependencies that the other has.
    init(_ forwarded: Foundation.Operation) {
        self.forwarded = forwarded
        let unfinished = forwarded.dependencies.filter { !$0.isFinished }
        let gate = ForwardingGate()
        gate.start()
        wait = unfinished.isEmpty ? nil : unfinished.notify { gate.finish() }
        super.init()
        name = forwarded.name
        queuePriority = QueuePriority(rawValue: forwarded.queuePriority.rawValue) ?? .normal
        guard wait != nil else { return }
        addDependency(gate)
        ForwardedWaits.add(self)
    }

    /// Dependencies that came later, and a readiness that a subclass has a say in.
    override var isReady: Bool {
        guard super.isReady else { return false }
        if forwarded.isReady || forwarded.isExecuting || forwarded.isFinished { return true }
        ForwardedWaits.add(self)
        return false
    }

    /// Notices what nobody tells of the other.
    fileprivate func look() {
        if forwarded.isCancelled {
            cancel()
        } else if state.isUnhindered, forwarded.isReady {
            didChangeValue(forKey: "isReady")
        }
    }

    override func execute() {
        isForwarded.store(true, ordering: .relaxed)
        ForwardedWaits.remove(self)
        startForwarded()
        if forwarded.isFinished { return finish() }
        // Not by its completion block, which is its owner's and may be replaced at any time.
        [forwarded].notify { [self] in finish() }
    }

    override func cancel() {
        super.cancel()
        if isCancelled, !forwarded.isCancelled { forwarded.cancel() }
    }

    /// Foundation's operations finish by being started only, the cancelled ones without their work.
    override func discardWork() {
        super.discardWork()
        ForwardedWaits.remove(self)
        guard !isForwarded.exchange(true, ordering: .relaxed) else { return }
        if !forwarded.isCancelled { forwarded.cancel() }
        // One that is not ready even then is left as it is, as in Foundation's own queue.
        if forwarded.isReady { startForwarded() }
        // What they waited for may finish later, or never. Foundation's operations remember those that depend on them, also
        // when they are gone.
        if let wait {
            wait.removeUnfinishedDependencies()
            wait.cancel()
        }
        forwarded.removeUnfinishedDependencies()
    }

    /// Somebody may have started it by hand.
    private func startForwarded() {
        if !forwarded.isExecuting, !forwarded.isFinished { forwarded.start() }
    }
}

/// Finishes when the dependencies of a forwarded operation have.
private final class ForwardingGate: AsyncOperation, @unchecked Sendable {
    override func execute() {}
}

extension Foundation.Operation {
    fileprivate func removeUnfinishedDependencies() {
        for each in dependencies where !each.isFinished { removeDependency(each) }
    }
}

extension [Foundation.Operation] {
    /// Has a closure called when all of them have finished.
    ///
    /// Only Foundation's own queues learn of that. Each has one of its own, since the time that one takes grows with the square
    /// of those that wait in it.
    /// - Returns: What calls the closure, unless it is cancelled before.
    @discardableResult
    fileprivate func notify(_ body: @escaping @Sendable () -> Void) -> Foundation.Operation {
        let end = Foundation.BlockOperation(block: body)
        forEach(end.addDependency)
        Foundation.OperationQueue().addOperation(end)
        return end
    }
}

/// The forwarded operations that wait. Without key-value observing nobody tells of a cancellation, or of an overridden `isReady`,
/// so that they are looked at.
private enum ForwardedWaits {
    private static let waiting = Lock<[ObjectIdentifier: ForwardedOperation]>([:])
    private static let looks = PeriodicLook(everyMilliseconds: 100) { look() }

    static func add(_ operation: ForwardedOperation) {
        waiting.withLock { $0[ObjectIdentifier(operation)] = operation }
        looks.ask()
    }

    static func remove(_ operation: ForwardedOperation) {
        let removed = waiting.withLock { $0.removeValue(forKey: ObjectIdentifier(operation)) }
        withExtendedLifetime(removed) {}
    }

    private static func look() {
        let all = waiting.withLock { Array($0.values) }
        for each in all { each.look() }
        if !all.isEmpty { looks.ask() }
    }
}
