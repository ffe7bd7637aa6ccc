import OperationsCore

/// A client's clock, as the time since the client was made; whatever clock that is.
struct LoopClock: Sendable {
    /// The time since the beginning.
    let elapsed: @Sendable () -> Duration
    /// Returns at a time since the beginning, or when its task is cancelled.
    let sleep: @Sendable (_ until: Duration) async -> Void

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleep = { try? await clock.pause(until: start.advanced(by: $0)) }
    }
}
