/// An operation whose work is an asynchronous closure, with a value or an error in the end as a `Task` has.
///
/// It begins on a thread of its queue and runs there up to its first suspension; from then on it goes on where
/// Swift's tasks do (on the global executor, or on the actor of the code that it awaits). One of utility or background quality
/// of service stays on the threads of that quality, but for actors with executors of their own. One that is awaited by a task
/// before a thread has begun it, and that comes next in its queue, may begin on that task's thread. Until it ends it holds a
/// place in its queue's width, but no thread while it is suspended. Task-local values are not inherited, as the
/// task is made when the operation starts; `OperationQueue.run(isolation:name:priority:_:)` has them.
///
/// Cancelling the operation cancels its task, and a task that was cancelled leaves a cancelled operation behind.
public final class TaskOperation<Success: Sendable>: AsyncOperation, @unchecked Sendable {
    /// What the operation does. A retry may call it again. What it throws last is the operation's error.
    public typealias Body = @Sendable () async throws -> Success

    // All of these are under the operation's mutex, which is what makes accesses exclusive. A type that is made of
    // `Success` is looked up at run time, at the price of an allocation; so the outcome is erased, and the usual way
    // through keeps clear of such types.
    @exclusivity(unchecked) private var body: Body?
    @exclusivity(unchecked) private var outcome = TaskOutcome.none
    @exclusivity(unchecked) private var running: UnsafeCurrentTask?
    /// Threads that are using `running`, which keeps the task from ending meanwhile.
    @exclusivity(unchecked) private var pins = 0
    @exclusivity(unchecked) private var lastPin: CheckedContinuation<Void, Never>?
    /// Whose value it takes: a dependency that is dropped when it has finished, so that a chain keeps no values.
    @exclusivity(unchecked) private var source: Operation?

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
        let level = state.priorityLevel
        let priority = level == PriorityLevel.normal ? nil : TaskPriority(QueuePriority(level: level))
        let executor = enqueuedCore.flatMap { $0.completionPool.taskExecutor(in: $0.lane(of: self)) }
        Task.immediateDetached(name: name, priority: priority, executorPreference: executor) {
            await self.perform(at: level, on: executor)
        }
    }

    public override func cancel() {
        super.cancel()
        // Not in cancelExecution(), which waits for execute() to return: the task may work in there for long.
        if state.isCancelled { withRunningTask { $0.cancel() } }
    }

    override var beginsWhereAwaited: Bool { true }

    /// Depends on the operation whose value it takes, before it is added.
    final func take(from source: Operation) {
        locked { self.source = source }
        addDependency(source)
    }

    // MARK: The task

    /// The task's work. It never leaves the caller's executor by itself, since each hop there and back costs.
    /// - Parameters:
    ///   - level: The operation's priority when the task was made.
    ///   - executor: Where the task goes on after it was suspended.
    private nonisolated(nonsending) func perform(at level: UInt8, on executor: (any TaskExecutor)?) async {
        var body: Body?
        withUnsafeCurrentTask { task in
            lock()
            running = task
            body = self.body
            unlock()
        }
        guard let body else { return finish() }
        // Before this neither a cancellation nor a rise of the priority found the task.
        if state.isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
        if state.priorityLevel > level {
            let priority = TaskPriority(QueuePriority(level: state.priorityLevel))
            withUnsafeCurrentTask { $0?.escalatePriority(to: priority) }
        }
        var outcome: TaskOutcome
        do {
            if let core = enqueuedCore {
                let place = TaskPlace(core, of: self, on: executor)
                defer { place.end() }
                outcome = .value(
                    try await TaskPlace.$current.withValue(
                        place, operation: { () async throws -> any Sendable in try await body() }))
            } else {
                outcome = .value(try await body())
            }
        } catch {
            outcome = .failure(error)
        }
        if Task.isCancelled { super.cancel() }
        if settle(outcome) { await waitForLastPin() }
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
        if let last { Niceness.onOrdinaryThread { last.resume() } }
    }

    /// Keeps what came of the work, and takes the task back from other threads.
    /// - Returns: True if some are using it.
    private func settle(_ outcome: TaskOutcome) -> Bool {
        lock()
        defer { unlock() }
        // Somebody else may have finished the operation, which is the end of it.
        if !state.isFinished { self.outcome = outcome }
        running = nil
        return pins > 0
    }

    private func waitForLastPin() async {
        await withCheckedContinuation { continuation in
            let isFree = locked {
                if pins > 0 { lastPin = continuation }
                return pins == 0
            }
            if isFree { continuation.resume() }
        }
    }

    override func discardWork() {
        lock()
        let (discarded, source, part) = (body, source, extras?.progress)
        let isAtWork = running != nil
        body = nil
        self.source = nil
        unlock()
        // Somebody else has finished the operation.
        if isAtWork { withRunningTask { $0.cancel() } }
        if let source { stopDepending(on: source) }
        withExtendedLifetime(discarded) {}
        completeProgress(part)
    }

    // MARK: The outcome

    /// The value or the error; nil until the operation has finished.
    ///
    /// One that never ran failed with its `error`, or with `CancellationError` if that is nil.
    public var finishedResult: Result<Success, any Error>? {
        guard state.isFinished else { return nil }
        switch locked({ outcome }) {
        case .value(let value): return .success(unerased(value))
        case .failure(let error): return .failure(error)
        case .none: return .failure(failure ?? CancellationError())
        }
    }

    /// The value that `body` returned: what was put into the existential was a `Success` and nothing else.
    private func unerased<Value>(_ value: Value) -> Success { unsafeBitCast(value, to: Success.self) }

    /// The value or the error, once the operation has finished.
    ///
    /// Waiting raises the operation to the waiting task's priority, and all that it depends on, as waiting for a
    /// `Task` does. Cancelling the waiting task neither ends the wait nor cancels the operation.
    public var result: Result<Success, any Error> {
        get async {
            await waitForFinish()
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

/// What came of a task's work.
private enum TaskOutcome: Sendable {
    /// It has not ended, or never ran.
    case none
    case value(any Sendable)
    case failure(any Error)
}
