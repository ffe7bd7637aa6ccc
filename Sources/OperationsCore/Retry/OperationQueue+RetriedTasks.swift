extension OperationQueueAdditions where Self: OperationQueue {
    /// Adds asynchronous work that is tried again when it fails, and is cancelled when it takes too long.
    ///
    /// Time is measured by the queue's clock. It keeps its place in the queue's width between attempts, so that
    /// retries do not add to the load. The operation fails with the error of the last attempt, or a `TimeoutError`.
    /// - Parameters:
    ///   - name: A name for messages, diagnostics and the task; nil by default.
    ///   - priority: The task's priority, which gives the `queuePriority` too; nil, the default, for normal.
    ///   - dependencies: Operations to wait for first; none by default.
    ///   - retry: Whether and when it is tried again; once by default.
    ///   - limits: How long an attempt and the whole may take; without limits by default. Work that does not look
    ///     whether its task was cancelled goes on to its end, and only then the operation fails.
    ///   - body: One attempt; released when the operation finishes.
    /// - Returns: The operation, whose `value` or `result` a task can await.
    @discardableResult
    public func addTask<Success: Sendable>(
        name: String? = nil, priority: TaskPriority? = nil, dependencies: [Operation] = [],
        retry: RetryPolicy, limits: TimeLimits = .none, _ body: @escaping TaskOperation<Success>.Body
    ) -> TaskOperation<Success> {
        let (clock, pool) = (core.clock, core.completionPool)
        return addTask(name: name, priority: priority, dependencies: dependencies) {
            try await withTimeLimit(limits.total, on: clock, error: { .total(limit: $0) }) {
                try await retry.run(on: clock, chanceOf: pool) {
                    try await withTimeLimit(limits.attempt, on: clock, error: { .attempt(limit: $0) }, body)
                }
            }
        }
    }

    /// Adds asynchronous work that is cancelled when it takes too long; see the variant with `retry`.
    /// - Parameters:
    ///   - name: A name for messages, diagnostics and the task; nil by default.
    ///   - priority: The task's priority, which gives the `queuePriority` too; nil, the default, for normal.
    ///   - dependencies: Operations to wait for first; none by default.
    ///   - limits: How long the work may take. It is one attempt, and both limits apply to it.
    ///   - body: The work; released when the operation finishes.
    /// - Returns: The operation, whose `value` or `result` a task can await.
    @discardableResult
    public func addTask<Success: Sendable>(
        name: String? = nil, priority: TaskPriority? = nil, dependencies: [Operation] = [],
        limits: TimeLimits, _ body: @escaping TaskOperation<Success>.Body
    ) -> TaskOperation<Success> {
        addTask(
            name: name, priority: priority, dependencies: dependencies, retry: .once, limits: limits, body)
    }
}
