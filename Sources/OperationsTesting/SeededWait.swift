import Dispatch
import OperationsCore
import Synchronization

/// A wait for work of a seeded scheduler. One inside a step has its thread sleep until it is drawn.
final class SeededWait: Sendable {
    /// The thread that waits, and how many steps it is in, one inside the other.
    let thread: UInt
    let depth: Int
    /// The thread is a leader, which nobody else needs.
    let isOfLeader: Bool
    private let wait: BlockingWait
    private let isDrawn = DispatchSemaphore(value: 0)
    private let isReported = Atomic<Bool>(false)

    init(_ wait: BlockingWait, on thread: UInt, depth: Int, isOfLeader: Bool = false) {
        self.wait = wait
        self.thread = thread
        self.depth = depth
        self.isOfLeader = isOfLeader
    }

    var isOver: Bool { wait.isOver() }

    func sleep() { isDrawn.wait() }

    func wake() { isDrawn.signal() }

    /// Says in the log, once, that nothing that a scheduler has could end the wait.
    func report(seed: UInt64) {
        guard !isOver, !isReported.exchange(true, ordering: .relaxed) else { return }
        let text = """
            A SeededScheduler with seed \(seed) has had no step to take for a second, and \(wait.description). Only what is \
            not the scheduler's can end that.
            """
        Log.report(([text] + wait.findings).joined(separator: " "))
    }
}

/// A task outside of all steps that waits for work of a seeded scheduler.
///
/// What changes is touched only under the lock of the pool, which makes it `Sendable`.
final class SeededTaskWait: @unchecked Sendable {
    let isDone: @Sendable () -> Bool
    /// Goes on between two steps; nil once it has, and is told of the end by what it waits for.
    var continuation: CheckedContinuation<Void, Never>?

    /// - Parameter isDone: Whether the wait is over. Holds nothing of what is waited for.
    init(_ continuation: CheckedContinuation<Void, Never>?, until isDone: @escaping @Sendable () -> Bool) {
        self.continuation = continuation
        self.isDone = isDone
    }
}

/// How long there has been nothing to do.
struct SeededPause {
    private static let longest = Duration.seconds(1)
    private let start = ContinuousClock.now

    /// It is time to say so.
    var isLong: Bool { start.duration(to: .now) >= Self.longest }
}
