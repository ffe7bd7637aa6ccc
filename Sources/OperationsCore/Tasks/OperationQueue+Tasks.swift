extension OperationQueueAdditions where Self: OperationQueue {
    /// Adds asynchronous work as an operation of its own.
    ///
    /// The work begins on a thread of the queue, or of the task that awaits it, and holds a place in its width until it
    /// ends, but no thread while it is suspended; see `TaskOperation`.
    /// - Parameters:
    ///   - name: A name for messages, diagnostics and the task; nil by default.
    ///   - priority: The task's priority, which gives the `queuePriority` too; nil, the default, for normal.
    ///   - dependencies: Operations to wait for first; none by default.
    ///   - body: The work; released when the operation finishes.
    /// - Returns: The operation, whose `value` or `result` a task can await.
    @discardableResult
    @inlinable
    public func addTask<Success: Sendable>(
        name: String? = nil, priority: TaskPriority? = nil, dependencies: [Operation] = [],
        _ body: @escaping TaskOperation<Success>.Body
    ) -> TaskOperation<Success> {
        let operation = TaskOperation(name: name, priority: priority, body)
        for dependency in dependencies { operation.addDependency(dependency) }
        addOperation(operation)
        return operation
    }
}
