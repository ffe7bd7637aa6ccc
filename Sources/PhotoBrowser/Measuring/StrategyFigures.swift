/// What one strategy did in one run: the figures that are put side by side.
public struct StrategyFigures: Hashable, Sendable {
    /// The longest time that the main loop could answer nobody, in milliseconds.
    public var longestStall = 0.0
    /// What frames were late by while scrolling, in milliseconds a second.
    public var hitches = 0.0
    /// The longest time that somebody waited at a rest for all pictures on screen, in milliseconds; nil before the first rest is
    /// over.
    public var wait: Double?
    /// Whether a rest ended without all pictures: the wait would have been longer.
    public var isWaitOver = false
    /// The bytes that were received.
    public var received = 0
    /// Those of photos that were never shown, whether they were on screen for a moment or fetched ahead.
    public var neverShown = 0
    /// The most photos that were asked for and not there yet.
    public var longestLine = 0
    /// The most photos that were decoded or filtered at a time, each on a thread of its own.
    public var threads = 0

    /// Nothing was done yet.
    public init() {}

    /// Takes in what was measured up to now.
    ///
    /// - Parameters:
    ///   - measurement: What the scrolling gave.
    ///   - traffic: What the transfers were good for.
    public mutating func take(_ measurement: ScrollMeasurement, _ traffic: PhotoList.Traffic) {
        hitches = measurement.hitches
        wait = measurement.all.max()
        isWaitOver = measurement.missed > 0
        received = traffic.received
        neverShown = traffic.wasted + traffic.unseenAhead
        longestLine = traffic.longestLine
    }
}
