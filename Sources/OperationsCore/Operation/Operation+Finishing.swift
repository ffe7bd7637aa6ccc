import Foundation

extension Operation {
    /// The engine of the queue that it is or was in.
    final var enqueuedCore: QueueCore? { state.isAdded ? core : nil }

    /// A comparison that leaves the engine's reference count alone.
    @inline(__always)
    final func belongs(to core: QueueCore?) -> Bool {
        unretainedCore?.toOpaque() == core.map { Unmanaged.passUnretained($0).toOpaque() }
    }

    /// `main()`, as the innermost one of the thread and as a part of the queue's progress.
    final func runMain(on context: ExecutionContext, in core: QueueCore?) {
        context.running(self) {
            if let core, core.progress.isReporting {
                core.progress.reporting { main() }
            } else {
                main()
            }
        }
    }

    /// A second start does nothing; one that comes too early is a mistake.
    final func checkRefusedStart() {
        Misuse.require(state.hasBegun, Misuse.started(self))
    }

    /// Finishes the operation, if it has not finished, with all that follows from it.
    final func finishNow() {
        let state = state
        if state.isFinished { return }
        if !state.isEnqueued {
            let actions = transition(.finishOutsideQueue)
            if actions.contains(.accepted) {
                var ending = QueueCore.Ending(actions: actions)
                if actions.contains(.meetDependents) { ending.woken = meetDependents(inside: nil) { _ in } }
                return settle(ending)
            }
        }
        // In a queue, perhaps only just now.
        enqueuedCore?.finish(self)
    }

    /// Carries out what follows from the finish, with no lock held, but for the release of the queue's reference:
    /// that comes last, when no dependency knows this operation any more.
    final func settle(_ ending: QueueCore.Ending) {
        guard ending.actions.contains(.accepted) else { return }
        if !ending.woken.isEmpty { Self.reconcile(ending.woken) }
        if ending.actions.contains(.unregister) { unregisterFromDependencies() }
        discardWork()
        if ending.actions.contains(.wakeWaiters) { wakeWaiters() }
        if ending.actions.contains(.notify) { callFinishHandlers(isInQueue: ending.member != nil) }
        if ending.actions.contains(.runCompletion) { runCompletionBlock() }
    }

    /// Tells queues of operations that may start, each queue once.
    static func reconcile(_ woken: [Operation]) {
        guard let first = woken.first?.core else { return }
        if woken.allSatisfy({ $0.core === first }) { return first.reconcile(woken) }
        for (_, operations) in Dictionary(grouping: woken, by: { $0.core.map { ObjectIdentifier($0) } }) {
            operations.first?.core?.reconcile(operations)
        }
    }

    private func runCompletionBlock() {
        let block = withExtras { $0.completionBlock.take() }
        guard let block else { return }
        let core = enqueuedCore
        let quality = state.quality == 0 ? core?.quality ?? 0 : state.quality
        let pool = core?.completionPool ?? ThreadPool.shared
        pool.add(.block(block), lane: Lane(quality: quality), urgency: .brief)
    }
}
