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
    return try await withThrowingTaskGroup(of: Success?.self) { group in
        group.addImmediateTask { try await body() }
        group.addImmediateTask {
            try await clock.sleep(for: limit)
            return nil
        }
        defer { group.cancelAll() }
        guard let first = try await group.next(), let value = first else { throw error(limit) }
        return value
    }
}
