/// Tasks that are shared by whoever asks for the same key while they wait or run.
///
/// Asking for a key that no task of this table has adds a task to the queue; asking for one that is pending or
/// running joins it. Each caller gets a holder of its own, and the task is cancelled when the last holder has let
/// go. Once a task has finished or was cancelled its key is free: this is no cache.
///
/// It may be used from any thread. The queue may have other operations too.
public final class SharedTasks<Key: Hashable & Sendable, Success: Sendable>: Sendable {
    /// Where the tasks run.
    public let queue: OperationQueue

    private let entries = Lock<[Key: SharedTaskState<Success>]>([:])

    /// Creates an empty table.
    /// - Parameter queue: Where the tasks run; kept alive.
    public init(queue: OperationQueue) {
        self.queue = queue
    }

    /// Joins the task of a key, or adds one.
    ///
    /// Joining raises the task to at least `priority`, and all that it depends on; it never lowers it.
    /// - Parameters:
    ///   - key: What the task is for.
    ///   - name: A name for a new task; nil by default.
    ///   - priority: The least priority of the task; nil, the default, for normal.
    ///   - dependencies: What a new task waits for; none by default.
    ///   - body: The work of a new task; released unused when there is one.
    /// - Returns: A holder of the task, to be awaited or let go by `cancel()`.
    public func task(
        for key: Key, name: String? = nil, priority: TaskPriority? = nil, dependencies: [Operation] = [],
        _ body: @escaping TaskOperation<Success>.Body
    ) -> SharedTask<Success> {
        if let joined = entries.withLock({ $0[key]?.join() }) {
            joined.operation.escalate(to: priority.map { Operation.QueuePriority($0) } ?? .normal)
            return joined
        }
        let made = SharedTaskState(TaskOperation(name: name, priority: priority, body))
        for dependency in dependencies { made.operation.addDependency(dependency) }
        let (holder, isNew, replaced) = entries.withLock { entries in
            // Somebody else may have been faster.
            if let joined = entries[key]?.join() { return (joined, false, nil) as Entry }
            let replaced = entries.updateValue(made, forKey: key)
            return (SharedTask(made), true, replaced)
        }
        withExtendedLifetime(replaced) {}
        guard isNew else {
            holder.operation.escalate(to: priority.map { Operation.QueuePriority($0) } ?? .normal)
            return holder
        }
        _ = made.operation.notifyAtFinish { [weak self, weak made] in
            if let made { self?.forget(made, key) }
        }
        queue.addOperation(made.operation)
        return holder
    }

    private typealias Entry = (SharedTask<Success>, Bool, SharedTaskState<Success>?)

    /// The number of keys with a task that is pending or running.
    public var count: Int { entries.withLock { $0.count } }

    private func forget(_ state: SharedTaskState<Success>, _ key: Key) {
        let removed = entries.withLock { $0[key] === state ? $0.removeValue(forKey: key) : nil }
        withExtendedLifetime(removed) {}
    }
}

/// A task with a count of those who want it.
final class SharedTaskState<Success: Sendable>: Sendable {
    let operation: TaskOperation<Success>
    /// Holders that have not let go; once there are none, nobody joins any more.
    private let holders = Lock(1)

    init(_ operation: TaskOperation<Success>) {
        self.operation = operation
    }

    /// Another holder; nil if the task is over or given up, so that the next caller gets a new one.
    func join() -> SharedTask<Success>? {
        guard !operation.isFinished, !operation.isCancelled else { return nil }
        let isWanted = holders.withLock { holders in
            if holders > 0 { holders += 1 }
            return holders > 0
        }
        return isWanted ? SharedTask(self) : nil
    }

    func leave() {
        let isLast = holders.withLock { holders in
            holders -= 1
            return holders == 0
        }
        if isLast { operation.cancel() }
    }
}
