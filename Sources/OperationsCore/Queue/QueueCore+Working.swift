// What workers do: take what comes next, run it, and take the next under the same lock.
extension QueueCore {
    /// A worker that was asked for looks for work.
    func takeWork(in turn: WorkerTurn) -> WorkerJob? {
        monitor.lock()
        state.endSearch()
        return takeWorkAndUnlock(on: turn.lane)
    }

    /// Changes the state and takes the next work under the same lock.
    @inline(__always)
    func continueWork(in turn: WorkerTurn, _ body: (inout QueueState) -> Void) -> WorkerJob? {
        monitor.lock()
        body(&state)
        return goOnAndUnlock(in: turn)
    }

    /// The end of a step: the next work, under the lock that the caller holds. When the turn is over that is to look for work
    /// later, unless somebody else does already: what was claimed would have to wait for the others' turns.
    @inline(__always)
    func goOnAndUnlock(in turn: WorkerTurn) -> WorkerJob? {
        if !turn.isOver { return takeWorkAndUnlock(on: turn.lane) }
        takeInWhatIsNext()
        let goesOn = state.beginSearch()
        unlockAfterChange()
        return goesOn ? .search(self) : nil
    }

    /// Takes the next work, under the lock that the caller holds.
    @inline(__always)
    func takeWorkAndUnlock(on workerLane: Lane) -> WorkerJob? {
        takeInWhatIsNext()
        switch state.takeWork() {
        case nil:
            unlockAfterChange()
            return nil
        case .barrier(let block):
            unlockAfterChange()
            return .barrier(block, self)
        case .operation(let reference):
            if let operation = blockOperation(reference, for: workerLane) {
                unlockAfterChange()
                return .blocks(operation)
            }
            // Retained under the lock: the operation may finish, and leave the queue, before it is begun.
            let claimed = reference.retain()
            unlockAfterChange()
            let operation = claimed.takeRetainedValue()
            let lane = lane(of: operation)
            if lane == workerLane { return .operation(operation) }
            // A thread keeps to its lane, and the calling one has nothing to do.
            give(.operation(operation), to: lane)
            return nil
        }
    }

    /// The operation, if it is one that takes the short way and that the worker itself will run.
    @inline(__always)
    func blockOperation(_ reference: Unmanaged<Operation>, for worker: Lane) -> Unmanaged<BlockOperation>? {
        reference._withUnsafeGuaranteedRef { operation in
            guard type(of: operation) == BlockOperation.self, !operation.state.isExclusive,
                lane(of: operation) == worker
            else { return nil }
            // The class was just compared.
            return .passUnretained(unsafeDowncast(operation, to: BlockOperation.self))
        }
    }

    /// Has a thread of the pool go on with a job.
    func give(_ job: WorkerJob, to lane: Lane) {
        let (pool, urgency) = monitor.withLock { (self.pool, state.urgency) }
        pool.add(job, lane: lane, urgency: urgency)
    }

    /// Runs an operation that was taken from the store.
    func run(_ operation: Operation, in turn: WorkerTurn) -> WorkerJob? {
        // The thread holds it.
        let context = ExecutionContext.unretained
        return context._withUnsafeGuaranteedRef { run(operation, in: turn, $0) }
    }

    @inline(__always)
    func run(_ operation: Operation, in turn: WorkerTurn, _ context: ExecutionContext) -> WorkerJob? {
        let (outerCore, outerStep) = (context.core, context.stepping)
        context.core = .passUnretained(self)
        context.stepping = .passUnretained(operation)
        defer { (context.core, context.stepping) = (outerCore, outerStep) }

        if operation.state.cancelsWithDependencies { operation.takeOverFailure() }
        if operation.isFinished {
            operation.finishNow()
        } else if !operation.isCancelled, !mayStart(operation) {
            let isParked = operation.transition(.park).contains(.releaseSlot)
            return continueWork(in: turn) { state in
                if isParked { state.putAside() }
                state.reconcile(operation)
            }
        } else {
            let actions = operation.transition(.begin)
            if !actions.contains(.accepted) { operation.releaseExclusion() }
            if actions.contains(.releaseSlot) { return continueWork(in: turn) { $0.putAside() } }
            guard actions.contains(.accepted) else { return continueWork(in: turn) { _ in } }
            context.hasReportedStart = reportStart(of: operation)
            operation.start()
            if operation.isFinished {
                operation.finishNow()
            } else {
                _ = operation.transition(.startReturned)
            }
        }
        return continueWork(in: turn) { _ in }
    }

    /// The last checks of an operation that nothing else holds back: its overridden `isReady`, and its keys.
    private func mayStart(_ operation: Operation) -> Bool {
        if operation.isReady { return operation.acquireExclusion() }
        operation.declineExclusion()
        return false
    }

    /// What a step of the short way came to.
    struct BlocksEnd {
        var finished: Unmanaged<Operation>?
        let next: WorkerJob?
    }

    /// The short way for an operation of which nothing is overridden: finishing it and taking the next is one lock.
    func runBlocks(of operation: BlockOperation, in turn: WorkerTurn) -> BlocksEnd {
        if operation.state.cancelsWithDependencies { operation.takeOverFailure() }
        let actions = operation.transition(.beginMain)
        guard actions.contains(.accepted) else {
            // It is still claimed, and so both are there. When the long way puts it aside, others may finish it: with it goes
            // what keeps this engine, perhaps before this thread has left the lock.
            let kept = (Unmanaged.passRetained(self), Unmanaged.passRetained(operation))
            defer {
                kept.1.release()
                kept.0.release()
            }
            return BlocksEnd(next: run(operation, in: turn))
        }
        if !actions.contains(.skipMain) {
            _ = reportStart(of: operation)
            ExecutionContext.unretained._withUnsafeGuaranteedRef { context in
                let (outerCore, outerStep) = (context.core, context.stepping)
                context.core = .passUnretained(self)
                context.stepping = .passUnretained(operation)
                operation.runBlocks(on: context, in: self)
                (context.core, context.stepping) = (outerCore, outerStep)
            }
        }
        monitor.lock()
        let ending = leave(operation, &state)
        let next = goOnAndUnlock(in: turn)
        operation.settle(ending)
        return BlocksEnd(finished: ending.member, next: next)
    }

    /// - Returns: Whether somebody was there to be told.
    @inline(__always)
    func reportStart(of operation: Operation) -> Bool {
        guard hub.isObserved || operation.state.isObserved, !operation.state.isCancelled else { return false }
        hub.post(.started, operation)
        hub.deliver()
        return true
    }

    func finishBarrier(in turn: WorkerTurn) -> WorkerJob? {
        var finished: QueueState.Barrier?
        let next = continueWork(in: turn) { finished = $0.finishBarrier() }
        withExtendedLifetime(finished) {}
        return next
    }
}
