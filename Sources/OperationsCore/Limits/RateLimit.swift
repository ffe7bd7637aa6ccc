/// How many operations of a queue may start in a time: a token bucket.
public struct RateLimit: Sendable, Hashable {
    /// The time after which one more may start.
    public let interval: Duration
    /// How many may start at once after a pause; at least 1.
    public let burst: Int

    /// Creates a limit.
    /// - Parameters:
    ///   - count: How many may start within `period` in the long run; at least 1.
    ///   - period: The time that `count` is for; more than zero, and at least an attosecond for each of them.
    ///   - burst: How many may start at once after a pause; at least 1, by default 1, which spaces them evenly.
    public init(_ count: Int, per period: Duration, burst: Int = 1) {
        Misuse.require(count >= 1 && burst >= 1, "A rate limit lets at least one start, not \(min(count, burst)).")
        Misuse.require(period / count > .zero, "A rate limit's period is more than zero, not \(period).")
        interval = period / count
        self.burst = burst
    }
}

/// A token bucket in the form of the generic cell rate algorithm (ITU-T I.371): instead of counting tokens it keeps
/// the time at which the bucket will be full, in exact arithmetic.
struct RateLimiter {
    let limit: RateLimit
    /// How far ahead the bucket may be filled when one more starts.
    private let tolerance: Duration
    private var full: Duration = .zero
    /// How many were claimed that may start at any moment, or not at all.
    private var claimed = 0
    /// So many of them that nobody else may start. More would not fit into a `Duration`.
    private let mostClaimed: Int

    /// Longer than any clock runs, and far from what `Duration` can hold.
    private static let longest = Duration.seconds(1_000_000_000_000_000_000 as Int64)

    init(_ limit: RateLimit) {
        self.limit = limit
        let others = limit.burst - 1
        let isEndless = limit.interval / .seconds(1) * Double(others) >= Self.longest / .seconds(1)
        tolerance = isEndless ? Self.longest : limit.interval * others
        mostClaimed = Int(min(Self.longest / limit.interval, 1_000_000_000)) + 1
    }

    /// How long it takes from `now` until one may start; zero or less if it may now.
    func delay(at now: Duration) -> Duration {
        max(full, now) + limit.interval * min(claimed, mostClaimed) - tolerance - now
    }

    /// Keeps a token for one that may start, until `take` or `giveBack`.
    mutating func claim() { claimed += 1 }

    /// One has started. What it takes counts from now on, however long ago it was claimed.
    mutating func take(at now: Duration) {
        giveBack()
        full = max(full, now) + limit.interval
    }

    /// One does not start. It may have been claimed when there was another limit.
    mutating func giveBack() { claimed = max(0, claimed - 1) }
}
