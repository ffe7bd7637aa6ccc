import Synchronization

/// Which place the current task works in: what `OperationQueue.current` goes by once a task has left its worker.
///
/// It is a task-local value, so that it is right wherever the task resumes, and child tasks have it too. Unstructured tasks
/// inherit it as well; so it keeps no operation.
struct TaskPlace: Sendable {
    @TaskLocal static var current: TaskPlace?

    let core: QueueCore
    /// The number, in the order of adding, of the operation that holds the place.
    let number: UInt64
    /// The task that was to work in the place. Once that has ended another one may have its number.
    private let task: Int
    private let work: Work
    /// Where the work goes on after it was suspended; nil for Swift's own threads.
    let executor: (any TaskExecutor)?
    /// What the thread was working for where the task was bound: the place is inside that.
    private let enclosing: UInt

    /// The place of an operation of `core`, bound on the calling thread by the task that works in it.
    init(_ core: QueueCore, of operation: Operation, on executor: (any TaskExecutor)?) {
        self.init(core, operation.sequence, Work(), executor)
    }

    private init(_ core: QueueCore, _ number: UInt64, _ work: Work, _ executor: (any TaskExecutor)?) {
        self.core = core
        self.number = number
        self.work = work
        self.executor = executor
        task = Self.currentTask
        enclosing = Self.identity(ExecutionContext.unretained._withUnsafeGuaranteedRef { $0.core })
    }

    /// The same place, for the current task to work in: a child, for which the one that worked in it waits.
    var ofChild: TaskPlace { TaskPlace(core, number, work, executor) }

    /// The place, if the current task is the one that works in it: while it waits, the place does not become free.
    static var ofCurrentTask: TaskPlace? {
        guard let current, current.task == currentTask, !current.isOver else { return nil }
        return current
    }

    /// The work in the place has ended: another operation may have it. Tasks that were not waited for still see it.
    var isOver: Bool { work.isOver.load(ordering: .relaxed) }

    /// The task's work in the place is over.
    func end() { work.isOver.store(true, ordering: .relaxed) }

    private final class Work: Sendable {
        let isOver = Atomic<Bool>(false)
    }

    /// False if the thread has begun other work since, inside the task's.
    func isInside(_ other: Unmanaged<QueueCore>?) -> Bool {
        other == nil || Self.identity(other) == enclosing
    }

    private static var currentTask: Int { withUnsafeCurrentTask { $0?.hashValue ?? 0 } }

    private static func identity(_ core: Unmanaged<QueueCore>?) -> UInt {
        core.map { UInt(bitPattern: $0.toOpaque()) } ?? 0
    }
}

/// A wait of a task that works in a place, if it does.
struct TaskWait {
    private let place: TaskPlace?
    private let identifier: QueueCore.Wait.Identifier?

    /// Begins when the current task is about to wait for `target`, which the caller holds until the end.
    init(for target: Operation) {
        place = TaskPlace.ofCurrentTask
        identifier = place.map { $0.core.beginWait(for: .operation(target), of: $0.number) }
    }

    func end() {
        if let identifier { place?.core.endWait(identifier) }
    }
}
