/// Which hosts said that they are not to be asked before some time, because there were too many requests (status 429).
///
/// A plain value. Its times are those of the client's clock, counted from when the value was made.
struct RefusingHosts<Host: Hashable> {
    /// How many hosts are remembered.
    private static var longestMemory: Int { 4_096 }

    private var ends: [Host: Duration] = [:]
    private let elapsed: @Sendable () -> Duration

    /// Nobody refuses yet.
    init(clock: any Clock<Duration>) { elapsed = Self.stopwatch(clock) }

    private static func stopwatch<C: Clock>(_ clock: C) -> @Sendable () -> Duration where C.Duration == Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    /// A host is not to be asked for `pause` from now on.
    mutating func insert(_ host: Host, for pause: Duration) {
        let now = elapsed()
        if ends.count >= Self.longestMemory { ends = ends.filter { $0.value > now } }
        if ends.count >= Self.longestMemory { ends = [:] }
        ends[host] = max(now + pause, ends[host] ?? .zero)
    }

    /// How long a host is still not to be asked, nil if it may be.
    mutating func rest(for host: Host) -> Duration? {
        guard !ends.isEmpty, let end = ends[host] else { return nil }
        let rest = end - elapsed()
        if rest > .zero { return rest }
        ends[host] = nil
        return nil
    }
}
