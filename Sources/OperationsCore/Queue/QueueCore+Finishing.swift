extension QueueCore {
    /// What is left to do for a finished operation, outside the lock.
    struct Ending {
        var actions: OperationState.Actions = []
        /// Dependents in other queues, to reconcile there.
        var woken: [Operation] = []
        /// The queue's reference.
        var member: Unmanaged<Operation>?
    }

    /// Finishes an operation of this queue; does nothing when it has finished.
    ///
    /// The word changes under the lock, so that whoever sees a finished operation sees it gone from the queue.
    func finish(_ operation: Operation) {
        let ending = change { leave(operation, &$0) }
        operation.settle(ending)
        ending.member?.release()
    }

    @inline(__always)
    func leave(_ operation: Operation, _ state: inout QueueState) -> Ending {
        let actions = operation.transition(.finish)
        guard actions.contains(.accepted) else { return Ending() }
        var ending = Ending(actions: actions)
        if hub.isObserved || actions.contains(.notify) { hub.post(.finished, operation) }
        if actions.contains(.meetDependents) {
            ending.woken = operation.meetDependents(inside: self) { state.reconcile($0) }
        }
        ending.member = state.remove(operation, releasingPlace: actions.contains(.releaseSlot))
        return ending
    }
}
