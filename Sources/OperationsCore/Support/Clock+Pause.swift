extension Clock where Duration == Swift.Duration {
    /// A century. The clocks of the standard library end the program at a time whose nanoseconds they cannot count, such as
    /// `.seconds(Int64.max)`, by which people mean that there is no limit.
    package static var longestPause: Duration { .seconds(100 * 365 * 86_400) }

    /// Sleeps for a duration, or for a century if that is shorter. On the continuous clock nothing is left of it when it is cancelled.
    package func pause(for duration: Duration) async throws {
        let duration = min(duration, Self.longestPause)
        if Self.self == ContinuousClock.self, duration > .zero {
            try await SleepTimer.shared.sleep(until: .now.advanced(by: duration))
        } else {
            try await sleep(for: duration)
        }
    }

    /// Sleeps until a moment. On the continuous clock nothing is left of it when it is cancelled.
    package func pause(until end: Instant) async throws {
        if let end = end as? ContinuousClock.Instant {
            try await SleepTimer.shared.sleep(until: end)
        } else {
            try await sleep(until: end, tolerance: nil)
        }
    }
}
