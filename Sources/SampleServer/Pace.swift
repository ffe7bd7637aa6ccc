/// Says how much of an answer may go out by when. A plain value: the time comes in, numbers of bytes come out.
///
/// The speed may be another one each time; it holds from then on.
struct Pace {
    /// When the request came.
    private let asked: Duration
    /// Up to when bytes were given out; nil before the first one may go.
    private var last: Duration?
    /// Parts of bytes that were not given out yet.
    private var rest = 0.0

    /// - Parameter asked: When the request came, by a clock that never goes back.
    init(asked: Duration) {
        self.asked = asked
    }

    /// How many more bytes may go out.
    ///
    /// - Parameters:
    ///   - now: The time, by the same clock.
    ///   - speed: How slow the network is at present.
    /// - Returns: nil where the answer may not begin yet.
    mutating func due(at now: Duration, _ speed: NetworkSpeed) -> Int? {
        let begin = last ?? asked + speed.latency
        guard now >= begin else { return nil }
        last = now
        let bytes = (now - begin) / .seconds(1) * Double(speed.bytesPerSecond) + rest
        let whole = bytes.rounded(.down)
        rest = bytes - whole
        return Int(min(whole, 1e12))
    }
}
