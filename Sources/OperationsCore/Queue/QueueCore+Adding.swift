// The first part of an operation's way: it becomes this queue's, and waits in the intake until somebody who looks at the
// queue collects it.
extension QueueCore {
    func add(_ operation: Operation, to queue: OperationQueue) {
        let isAttended = intake.push(adopt(operation))
        // Only now: whoever raises it from now on finds it in the intake.
        let isUrgent = operation.state.priorityLevel > PriorityLevel.normal
        // While somebody attends the queue has other operations, and is kept.
        if isAttended, !isUrgent, !hub.isObserved { return }
        tell(.added(nil), keeping: queue)
    }

    func add(_ operations: [Operation], to queue: OperationQueue) {
        var next: Unmanaged<Operation>?
        for operation in operations { _ = adopt(operation) }
        for operation in operations.reversed() {
            operation.nextMember = next
            next = .passUnretained(operation)
        }
        tell(.added(next), keeping: queue)
    }

    func addBarrier(_ block: @escaping @Sendable () -> Void, to queue: OperationQueue) {
        tell(.barrierAdded(.passRetained(Barrier(block))), keeping: queue)
    }

    /// Makes an operation this queue's, with a reference for it.
    @inline(__always)
    private func adopt(_ operation: Operation) -> Unmanaged<Operation> {
        let isIdle = operation.state.phase == .idle
        // Before the word says so. Two that add one operation at once end in the trap, whichever is first.
        if isIdle { operation.unretainedCore = .passUnretained(self) }
        // A subclass may keep that state itself, and then its `start()` has told nobody.
        let isNew = isIdle && !operation.isExecuting && operation.transition(.adopt).contains(.accepted)
        Misuse.require(isNew, Misuse.added(operation, to: name))
        if hub.isObserved { hub.post(.added, operation) }
        return .passRetained(operation)
    }

    /// Keeps the queue for as long as it has what is added.
    @inline(__always)
    private func tell(_ event: QueueState.Event, keeping queue: OperationQueue) {
        tell(event) { if keptQueue == nil, !$0.isDrained { keptQueue = queue } }
    }

    /// Hands all that is in the intake to the state, under the lock.
    @inline(__always)
    func collect() { state.receive(intake.takeAll()) }
}
