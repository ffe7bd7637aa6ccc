/// When the next hop to the main actor is due: at most one in each interval, whatever arrives.
struct HopSchedule {
    private let interval: Duration
    private var lastHop: ContinuousClock.Instant?
    private var isDue = false

    /// - Parameter interval: The shortest time between two hops; that of a frame.
    init(interval: Duration) {
        self.interval = interval
    }

    /// Something is there to be brought over.
    ///
    /// - Returns: After how long a hop is to be made; nil where one is on its way, which brings this too.
    mutating func request(at now: ContinuousClock.Instant) -> Duration? {
        guard !isDue else { return nil }
        isDue = true
        guard let lastHop else { return .zero }
        return max(.zero, lastHop.advanced(by: interval) - now)
    }

    /// The hop that was asked for has arrived.
    mutating func begin(at now: ContinuousClock.Instant) {
        isDue = false
        lastHop = now
    }
}
