import Glibc

/// A time on a clock that stands still while the machine sleeps, the one of `SuspendingClock`.
///
/// That clock's own times have a layout that is known at run time only, and the limits of a transfer are looked at for
/// each line and piece that arrives.
struct SteadyTime: InstantProtocol {
    /// Since the machine's start.
    private(set) var sinceStart: Duration

    static var now: SteadyTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return SteadyTime(sinceStart: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
    }

    func advanced(by duration: Duration) -> SteadyTime { SteadyTime(sinceStart: sinceStart + duration) }

    func duration(to other: SteadyTime) -> Duration { other.sinceStart - sinceStart }

    static func < (one: SteadyTime, other: SteadyTime) -> Bool { one.sinceStart < other.sinceStart }
}
