// What is added waits in the intake until somebody who looks at the queue takes it in.
extension QueueCore {
    /// Makes an operation this queue's, for the queue to take it in.
    @inline(__always)
    func adopt(_ operation: Operation) -> Unmanaged<Operation> {
        let isIdle = operation.state.phase == .idle
        // Before the word says so. Two that add one operation at once end in the trap, whichever is first.
        if isIdle { operation.unretainedCore = .passUnretained(self) }
        let isNew = isIdle && operation.transition(.adopt).contains(.accepted)
        Misuse.require(isNew, Misuse.added(operation, to: name))
        if hub.isObserved { hub.post(.added, operation) }
        return .passRetained(operation)
    }

    func add(_ operation: Operation, to queue: OperationQueue) {
        let isAttended = intake.push(adopt(operation))
        // Only now: whoever raises it from now on finds it in the intake.
        let isUrgent = operation.state.priorityLevel > PriorityLevel.normal
        // While somebody attends the queue has other operations, and is kept.
        if isAttended, !isUrgent, !hub.isObserved { return }
        change { _ in keep(queue) }
    }

    func add(_ operations: [Operation], to queue: OperationQueue) {
        let references = operations.map { adopt($0) }
        change { _ in
            for operation in references { takeIn(operation) }
            keep(queue)
        }
    }

    /// Keeps the queue for as long as it has operations.
    @inline(__always)
    func keep(_ queue: OperationQueue) {
        if keptQueue == nil, !state.isDrained { keptQueue = queue }
    }

    func addBarrier(_ block: @escaping @Sendable () -> Void, to queue: OperationQueue) {
        change { state in
            state.addBarrier(block)
            keep(queue)
        }
    }

    /// Brings the store in line with the word of an operation of this queue.
    func reconcile(_ operation: Operation) {
        change { $0.reconcile(operation) }
    }

    func reconcile(_ operations: some Sequence<Operation>) {
        change { state in
            for operation in operations { state.reconcile(operation) }
        }
    }

    // MARK: The intake

    /// Takes in all that has been added.
    @inline(__always)
    func takeIn() {
        while takeInNext() {}
    }

    /// Takes in what has been added until the store has what comes next.
    ///
    /// A worker does no more than that, so that it has to do with one operation at a time and finds it in its cache.
    @inline(__always)
    func takeInWhatIsNext() {
        while state.needsIntake, takeInNext() {}
    }

    @inline(__always)
    func takeInNext() -> Bool {
        guard let operation = nextToTakeIn ?? intake.takeAll() else { return false }
        nextToTakeIn = operation._withUnsafeGuaranteedRef { $0.nextMember }
        takeIn(operation)
        return true
    }

    @inline(__always)
    func takeIn(_ operation: Unmanaged<Operation>) {
        if !state.add(operation, to: self) { refused.append(operation) }
    }

    /// Takes off the intake's mark when nobody can be relied on to look in, and sets it when somebody can.
    /// - Returns: False if there was something in it, which has been taken in and may change the matter.
    @inline(__always)
    func settleIntake() -> Bool {
        let attends = state.attendsToIntake
        guard attends != isAttended else { return true }
        guard attends || nextToTakeIn == nil, intake.mark(isAttended: attends) else {
            takeIn()
            return false
        }
        isAttended = attends
        return true
    }
}
