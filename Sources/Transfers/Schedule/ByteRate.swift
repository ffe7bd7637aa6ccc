/// How many bytes may come in: so many a second, after a pause a few more at once.
///
/// A plain value. What comes in pieces is let in while something is left, and may take more than is left; the rest of it is
/// taken from the time that follows.
struct ByteRate {
    typealias Instant = SteadyTime

    private let perSecond: Double
    private var left: Double
    private var counted: Instant

    /// - Parameter perSecond: The rate, at least 1.
    init(perSecond: Int, at now: Instant) {
        self.perSecond = Double(max(perSecond, 1))
        left = self.perSecond / 10
        counted = now
    }

    /// Whether a piece may come in now.
    mutating func mayTake(at now: Instant) -> Bool {
        left = min(perSecond / 10, left + counted.duration(to: now) / .seconds(1) * perSecond)
        counted = now
        return left > 0
    }

    /// A piece came in.
    mutating func take(_ count: Int) { left -= Double(count) }

    /// When the next piece may come in; now or in the past if one may.
    var nextTime: Instant {
        left > 0 ? counted : counted.advanced(by: .seconds(-left / perSecond) + .milliseconds(1))
    }
}
