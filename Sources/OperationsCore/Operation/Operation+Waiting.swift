import Dispatch

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
        context.giveClaimedAway()
        let place = context.place
        let wait = place.map { $0.core.beginWait(for: .operation(self), of: $0.number) }
        defer { if let wait { place?.core.endWait(wait) } }
        core?.help(BlockingWait(for: .operation(self), at: place) { [self] in state.isFinished })
        let end = DispatchSemaphore(value: 0)
        if notifyAtFinish({ end.signal() }) { end.wait() }
    }
}

extension ExecutionContext {
    /// What cannot end while the calling code waits: the queue, and the number in it of an operation, or nil for a barrier.
    var place: (core: QueueCore, number: UInt64?)? {
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

    /// The thread is in a barrier of `core`, or in one of its operations: in the start, in the `main()`, or in a task that works
    /// in its place.
    func isInside(_ core: QueueCore) -> Bool {
        if let place = TaskPlace.current, place.core === core, !place.isOver, place.isInside(self.core) { return true }
        var isInside = isAtWork(for: core)
        forEachMain { main in main._withUnsafeGuaranteedRef { isInside = isInside || $0.enqueuedCore === core } }
        return isInside
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
