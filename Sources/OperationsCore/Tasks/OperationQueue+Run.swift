extension OperationQueueAdditions where Self: OperationQueue {
    /// Waits for a place in the queue's width and runs a closure in it, in the calling task.
    ///
    /// Task-local values, the actor and cancellation are the caller's, so the closure need not be `Sendable`. It
    /// waits its turn as an operation of the queue does, by priority and in the order of adding, and is one of
    /// `operations`. It runs where the caller does. That goes for ``OperationQueue/main``, too, which gives it a place and not
    /// the main thread: call it from the main actor for that. A rise of the task's priority while it waits raises its place in the queue. When a place is free
    /// and nothing else is next, the closure begins at once, without a suspension or another thread.
    ///
    /// Cancelling the task ends the wait at once, whatever the queue does; cancelling the operation (as
    /// `cancelAllOperations()` does) ends the wait too, but once the closure runs, it does not cancel the caller's
    /// task, which may have other things to do. Calling it from work that holds the last place of the same queue
    /// waits for itself, which `diagnostics` names, and the log within a second.
    /// - Parameters:
    ///   - isolation: The actor to stay on; the caller's by default.
    ///   - name: A name for messages and diagnostics; nil by default.
    ///   - priority: Its priority in the queue; nil, the default, for that of the calling task.
    ///   - body: The work.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, or `CancellationError` if it was cancelled before it ran.
    public func run<Success>(
        isolation: isolated (any Actor)? = #isolation, name: String? = nil, priority: TaskPriority? = nil,
        _ body: () async throws -> Success
    ) async throws -> Success {
        let slot = SlotOperation()
        if let name { slot.name = name }
        slot.queuePriority = Operation.QueuePriority(priority ?? Task.currentPriority)
        // Until it has ended: whoever calls from another place keeps that meanwhile.
        let wait = TaskWait(for: slot)
        defer { wait.end() }
        return try await withTaskCancellationHandler {
            do {
                if try !slot.takePlaceAtOnce(in: self) {
                    try await withTaskPriorityEscalationHandler {
                        // A rise before the handler was there.
                        if priority == nil { slot.escalate(to: Operation.QueuePriority(Task.currentPriority)) }
                        try await slot.waitForPlace(in: self, isolation: isolation)
                    } onPriorityEscalated: { _, priority in
                        slot.escalate(to: Operation.QueuePriority(priority))
                    }
                }
                let place = TaskPlace(core, of: slot, on: nil)
                defer { place.end() }
                let value = try await TaskPlace.$current.withValue(place, operation: body)
                slot.finish()
                return value
            } catch {
                // Also when it was refused: it leaves the queue at once then, and not when its turn comes.
                slot.finish(error)
                throw error
            }
        } onCancel: {
            slot.cancel()
        }
    }
}
