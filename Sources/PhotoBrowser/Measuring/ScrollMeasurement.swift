/// What was measured while a list was scrolled by a script, and at its rests.
public struct ScrollMeasurement: Sendable {
    /// The time between frames while scrolling, in milliseconds.
    public internal(set) var frameIntervals: [Double] = []
    /// The CPU time of the main thread while scrolling, in milliseconds.
    public internal(set) var mainThread = 0.0
    /// From the beginning of each rest to the first picture with its look, in milliseconds.
    public internal(set) var first: [Double] = []
    /// From the beginning of each rest to all pictures with their looks, in milliseconds.
    public internal(set) var all: [Double] = []
    /// How many rests ended without all pictures, because nobody would have waited longer.
    public internal(set) var missed = 0

    /// Frames that came late: what they were late by, in milliseconds for each second of scrolling.
    public var hitches: Double {
        let time = frameIntervals.reduce(0, +) / 1_000
        let late = frameIntervals.reduce(0) { $0 + max(0, $1 - Self.frame * 1.5) }
        return time > 0 ? late / time : 0
    }

    /// The time of a frame on most screens, in milliseconds.
    private static let frame = 1_000 / 60.0
}
