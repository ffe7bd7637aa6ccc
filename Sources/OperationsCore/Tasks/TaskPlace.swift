/// Which queue the current task works for: what `OperationQueue.current` goes by once a task has left its worker.
///
/// It is a task-local value, so that it is right wherever the task resumes, and child tasks have it too.
struct TaskPlace: Sendable {
    @TaskLocal static var current: TaskPlace?

    let core: QueueCore
    /// What the thread was working for where the task was bound: the place is inside that.
    private let enclosing: UInt

    /// The place of work for `core`, bound on the calling thread.
    init(_ core: QueueCore) {
        self.core = core
        enclosing = Self.identity(ExecutionContext.unretained._withUnsafeGuaranteedRef { $0.core })
    }

    /// False if the thread has begun other work since, inside the task's.
    func isInside(_ other: Unmanaged<QueueCore>?) -> Bool {
        other == nil || Self.identity(other) == enclosing
    }

    private static func identity(_ core: Unmanaged<QueueCore>?) -> UInt {
        core.map { UInt(bitPattern: $0.toOpaque()) } ?? 0
    }
}
