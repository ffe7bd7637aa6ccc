import Synchronization

// The second part of an operation's way: a worker claims it and runs it. Ending it and claiming what comes next is one lock.
extension QueueCore {
    /// The step of a worker that has claimed an operation.
    /// - Parameter isPlain: See `Operation.isPlain`. Others are retained for this step.
    /// - Returns: What the worker goes on with.
    func run(_ claimed: Unmanaged<Operation>, isPlain: Bool, in turn: WorkerTurn) -> WorkerJob? {
        turn.context._withUnsafeGuaranteedRef { context in
            claimed._withUnsafeGuaranteedRef { operation in
                let (outerCore, outerStep) = (context.core, context.stepping)
                context.core = .passUnretained(self)
                context.stepping = claimed
                if operation.state.cancelsWithDependencies { operation.takeOverFailure() }
                let hasRun = isPlain && runPlain(operation, context)
                // If it could not start it is still claimed, and there. From here on others may finish it, and with it may go
                // what keeps this engine.
                if isPlain, !hasRun { _ = claimed.retain() }
                let event = hasRun ? nil : begin(operation, context)
                (context.core, context.stepping) = (outerCore, outerStep)
                guard let event else { return end(operation, in: turn, context) }
                context.claim.hold(advance(by: event, in: turn))
                claimed.release()
                return context.claim.take()
            }
        }
    }

    /// The short way, for an operation of which nothing is overridden: false if it cannot start now.
    @inline(__always)
    private func runPlain(_ operation: Operation, _ context: ExecutionContext) -> Bool {
        let actions = operation.transition(.beginMain)
        guard actions.contains(.accepted) else { return false }
        noteBegun(isCharged: !actions.contains(.skipMain))
        guard !actions.contains(.skipMain) else { return true }
        reportStart(of: operation)
        // That is what plain means.
        unsafeDowncast(operation, to: BlockOperation.self).runBlocks(on: context, in: self)
        return true
    }

    /// The long way: the last checks, and the start. It ends by itself, now or later.
    private func begin(_ operation: Operation, _ context: ExecutionContext) -> QueueState.Event {
        if operation.isFinished {
            noteBegun(isCharged: false)
            operation.finishNow()
            return .started
        }
        if !operation.isCancelled, !mayStart(operation) {
            let isParked = operation.transition(.park).contains(.releaseSlot)
            if isParked {
                operation.declineIfWaiting()
                return .putAside(.passUnretained(operation))
            }
            // It has ended since, and its keys were given back before it asked for them.
            operation.releaseExclusion()
            noteBegun(isCharged: false)
            return .wordsChanged(Woken(operation))
        }
        let actions = operation.transition(.begin)
        guard actions.contains(.accepted) else {
            operation.releaseExclusion()
            if actions.contains(.releaseSlot) { return .putAside(.passUnretained(operation)) }
            noteBegun(isCharged: false)
            return .started
        }
        noteBegun(isCharged: !operation.state.isCancelled)
        let outer = context.startMoment
        context.startMoment = isObserved(operation) ? hub.moment : nil
        operation.start()
        if operation.isFinished || operation.state.skipsMain && !operation.isExecuting {
            operation.finishNow()
        } else {
            if let moment = context.startMoment, operation.state.phase == .starting {
                tellOfOwnStart(operation, at: moment)
            }
            _ = operation.transition(.startReturned)
        }
        context.startMoment = outer
        return .started
    }

    /// The `start()` of an operation has returned, which has not said that it works: it says so when it is asked, or is told of with its
    /// end.
    private func tellOfOwnStart(_ operation: Operation, at moment: EventHub.Moment) {
        if operation.isExecuting {
            reportOwnStart(of: operation)
        } else {
            operation.withExtras { $0.start = moment }
        }
    }

    /// Has an operation enter its work, and tells of that in the same step: whoever ends it, its end is told after that.
    func beginWork(of operation: Operation) -> OperationState.Actions {
        guard isObserved(operation) else {
            let actions = operation.transition(.run)
            // Who asked between that question and now has seen that it did not work yet.
            if actions.contains(.notify) { reportStart(of: operation) }
            return actions
        }
        return tellingOfStart(of: operation) { operation.transition(.run) }
    }

    /// Tells that an operation works in a `start()` of its own, unless that was told, or comes with its end.
    func reportOwnStart(of operation: Operation) {
        guard isObserved(operation) else { return }
        _ = tellingOfStart(of: operation) {
            operation.transition(.announce).contains(.accepted) ? [.accepted, .begins] : []
        }
    }

    private func tellingOfStart(
        of operation: Operation, _ step: () -> OperationState.Actions
    ) -> OperationState.Actions {
        let start = operation.startMoment
        monitor.lock()
        let actions = step()
        if actions.contains(.begins) { hub.post(.started, operation, at: start) }
        monitor.unlock()
        hub.deliver()
        return actions
    }

    /// Tells the rate limit, if there is one, what has become of one that was claimed.
    @inline(__always)
    private func noteBegun(isCharged: Bool) {
        if isRateLimited.load(ordering: .relaxed) { tell(.begun(isCharged: isCharged)) }
    }

    /// Asks an overridden `isReady`, and takes the operation's keys.
    private func mayStart(_ operation: Operation) -> Bool {
        if operation.isReady { return operation.acquireExclusion() }
        operation.declineExclusion()
        return false
    }

    /// Whether somebody wants to be told of an operation's start.
    @inline(__always)
    private func isObserved(_ operation: Operation) -> Bool { hub.isObserved || operation.state.isObserved }

    /// Tells of the start of an operation, whose work nothing stops any more.
    @inline(__always)
    func reportStart(of operation: Operation) {
        guard isObserved(operation) else { return }
        hub.post(.started, operation)
        hub.deliver()
    }

    // MARK: The next work

    /// The end of a worker's step: tells of what it came to, and claims what comes next.
    /// - Parameter hasJustCome: The worker has done nothing in this turn. It claims something even if the turn is over by now, as
    ///   where there are many more threads than processors: the first of an idle queue would lose its place otherwise.
    @inline(__always)
    func advance(by event: QueueState.Event, in turn: WorkerTurn, hasJustCome: Bool = false) -> WorkerJob? {
        monitor.lock()
        return advanceAndUnlock(by: event, in: turn, hasJustCome: hasJustCome)
    }

    @inline(__always)
    func advanceAndUnlock(
        by first: QueueState.Event, in turn: WorkerTurn, hasJustCome: Bool = false
    ) -> WorkerJob? {
        var event = first
        while true {
            if state.needsIntake { collect() }
            guard turn.pool == poolIdentity else {
                // The queue was empty for a moment, and has got another pool, whose worker takes what there is.
                carryOutAndUnlock(apply(event, by: .strayWorker))
                return nil
            }
            guard hasJustCome || !turn.isOver else {
                // What it claimed would have to wait for the others' turns. Somebody else may be looking already.
                var actions = apply(event, by: .leavingWorker)
                var next: WorkerJob?
                if let search = actions.search, turn.serves(search.lane) {
                    actions.search = nil
                    next = .search(self, number: search.number)
                }
                return carryOutAndUnlock(actions, claimed: next, isLeaving: true)
            }
            var actions = apply(event, by: .worker)
            guard actions.work == nil, let search = actions.search, turn.serves(search.lane) else {
                let job = carryOutAndUnlock(actions, claimed: actions.work.map { self.job(for: $0) })
                guard let job, let lane = lane(of: job), !turn.serves(lane) else { return job }
                // A thread keeps to its lane, and the calling one has nothing to do.
                give(job, to: lane)
                return nil
            }
            // There was too much to look at under one lock. Others get on, and then it goes on itself, if nobody else does.
            actions.search = nil
            guard carryOutAndUnlock(actions, claimed: .search(self, number: search.number)) != nil else { return nil }
            event = .workerGoesOn(search.number)
            monitor.lock()
        }
    }

    /// What was claimed as a job, under the lock.
    @inline(__always)
    func job(for work: QueueState.Work) -> WorkerJob {
        switch work {
        case .barrier(let barrier): return .barrier(barrier, self)
        case .operation(let claimed):
            let isPlain = claimed._withUnsafeGuaranteedRef { $0.isPlain }
            // Others may finish it, so that it leaves the queue, before it is begun.
            return .operation(isPlain ? claimed : claimed.retain(), isPlain: isPlain)
        }
    }

    /// Where an operation or a barrier has to run; nil for another job.
    @inline(__always)
    func lane(of job: WorkerJob) -> Lane? {
        switch job {
        case .operation(let claimed, _): claimed._withUnsafeGuaranteedRef { lane(of: $0) }
        case .barrier: lane(nil)
        case .search, .block: nil
        }
    }

    /// Where the last search asked for a worker.
    var searchLane: Lane { monitor.withLock { state.searchLane } }

    /// Has another thread go on with what the calling one has claimed.
    func give(_ job: WorkerJob, to lane: Lane) {
        let (pool, urgency) = monitor.withLock { (self.pool, state.urgency) }
        pool.add(job, lane: lane, urgency: urgency)
    }

    /// Whether a job that was claimed may begin. If it was put back, it is no more.
    @inline(__always)
    func mayBegin(_ job: WorkerJob) -> Bool { !mayHaveTooMany.load(ordering: .relaxed) || keepsClaim(job) }

    @inline(never)
    private func keepsClaim(_ job: WorkerJob) -> Bool {
        // What is put back others may run to its end, and with it may go what keeps this engine.
        let itself = Unmanaged.passRetained(self)
        defer { itself.release() }
        monitor.lock()
        guard state.hasTooMany, let event = putBack(job) else {
            mayHaveTooMany.store(state.hasTooMany, ordering: .relaxed)
            monitor.unlock()
            return true
        }
        carryOutAndUnlock(apply(event, by: .other))
        if case .operation(let claimed, isPlain: false) = job {
            claimed._withUnsafeGuaranteedRef { $0.declineIfWaiting() }
            claimed.release()
        }
        return false
    }

    /// Takes back a claim, under the lock; nil if there is none any more.
    private func putBack(_ job: WorkerJob) -> QueueState.Event? {
        switch job {
        case .barrier: return .barrierPutBack
        case .operation(let claimed, _):
            let isPutBack = claimed._withUnsafeGuaranteedRef { $0.transition(.putBack).contains(.accepted) }
            return isPutBack ? .putAside(claimed) : nil
        case .search, .block: return nil
        }
    }

    // MARK: What begins at once

    /// The calling thread may run what comes first itself, in place of the worker that would be asked for.
    func mayBeWorker(for search: QueueState.Search) -> Bool {
        // A pool with rules of its own decides where its work runs, and a quality of service has its threads.
        guard let first = search.first, first.beginsAtOnce, search.lane == .standard, state.barriers.isEmpty,
            pool === ThreadPool.shared
        else { return false }
        return ExecutionContext.unretained._withUnsafeGuaranteedRef { $0.stepping == nil && !$0.startsForOthers }
    }

    /// Has the calling thread, whose task is about to wait for `operation`, begin that if it is what comes next.
    func beginAwaited(_ operation: Operation) {
        let isBusy = ExecutionContext.unretained._withUnsafeGuaranteedRef {
            $0.stepping != nil || $0.startsForOthers || $0.claim.isHeld
        }
        guard !isBusy, AwaitedStart.isFit, AwaitedStart.begin() else { return }
        defer { AwaitedStart.end() }
        monitor.lock()
        if state.needsIntake { collect() }
        let isNext = pool === ThreadPool.shared && lane(of: operation) == .standard && state.comesNext(operation)
        let actions = apply(.started, by: isNext ? .worker : .leavingWorker)
        let begun = carryOutAndUnlock(actions, claimed: actions.work.map { job(for: $0) })
        if let begun { work(on: begun, awaited: operation) }
    }

    /// Runs what was claimed in place of a worker, and those of its kind after it. Whatever else comes next is a worker's: also
    /// what was claimed because somebody changed the first of the store at the same moment.
    /// - Parameter awaited: What the calling thread may begin whatever it is.
    func work(on first: WorkerJob, awaited: Operation? = nil) {
        ExecutionContext.unretained._withUnsafeGuaranteedRef { context in
            context.startsForOthers = true
            defer { context.startsForOthers = false }
            var next: WorkerJob? = first
            while let job = next {
                guard case .operation(let claimed, _) = job,
                    claimed._withUnsafeGuaranteedRef({ $0 === awaited || mayBeginAnywhere($0) })
                else { return give(job, to: lane(of: job) ?? lane(nil)) }
                next = job.step(in: WorkerTurn(lane: .standard, of: ThreadPool.shared))
            }
        }
    }

    private func mayBeginAnywhere(_ operation: Operation) -> Bool {
        operation.state.beginsAtOnce && lane(of: operation) == .standard
    }
}

extension Operation {
    /// Nothing of it is overridden, and only the worker that has claimed it can finish it.
    @inline(__always)
    final var isPlain: Bool { type(of: self) == BlockOperation.self && !state.isExclusive }
}
