import Foundation

/// Stands for an operation of Foundation's class in a queue of ours.
// It adds two constants, which are Foundation's operations and guard their own state: that makes `@unchecked Sendable` true.
final class ForwardedOperation: AsyncOperation, @unchecked Sendable {
    private let forwarded: Foundation.Operation
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
        if state.isFinished {
            ForwardedWaits.remove(self)
        } else if forwarded.isCancelled {
            cancel()
        } else if state.phase == .parked, forwarded.isReady {
            didChangeValue(forKey: "isReady")
        } else if state.phase == .executing, forwarded.isReady {
            // It was left to Foundation.
            forwarded.didChangeValue(forKey: "isReady")
        }
    }

    override func execute() {
        ForwardedWaits.remove(self)
        if !startForwarded() { ForwardedWaits.add(self) }
        finishWithForwarded()
    }

    override func cancel() {
        super.cancel()
        if isCancelled, !forwarded.isCancelled { forwarded.cancel() }
    }

    /// Foundation's operations finish by being started only, the cancelled ones without their work. Only then has this one
    /// finished, so that who has waited for the queue finds them finished.
    override func finishUnstarted() {
        if !forwarded.isCancelled { forwarded.cancel() }
        guard startForwarded() else { return finish() }
        finishWithForwarded()
    }

    private func finishWithForwarded() {
        if forwarded.isFinished {
            // As Foundation's own queue does for those that do not tell of it.
            forwarded.didChangeValue(forKey: "isFinished")
            return finish()
        }
        // Not by its completion block, which is its owner's and may be replaced at any time.
        [forwarded].notify { [self] in finish() }
    }

    /// What a cancelled one waited for may finish later, or never. Foundation's operations remember those that depend on them,
    /// also when they are gone.
    override func discardWork() {
        super.discardWork()
        ForwardedWaits.remove(self)
        if let wait, !wait.isFinished {
            wait.removeDependencies()
            wait.cancel()
        }
        guard forwarded.isCancelled, !forwarded.dependencies.isEmpty else { return }
        if forwarded.isFinished {
            forwarded.removeDependencies()
        } else {
            [forwarded].notify { [forwarded] in forwarded.removeDependencies() }
        }
    }

    /// Somebody may have started it by hand.
    /// - Returns: False if it is not ready, not any more or even when it is cancelled: a start would end the process, so that a
    ///   queue of Foundation's starts it when it is.
    private func startForwarded() -> Bool {
        if forwarded.isExecuting || forwarded.isFinished { return true }
        guard forwarded.isReady else {
            forwarded.add()
            return false
        }
        forwarded.start()
        return true
    }
}

/// Finishes when the dependencies of a forwarded operation have. It is started, so that diagnostics do not miss a queue.
// It adds no state to its superclass, which guards its own: that makes `@unchecked Sendable` true.
private final class ForwardingGate: AsyncOperation, @unchecked Sendable {
    override func execute() {}
}

extension Foundation.Operation {
    /// Also those that have finished: they may be about to tell those that depend on them.
    fileprivate func removeDependencies() {
        for each in dependencies { removeDependency(each) }
    }

    /// Adds it to a queue of its own. One that becomes ready while it is being added Foundation may take for one that is not, for
    /// good.
    fileprivate func add() {
        Foundation.OperationQueue().addOperation(self)
        if isReady { didChangeValue(forKey: "isReady") }
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
        end.add()
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
