/// An operation whose work is an asynchronous closure, with a value or an error in the end as a `Task` has.
///
/// It begins on a thread of its queue and runs there up to its first suspension; from then on it goes on where
/// Swift's tasks do (on the global executor, or on the actor of the code that it awaits). Until it ends it holds a
/// place in its queue's width, but no thread while it is suspended. Task-local values are not inherited, as the
/// task is made when the operation starts; `OperationQueue.run(isolation:name:priority:_:)` has them.
///
/// Cancelling the operation cancels its task, and a task that was cancelled leaves a cancelled operation behind.
public final class TaskOperation<Success: Sendable>: AsyncOperation, @unchecked Sendable {
    /// What the operation does. It may be called again by a retry.
    public typealias Body = @Sendable () async throws -> Success

    // All of these are under the operation's mutex.
    private var body: Body?
    private var outcome: Result<Success, any Error>?
    private var running: UnsafeCurrentTask?
    /// Threads that are using `running`, which keeps the task from ending meanwhile.
    private var pins = 0
    private var lastPin: CheckedContinuation<Void, Never>?

    /// Creates an operation, for a queue to be added to or for `start()`.
    /// - Parameters:
    ///   - name: A name for messages, diagnostics and the task; nil by default.
    ///   - priority: The task's priority, which gives the `queuePriority` too; nil, the default, for normal.
    ///   - body: The work; released when the operation finishes.
    public init(name: String? = nil, priority: TaskPriority? = nil, _ body: @escaping Body) {
        self.body = body
        super.init()
        if let name { self.name = name }
        if let priority { queuePriority = QueuePriority(priority) }
    }

    public override func execute() {
        let priority = queuePriority == .normal ? nil : TaskPriority(queuePriority)
        let executor = enqueuedCore?.completionPool.taskExecutor
        Task.immediateDetached(name: name, priority: priority, executorPreference: executor) { await self.perform() }
    }

    public override func cancel() {
        super.cancel()
        // Not in cancelExecution(), which waits for execute() to return: the task may work in there for long.
        if state.isCancelled { withRunningTask { $0.cancel() } }
    }

    // MARK: The task

    private func perform() async {
        guard let body = locked({ self.body }) else { return finish() }
        withUnsafeCurrentTask { task in locked { running = task } }
        // Before this a cancellation did not find the task.
        if state.isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
        var outcome: Result<Success, any Error>
        do {
            if let core = enqueuedCore {
                outcome = .success(try await TaskPlace.$current.withValue(TaskPlace(core), operation: body))
            } else {
                outcome = .success(try await body())
            }
        } catch {
            outcome = .failure(error)
        }
        if Task.isCancelled { super.cancel() }
        await unpinned()
        locked { self.outcome = outcome }
        if case .failure(let error) = outcome { finish(error) } else { finish() }
    }

    /// Uses the task, if it runs, from any thread.
    func withRunningTask(_ use: (UnsafeCurrentTask) -> Void) {
        let task = locked {
            if running != nil { pins += 1 }
            return running
        }
        guard let task else { return }
        use(task)
        let last = locked {
            pins -= 1
            return pins == 0 ? lastPin.take() : nil
        }
        last?.resume()
    }

    /// Takes the task back from other threads, and waits for those that are using it.
    private func unpinned() async {
        let isPinned = locked {
            running = nil
            return pins > 0
        }
        guard isPinned else { return }
        await withCheckedContinuation { continuation in
            let isFree = locked {
                if pins > 0 { lastPin = continuation }
                return pins == 0
            }
            if isFree { continuation.resume() }
        }
    }

    override func discardWork() {
        let discarded = locked { body.take() }
        withExtendedLifetime(discarded) {}
        super.discardWork()
    }

    // MARK: The outcome

    /// The value or the error; nil until the operation has finished.
    ///
    /// One that never ran failed with its `error`, or with `CancellationError` if that is nil.
    public var finishedResult: Result<Success, any Error>? {
        guard state.isFinished else { return nil }
        return locked { outcome } ?? .failure(error ?? CancellationError())
    }

    /// The value or the error, once the operation has finished.
    ///
    /// Waiting raises the operation to the waiting task's priority, and all that it depends on, as waiting for a
    /// `Task` does. Cancelling the waiting task neither ends the wait nor cancels the operation.
    public var result: Result<Success, any Error> {
        get async {
            await finished()
            return finishedResult ?? .failure(CancellationError())
        }
    }

    /// The value, once the operation has finished; throws what it failed with.
    ///
    /// An operation that was cancelled before it ran throws `CancellationError`. See `result` for what waiting does.
    public var value: Success {
        get async throws { try await result.get() }
    }

    override func escalateWork(to priority: TaskPriority) {
        withRunningTask { $0.escalatePriority(to: priority) }
    }
}
