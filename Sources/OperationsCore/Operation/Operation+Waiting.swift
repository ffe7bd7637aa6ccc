import Foundation

extension Operation {
    /// How long a thread waits for a whole queue before that is looked into.
    static let suspiciousMilliseconds = 1_000

    final func blockUntilFinished() {
        if isFinished { return }
        let context = ExecutionContext.current
        Misuse.require(!context.isRunningMain(of: self), Misuse.waitedForItself(self))
        let core = enqueuedCore
        let needsMainThread = core?.isMain == true && !state.hasBegun && DispatchPool.isOnMain
        Misuse.require(!needsMainThread, Misuse.waitedOnMainThread(self))
        core?.help { state.isFinished }
        guard let place = context.place else { return block() }
        let wait = place.core.beginWait(for: self, of: place.number)
        block()
        place.core.endWait(wait)
    }

    /// Waits for the finish.
    private func block() {
        let stripe = OperationLocks.stripe(of: self)
        pthread_mutex_lock(&stripe.pointee.mutex)
        defer { pthread_mutex_unlock(&stripe.pointee.mutex) }
        guard transition(.addWaiter).contains(.accepted) else { return }
        while !state.isFinished { pthread_cond_wait(&stripe.pointee.condition, &stripe.pointee.mutex) }
    }

    final func wakeWaiters() {
        let stripe = OperationLocks.stripe(of: self)
        locked { _ = pthread_cond_broadcast(&stripe.pointee.condition) }
    }
}

extension ExecutionContext {
    /// What cannot end while the calling code waits: the queue, and the number in it of an operation, or nil for a barrier.
    fileprivate var place: (core: QueueCore, number: UInt64?)? {
        if let place = TaskPlace.ofCurrentTask, place.isInside(core) { return (place.core, place.number) }
        guard let core = core?.takeUnretainedValue() else { return nil }
        let number = (stepping ?? innermostMain?.pointee.operation)?._withUnsafeGuaranteedRef { operation in
            operation.enqueuedCore === core ? operation.sequence : nil
        }
        return (core, number)
    }

    /// The thread is in a barrier of `core`, and in no operation inside that.
    func isInBarrier(of core: QueueCore) -> Bool {
        stepping == nil && innermostMain == nil && isAtWork(for: core)
    }

    /// What is said of a wait for all of `core` if it takes long: that it is inside the start of an operation of its own,
    /// which has not finished.
    func suspicion(of core: QueueCore) -> String? {
        guard isAtWork(for: core), let stepping else { return nil }
        return stepping._withUnsafeGuaranteedRef { operation in
            operation.state.isFinished ? nil : Misuse.waitedForOwnQueue(core.name, in: operation)
        }
    }

    private func isAtWork(for core: QueueCore) -> Bool {
        self.core?.toOpaque() == Unmanaged.passUnretained(core).toOpaque()
    }
}
