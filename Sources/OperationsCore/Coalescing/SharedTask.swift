import Synchronization

/// One caller's hold on a task that others may have joined.
///
/// Dropping it without `cancel()` leaves the task running, as dropping a `Task` does.
public final class SharedTask<Success: Sendable>: Sendable {
    private let state: SharedTaskState<Success>
    private let hasLetGo = Atomic<Bool>(false)

    /// Takes over one count of `state`.
    init(_ state: SharedTaskState<Success>) {
        self.state = state
    }

    /// The task's operation, the same for all holders. Cancelling it cancels the task for all of them.
    public var operation: TaskOperation<Success> { state.operation }

    /// The value, once the task has finished; throws what it failed with.
    public var value: Success {
        get async throws { try await operation.value }
    }

    /// The value or the error, once the task has finished.
    public var result: Result<Success, any Error> {
        get async { await operation.result }
    }

    /// True once this holder has let go.
    public var isCancelled: Bool { hasLetGo.load(ordering: .acquiring) }

    /// Lets go of the task, which is cancelled if nobody else holds it. Later calls do nothing.
    public func cancel() {
        if !hasLetGo.exchange(true, ordering: .acquiringAndReleasing) { state.leave() }
    }
}
