import OperationsCore

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
