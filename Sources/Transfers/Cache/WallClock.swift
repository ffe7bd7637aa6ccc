import Glibc

/// The time of day, which HTTP's dates and ages are about; another one for tests.
public struct WallClock: Sendable {
    private let read: @Sendable () -> Int
    private let readSteady: @Sendable () -> Duration

    /// A clock that is read by a closure.
    /// - Parameter read: Gives the seconds since 1970, in UTC; called on any thread.
    public init(_ read: @escaping @Sendable () -> Int) { self.init(read, steady: { .seconds(read()) }) }

    /// A clock of which also that is read by a closure which nobody sets.
    init(_ read: @escaping @Sendable () -> Int, steady: @escaping @Sendable () -> Duration) {
        (self.read, readSteady) = (read, steady)
    }

    /// Seconds since 1970, in UTC.
    public var now: Int { read() }

    /// A time for pauses, which goes on also where somebody sets the time of day. With a clock of closures it is that clock's.
    var steady: Duration { readSteady() }

    /// The machine's clock.
    public static let system = WallClock({ time(nil) }, steady: { SteadyTime.now.sinceStart })
}
