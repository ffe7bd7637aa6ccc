/// Time since its creation, by a clock of any kind.
struct Stopwatch: Sendable {
    private let start: any InstantProtocol<Duration>
    private let read: @Sendable () -> Duration

    init(_ clock: any Clock<Duration>) {
        (start, read) = Self.started(clock)
    }

    var elapsed: Duration { read() }

    /// What it reads at the moment at which another one reads a time.
    /// - Returns: The reading; nil where they go by clocks of different kinds.
    func reading(when other: Stopwatch, reads time: Duration) -> Duration? {
        Self.duration(from: start, to: other.start).map { $0 + time }
    }

    private static func started<Time: Clock<Duration>>(
        _ clock: Time
    ) -> (any InstantProtocol<Duration>, @Sendable () -> Duration) {
        let start = clock.now
        return (start, { start.duration(to: clock.now) })
    }

    private static func duration<Instant: InstantProtocol<Duration>>(
        from start: Instant, to end: any InstantProtocol<Duration>
    ) -> Duration? {
        (end as? Instant).map { start.duration(to: $0) }
    }
}
