/// Whether and when a task operation that failed is tried again.
public struct RetryPolicy: Sendable {
    /// How often it is tried in all; at least 1.
    public var attempts: Int
    /// The delays between attempts.
    public var backoff: Backoff
    /// True for an error after which trying again makes sense; asked only while attempts are left.
    public var isRetriable: @Sendable (any Error) -> Bool

    /// Creates a policy.
    /// - Parameters:
    ///   - attempts: How often it is tried in all; at least 1.
    ///   - backoff: The delays between attempts; none by default.
    ///   - isRetriable: True for an error after which trying again makes sense; by default for every error. A task
    ///     that was cancelled is never tried again, whatever this says.
    public init(
        attempts: Int, backoff: Backoff = .none, isRetriable: @escaping @Sendable (any Error) -> Bool = { _ in true }
    ) {
        Misuse.require(attempts >= 1, "A task is tried at least once, not \(attempts) times.")
        self.attempts = attempts
        self.backoff = backoff
        self.isRetriable = isRetriable
    }

    /// One attempt.
    public static let once = RetryPolicy(attempts: 1)

    /// Calls `body` until it succeeds, may not be tried again, or the task is cancelled.
    /// - Parameters:
    ///   - clock: What the delays between attempts are measured by.
    ///   - pool: Where the chance in them comes from.
    func run<Success>(
        on clock: any Clock<Duration>, chanceOf pool: any WorkerPool, _ body: () async throws -> Success
    ) async throws -> Success {
        var attempt = 1
        while true {
            do {
                return try await body()
            } catch {
                guard attempt < attempts, !Task.isCancelled, isRetriable(error) else { throw error }
                try await clock.pause(for: backoff.delay(afterAttempt: attempt, less: pool.random))
                attempt += 1
            }
        }
    }
}
