extension OperationAdditions where Self: Operation {
    /// Raises the priority to at least `priority`, and that of every operation that this one waits for.
    ///
    /// Nothing is ever lowered. Operations that have finished stay as they are.
    /// - Parameter priority: The least that it should have.
    public func raisePriority(to priority: Operation.QueuePriority) { escalate(to: priority) }

    /// Waits, without blocking a thread, until the operation has finished.
    ///
    /// Waiting raises the operation to the waiting task's priority, and all that it depends on, as waiting for a
    /// `Task` does; a later rise of the waiting task is passed on. Cancelling the waiting task does not end the wait.
    public func untilFinished() async { await waitForFinish() }
}

extension Operation {
    /// Raises the priority of this operation and of those that it waits for.
    final func escalate(to priority: QueuePriority) {
        var next: Operation? = self
        var rest: [Operation] = []
        while let operation = next ?? rest.popLast() {
            next = nil
            let actions = operation.transition(.raisePriority(priority.level))
            // Refused by one that was raised so far before, and all that it waits for with it. What it comes to wait for
            // later is raised when that is said.
            guard actions.contains(.accepted) else { continue }
            if actions.contains(.reconcile) { operation.core?.reconcile(operation) }
            if actions.contains(.raised) { operation.reconsiderExclusion() }
            if actions.contains(.raised) {
                ExecutionContext.current.escalateWork(of: operation, to: TaskPriority(priority))
            }
            guard operation.state.unmetDependencies > 0 else { continue }
            rest += operation.listedDependencies.filter { !$0.state.isFinished }
        }
    }

    /// Waits in a task until it has finished.
    final func waitForFinish() async {
        if state.isFinished { return }
        if beginsWhereAwaited, let core = enqueuedCore {
            escalate(to: QueuePriority(Task.currentPriority))
            if !state.hasBegun, state.isUnhindered { core.beginAwaited(self) }
            if state.isFinished { return }
        }
        await withTaskPriorityEscalationHandler {
            // Only here, since a rise before the handler was there would be missed by both.
            escalate(to: QueuePriority(Task.currentPriority))
            if let driver = enqueuedCore?.driver {
                await driver.drive { [weak self] in self?.state.isFinished ?? true }
            }
            let wait = TaskWait(for: self)
            defer { wait.end() }
            await withCheckedContinuation { continuation in
                if !notifyAtFinish({ Niceness.onOrdinaryThread { continuation.resume() } }) { continuation.resume() }
            }
        } onPriorityEscalated: { _, priority in
            self.escalate(to: QueuePriority(priority))
        }
        // Thread Sanitizer does not always see what a continuation orders, and then reports what the operation wrote. It sees this.
        _ = state
    }
}

extension Operation.QueuePriority {
    /// The level that stands for a task's priority.
    init(_ priority: TaskPriority) {
        // The numbers: as ranges of priorities they would be compared through a table of witnesses.
        let number = priority.rawValue
        if number <= TaskPriority.background.rawValue {
            self = .veryLow
        } else if number < TaskPriority.medium.rawValue {
            self = .low
        } else if number < TaskPriority.high.rawValue {
            self = .normal
        } else if number == TaskPriority.high.rawValue {
            self = .high
        } else {
            self = .veryHigh
        }
    }
}

extension TaskPriority {
    /// The task's priority that stands for a level of a queue.
    init(_ priority: Operation.QueuePriority) {
        switch priority {
        case .veryLow: self = .background
        case .low: self = .low
        case .normal: self = .medium
        case .high: self = .high
        // What Apple's systems call user-interactive; Swift has a number for it but no name.
        case .veryHigh: self = TaskPriority(rawValue: 33)
        }
    }
}
