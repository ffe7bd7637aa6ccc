extension TaskOperation {
    /// Adds an operation that takes this one's value and depends on it.
    ///
    /// When the next one has finished it depends on nothing any more and lets this one go, so that of a chain only what
    /// somebody holds is kept.
    ///
    /// If this operation fails or is cancelled, the next one does not run: it is cancelled with the same error.
    /// - Parameters:
    ///   - queue: Where the next operation runs; it may be this one's queue.
    ///   - name: A name for messages, diagnostics and the task; nil by default.
    ///   - priority: The next operation's priority; nil, the default, for normal.
    ///   - body: The work on this operation's value; released when the next operation finishes. What it throws is the
    ///     next operation's error.
    /// - Returns: The next operation.
    @discardableResult
    public func then<Next: Sendable>(
        on queue: OperationQueue, name: String? = nil, priority: TaskPriority? = nil,
        _ body: @escaping @Sendable (Success) async throws -> Next
    ) -> TaskOperation<Next> {
        let next = TaskOperation<Next>(name: name, priority: priority) { [self] in
            try await body(try await value)
        }
        next.setCancelsWithDependencies(true)
        next.take(from: self)
        queue.addOperation(next)
        return next
    }
}
