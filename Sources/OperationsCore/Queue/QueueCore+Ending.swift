import Foundation

// The last part of an operation's way. However it comes about, an operation ends here, and once.
extension QueueCore {
    /// After so many dependents the lock is released, so that others get on.
    private static let dependentsPerLock = 64

    /// Ends an operation of this queue; does nothing when it has finished.
    ///
    /// The word changes under the lock, so that whoever sees a finished operation sees it gone from the queue.
    func end(_ operation: Operation) { _ = end(operation, in: nil, nil) }

    /// - Parameters:
    ///   - turn: Of the worker that has run it; nil for anybody else.
    ///   - context: That worker's.
    /// - Returns: What that worker goes on with.
    @inline(__always)
    func end(_ operation: Operation, in turn: WorkerTurn?, _ context: ExecutionContext?) -> WorkerJob? {
        monitor.lock()
        let actions = operation.transition(.finish)
        guard actions.contains(.accepted) else {
            monitor.unlock()
            return nil
        }
        if hub.isObserved || actions.contains(.notify) {
            if actions.contains(.begins) { hub.post(.started, operation, at: operation.startMoment) }
            hub.post(.finished, operation)
        }
        let reference = Unmanaged.passUnretained(operation)
        let freesPlace = actions.contains(.releaseSlot)
        var met = Operation.Met()
        var told: [Operation]?
        let next: WorkerJob?
        if !actions.contains(.meetDependents) || operation.meetDependents(Self.dependentsPerLock, inside: self, &met) {
            next = goOnAndUnlock(.ended(reference, freesPlace: freesPlace, met.inside), turn)
        } else {
            // Its place is kept until all of them are in the store, so that they start in their order.
            _ = goOnAndUnlock(.ended(reference, freesPlace: false, Woken()), nil)
            told = operation.meetAllDependents()
            monitor.lock()
            next = goOnAndUnlock(freesPlace ? .placeFreed : .started, turn)
        }
        // The last references to dependents may be these, and those to the operation.
        context?.claim.hold(next)
        Self.letGo(told.take())
        operation.conclude(actions, (consume met).elsewhere, isInQueue: true)
        // The queue's reference. It may be the engine's last one too.
        reference.release()
        return context?.claim.take()
    }

    /// Lets go of operations here, and not where the optimiser sees the last use of them.
    private static func letGo(_ operations: consuming [Operation]?) { withExtendedLifetime(operations) {} }

    @inline(__always)
    private func goOnAndUnlock(_ event: QueueState.Event, _ turn: WorkerTurn?) -> WorkerJob? {
        if let turn { return advanceAndUnlock(by: event, in: turn) }
        collect()
        carryOutAndUnlock(apply(event, by: .other))
        return nil
    }

    // MARK: Words that have changed

    func reconcile(_ operation: Operation) { tell(.wordsChanged(Woken(operation))) }

    /// Tells the queues of operations that may start: each of its own at once, so that it can choose the first of them, or if
    /// they are many some at a time, the first to come first.
    static func reconcile(_ woken: [Operation]) {
        guard let first = woken.first?.core else { return }
        if woken.allSatisfy({ $0.belongs(to: first) }) { return first.reconcile(woken) }
        for (_, operations) in Dictionary(grouping: woken, by: { $0.core.map { ObjectIdentifier($0) } }) {
            operations.first?.core?.reconcile(operations)
        }
    }

    private func reconcile(_ woken: [Operation]) {
        guard woken.count > Self.dependentsPerLock else { return tell(.wordsChanged(Woken(woken[...]))) }
        let sorted = sortedByRank(woken)
        for start in stride(from: 0, to: sorted.count, by: Self.dependentsPerLock) {
            tell(.wordsChanged(Woken(sorted[start...].prefix(Self.dependentsPerLock))))
        }
    }

    /// Operations of this queue, the first to come first; mostly they depended in the order in which they were added.
    private func sortedByRank(_ operations: [Operation]) -> [Operation] {
        let order = order
        func rank(_ operation: Operation) -> ExclusionLine.Rank {
            ExclusionLine.Rank(level: operation.state.priorityLevel, sequence: operation.numberInQueue)
        }
        let neighbours = zip(operations, operations.dropFirst())
        if neighbours.allSatisfy({ !rank($1).comes(before: rank($0), in: order) }) { return operations }
        // Priorities may change meanwhile: each is read once.
        return operations.map { (rank($0), $0) }.sorted { $0.0.comes(before: $1.0, in: order) }.map(\.1)
    }
}

extension Operation {
    /// The engine of the queue that it is or was in.
    final var enqueuedCore: QueueCore? { state.isAdded ? core : nil }

    /// Finishes the operation, if it has not finished, with all that follows from it.
    final func finishNow() {
        let state = state
        if state.isFinished { return }
        guard !state.isEnqueued, case let actions = transition(.finishOutsideQueue), actions.contains(.accepted) else {
            // In a queue, perhaps only just now.
            return enqueuedCore?.end(self) ?? ()
        }
        if actions.contains(.meetDependents) { _ = meetAllDependents() }
        // Its queue, if it was added to one, has to find out that it is no member any more.
        enqueuedCore?.admitAll()
        conclude(actions, [], isInQueue: false)
    }

    /// Carries out what follows from the finish, with no lock held.
    /// - Parameter woken: Dependents that may start in other queues.
    final func conclude(_ actions: OperationState.Actions, _ woken: consuming [Operation], isInQueue: Bool) {
        if !woken.isEmpty { QueueCore.reconcile(woken) }
        if actions.contains(.unregister) { unlinkFromDependencies() }
        discardWork()
        // A queue tells those who observe the states itself, in order with what it told before.
        if actions.contains(.notify), !isInQueue { advanceObservers(to: .finished) }
        if actions.contains(.wakeWaiters) { callFinishHandlers() }
        if actions.contains(.runCompletion) { runCompletionBlock() }
    }

    private func runCompletionBlock() {
        let block = withExtras { $0.completionBlock.take() }
        guard let block else { return }
        let core = enqueuedCore
        let quality = state.quality == 0 ? core?.quality ?? 0 : state.quality
        let pool = core?.completionPool ?? ThreadPool.shared
        // The block may have the operation from nobody but its queue, which lets go of it now.
        let work: @Sendable () -> Void = { [self] in withExtendedLifetime(self) { block() } }
        pool.add(.block(work), lane: Lane(quality: quality), urgency: .completion)
    }
}
