import Foundation

extension Operation {
    /// How long a wait inside a queue's work goes on before it is looked into.
    static let suspiciousMilliseconds = 1_000

    final func blockUntilFinished() {
        if isFinished { return }
        let context = ExecutionContext.current
        Misuse.require(!context.isRunningMain(of: self), Misuse.waitedForItself(self))
        let core = enqueuedCore
        let needsMainThread = core?.isMain == true && !state.hasBegun && DispatchPool.isOnMain
        Misuse.require(!needsMainThread, Misuse.waitedOnMainThread(self))
        core?.help { state.isFinished }
        if let outer = context.core?.takeUnretainedValue() {
            let waiting = context.stepping?._withUnsafeGuaranteedRef { ObjectIdentifier($0) }
            let wait = QueueCore.Wait(waiting: waiting, target: .passUnretained(self))
            outer.beginWait(wait)
            defer { outer.endWait(wait) }
            let deadline = Moment(millisecondsFromNow: Self.suspiciousMilliseconds)
            guard !block(until: deadline) else { return }
            var search = EndlessWait()
            if search.isEndless(for: self) { reportEndlessWait(context, outer) }
        }
        _ = block(until: nil)
    }

    private func reportEndlessWait(_ context: ExecutionContext, _ outer: QueueCore) {
        let waiting = context.innermostMain?.pointee.operation ?? context.stepping
        let label = waiting?._withUnsafeGuaranteedRef { "operation '\($0.label)'" } ?? "a block"
        Log.report(
            """
            In queue '\(outer.name)' \(label) waits for operation '\(self.label)' of queue \
            '\(core?.name ?? "")', which cannot \(state.hasBegun ? "finish" : "start"): a queue is suspended, or \
            all that could end the wait is waiting too.
            """)
    }

    /// Waits for the finish; false if `deadline` passed before.
    private func block(until deadline: Moment?) -> Bool {
        let stripe = OperationLocks.stripe(of: self)
        pthread_mutex_lock(&stripe.pointee.mutex)
        defer { pthread_mutex_unlock(&stripe.pointee.mutex) }
        guard transition(.addWaiter).contains(.accepted) else { return true }
        while !state.isFinished {
            if let deadline {
                if !deadline.wait(&stripe.pointee.condition, &stripe.pointee.mutex) { return state.isFinished }
            } else {
                pthread_cond_wait(&stripe.pointee.condition, &stripe.pointee.mutex)
            }
        }
        return true
    }

    final func wakeWaiters() {
        let stripe = OperationLocks.stripe(of: self)
        locked { _ = pthread_cond_broadcast(&stripe.pointee.condition) }
    }
}

extension ExecutionContext {
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
