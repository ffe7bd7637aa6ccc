import Glibc

/// The time of day, which HTTP's dates and ages are about; another one for tests.
public struct WallClock: Sendable {
    private let read: @Sendable () -> Int

    /// A clock that is read by a closure.
    /// - Parameter read: Gives the seconds since 1970, in UTC; called on any thread.
    public init(_ read: @escaping @Sendable () -> Int) {
        self.read = read
    }

    /// Seconds since 1970, in UTC.
    public var now: Int { read() }

    /// The machine's clock.
    public static let system = WallClock { time(nil) }
}
