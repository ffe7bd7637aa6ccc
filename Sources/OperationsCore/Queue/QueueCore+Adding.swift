// The first part of an operation's way: it becomes this queue's, and waits in the intake until somebody who looks at the
// queue collects it.
extension QueueCore {
    func add(_ operation: Operation, to queue: OperationQueue) {
        let isAttended = intake.push(adopt(operation))
        // Only now: whoever raises or finishes it from now on finds it in the intake.
        let state = operation.state
        if isOver(state) { admitAll() }
        let notice = QueueState.Notice(state, in: lane(nil))
        // While somebody attends the queue has other operations, and is kept.
        guard isAttended, notice == .none, !hub.isObserved else {
            return tell(notice == .none ? .added : .noticeableAdded(notice), keeping: queue)
        }
        guard intake.countPush(), monitor.tryLock() else { return }
        self.state.receive(intake.takeAll())
        monitor.unlock()
    }

    func add(_ operations: [Operation], to queue: OperationQueue) {
        for operation in operations { _ = adopt(operation) }
        var (list, notice) = (ArrivalList(), QueueState.Notice.none)
        for operation in operations.reversed() {
            list.prepend(.passUnretained(operation))
            notice.add(QueueState.Notice(operation.state, in: lane(nil)))
        }
        tell(.noticeableAdded(notice), keeping: queue, list)
        // Of one that was not among the arrivals yet it may be so only now, and one may have finished.
        var (now, lowest, isOver) = (notice, PriorityLevel.normal, false)
        for operation in operations {
            let state = operation.state
            now.add(QueueState.Notice(state, in: lane(nil)))
            lowest = min(lowest, state.priorityLevel)
            isOver = isOver || self.isOver(state)
        }
        if now != notice { tell(.noticeableAdded(now)) }
        // Those who look on are told of all that may start.
        if isOver || hub.isObserved { return admitAll() }
        // Who comes first is found out by those who add: each looks at as many as it adds.
        guard now.level > PriorityLevel.normal || lowest < PriorityLevel.normal || order == .lifo else { return }
        for _ in 0..<operations.count / QueueState.operationsPerLock { tell(.added) }
    }

    /// It has finished on its way into the queue.
    @inline(__always)
    private func isOver(_ state: OperationState) -> Bool { state.isFinished && !state.isEnqueued }

    func addBarrier(_ block: @escaping @Sendable () -> Void, to queue: OperationQueue) {
        tell(.barrierAdded(.passRetained(Barrier(block))), keeping: queue)
    }

    /// Makes an operation this queue's, with a reference for it.
    @inline(__always)
    private func adopt(_ operation: Operation) -> Unmanaged<Operation> {
        let isIdle = operation.state.phase == .idle
        // Before the word says so. Two that add one operation at once end in the trap, whichever is first.
        if isIdle { operation.unretainedCore = .passUnretained(self) }
        // A subclass may keep that state itself.
        let isNew = isIdle && !operation.hasStartedByItself && operation.transition(.adopt).contains(.accepted)
        Misuse.require(isNew, Misuse.added(operation, to: name))
        if hub.isObserved { hub.post(.added, operation) }
        return .passRetained(operation)
    }

    /// Keeps the queue for as long as it has what is added.
    @inline(__always)
    private func tell(_ event: QueueState.Event, keeping queue: OperationQueue, _ list: ArrivalList? = nil) {
        tell(event, list) { if keptQueue == nil, !$0.isDrained { keptQueue = queue } }
    }

    /// Hands all that is in the intake to the state, under the lock, for the event that follows.
    @inline(__always)
    func collect() {
        state.receive(intake.takeAll())
        state.knowsIntake = true
    }

    /// Makes members of all that was added until now.
    func admitAll() {
        var (admitted, last) = tell(.admissionWanted) { ($0.lastAdmitted, $0.lastAdded) }
        while admitted < last { admitted = tell(.admissionWanted) { $0.lastAdmitted } }
    }
}
