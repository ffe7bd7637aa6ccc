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

/// Runs `body` in a child task and cancels it when the time is over.
///
/// Cancellation is cooperative: work that ignores it is waited for, and then the timeout is thrown all the same.
func withTimeLimit<Success: Sendable>(
    _ limit: Duration?, on clock: any Clock<Duration>, error: (Duration) -> TimeoutError,
    _ body: @escaping @Sendable () async throws -> Success
) async throws -> Success {
    guard let limit else { return try await body() }
    return try await withThrowingTaskGroup(of: LimitedEnd<Success>.self) { group in
        group.addImmediateTask { .value(try await body()) }
        group.addImmediateTask {
            do { try await clock.pause(for: limit) } catch  where Task.isCancelled { return .cancelled }
            return .timeIsOver
        }
        defer { group.cancelAll() }
        while let end = try await group.next() {
            switch end {
            case .value(let value): return value
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
    case value(Success)
    case timeIsOver
    /// All of it was cancelled, and nobody looks at the time any more.
    case cancelled
}
