import OperationsCore

/// When another attempt at a transfer is due that failed.
package struct DueAttempt: Hashable, Sendable {
    /// In how long.
    package let delay: Duration
    /// Whether the one that failed counts as one of those that may be made.
    package let isCounted: Bool
}

/// Whether and when a transfer that failed is tried again: a plain value that is told how each attempt ended.
struct RetrySchedule {
    private let policy: RetryPolicy
    private let longestRetryAfter: Duration
    /// How many attempts have failed before those that it is told of.
    private let earlier: Int
    /// How the attempts failed so far, in order.
    private(set) var failures: [TransferError] = []

    init(policy: RetryPolicy, longestRetryAfter: Duration, earlier: Int = 0) {
        self.policy = policy
        self.longestRetryAfter = longestRetryAfter
        self.earlier = earlier
    }

    /// How long to wait where this machine has lost its network: until it has it again, the schedule starts nothing.
    private static let pauseWithoutNetwork = Duration.seconds(1)

    /// An attempt failed.
    /// - Returns: When the next attempt is due; nil if there is none, because the last of ``failures`` is final.
    mutating func failed(_ error: TransferError, _ outcome: TransferOutcome) -> DueAttempt? {
        if outcome.hasMetLostNetwork { return DueAttempt(delay: Self.pauseWithoutNetwork, isCounted: false) }
        return failed(error, retryAfter: outcome.retryAfter).map { DueAttempt(delay: $0, isCounted: true) }
    }

    /// An attempt failed.
    /// - Parameter retryAfter: How long the server asked to wait, if it did.
    /// - Returns: How long to wait before the next attempt; nil if there is none, because the last of ``failures`` is final.
    mutating func failed(_ error: TransferError, retryAfter: Duration?) -> Duration? {
        if case .http(let status) = error, error.isTransient, let retryAfter, retryAfter > longestRetryAfter {
            failures.append(.retryLater(status: status, after: retryAfter))
            return nil
        }
        failures.append(error)
        let attempts = earlier + failures.count
        guard attempts < policy.attempts, policy.isRetriable(error) else { return nil }
        let delay = policy.backoff.delay(afterAttempt: attempts)
        return max(delay, retryAfter ?? .zero)
    }
}
