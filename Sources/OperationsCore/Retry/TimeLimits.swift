/// How long a task operation may take, from its start on; what it waits before that does not count.
public struct TimeLimits: Sendable, Hashable {
    /// The limit of one attempt; nil for none.
    public var attempt: Duration?
    /// The limit of all attempts with the delays between them; nil for none.
    public var total: Duration?

    /// Creates limits.
    /// - Parameters:
    ///   - attempt: The limit of one attempt; nil, the default, for none.
    ///   - total: The limit of all attempts with the delays between them; nil, the default, for none.
    public init(attempt: Duration? = nil, total: Duration? = nil) {
        self.attempt = attempt
        self.total = total
    }

    /// No limits.
    public static let none = TimeLimits()
}

/// A task operation took longer than it may.
public enum TimeoutError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One attempt did.
    case attempt(limit: Duration)
    /// All attempts together did.
    case total(limit: Duration)

    public var description: String {
        switch self {
        case .attempt(let limit): "An attempt took longer than \(limit)."
        case .total(let limit): "The work took longer than \(limit) in all."
        }
    }
}

/// Runs `body` in a child task and cancels it when the time is over, also while it computes on the calling thread.
///
/// Cancellation is cooperative: work that ignores it is waited for, and then the timeout is thrown all the same. A century and more
/// is no limit.
func withTimeLimit<Success: Sendable>(
    _ limit: Duration?, on clock: any Clock<Duration>, error: (Duration) -> TimeoutError,
    _ body: @escaping @Sendable () async throws -> Success
) async throws -> Success {
    guard let limit, limit < ContinuousClock.longestPause else { return try await body() }
    let (work, place) = (LimitedWork(limit, on: clock), TaskPlace.ofCurrentTask)
    // All threads of the work's lane may be computing when the time is over. So the alarm waits for none of them, but where there are
    // no threads, as in a seeded scheduler.
    let alarmExecutor = place?.core.completionPool.taskExecutor(in: .standard)
    return try await withThrowingTaskGroup(of: LimitedEnd<Success>.self) { group in
        // Before the work, which has the calling thread until it is suspended for the first time.
        group.addImmediateTask(executorPreference: alarmExecutor) {
            do { try await clock.pause(for: limit) } catch  where Task.isCancelled { return .cancelled }
            work.cancel()
            return .timeIsOver
        }
        // What begins at once takes over where its parent goes on, but not in optimised builds of Swift 6.3.
        group.addImmediateTask(executorPreference: place?.executor) {
            // The calling task does nothing but wait for this one.
            guard let place else { return await work.run(body) }
            return await TaskPlace.$current.withValue(place.ofChild) { await work.run(body) }
        }
        defer { group.cancelAll() }
        while let end = try await group.next() {
            switch end {
            case .result(let result): return try result.get()
            case .timeIsOver: throw error(limit)
            // What comes of it is the work's to say, as without a limit.
            case .cancelled: continue
            }
        }
        throw CancellationError()
    }
}

/// What ends work with a time limit first.
private enum LimitedEnd<Success: Sendable>: Sendable {
    case result(Result<Success, any Error>)
    case timeIsOver
    /// All of it was cancelled, and nobody looks at the time any more.
    case cancelled
}

/// Work with a time limit, whose task another one cancels.
///
/// What changes is touched only under the monitor, which makes it `Sendable`. The task is cancelled under it too, so that it has not
/// ended by then. A cancellation handler that blocks keeps the work from ending for as long, as it does in any of Swift's tasks.
private final class LimitedWork: @unchecked Sendable {
    private let limit: Duration
    private let watch: Stopwatch
    private let monitor = Monitor()
    private var task: UnsafeCurrentTask?
    private var isOver = false

    /// The time begins.
    init(_ limit: Duration, on clock: any Clock<Duration>) {
        self.limit = limit
        watch = Stopwatch(clock)
    }

    /// Runs the work in the current task.
    nonisolated(nonsending) func run<Success>(_ body: () async throws -> Success) async -> LimitedEnd<Success> {
        withUnsafeCurrentTask { task in
            monitor.withLock {
                self.task = task
                if isOver { task?.cancel() }
            }
        }
        let result: Result<Success, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        let wasOver = monitor.withLock {
            task = nil
            return isOver
        }
        // The other task may be late. One that was cancelled by somebody else has no limit any more.
        return wasOver || !Task.isCancelled && watch.elapsed >= limit ? .timeIsOver : .result(result)
    }

    /// The time is over.
    func cancel() {
        monitor.withLock {
            isOver = true
            task?.cancel()
        }
    }
}
