/// Decides when another pass of a picture that still arrives is worth its decoding.
struct PassSchedule {
    /// Passes closer together than this nobody sees.
    static let interval = Duration.milliseconds(200)
    /// Of the time between two passes at most one part in so many goes into decoding.
    static let rest = 7
    /// A quarter more bytes make a difference that one sees.
    static let growth = 1.25

    private var scans = 0
    private var bytes = 0
    private var earliest: ContinuousClock.Instant?

    /// Whether to draw what these whole scans tell, which came in so many bytes.
    func isDue(scans: Int, bytes: Int, now: ContinuousClock.Instant) -> Bool {
        due(scans: scans, bytes: bytes, now: now).map { now >= $0 } ?? false
    }

    /// When these are to be drawn if nothing more comes, which may be over; nil if they do not tell enough.
    func due(scans: Int, bytes: Int, now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard scans > self.scans else { return nil }
        guard let earliest else { return now }
        return Double(bytes) >= Double(self.bytes) * Self.growth ? earliest : nil
    }

    /// Notes that a pass was drawn.
    mutating func drew(scans: Int, bytes: Int, from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
        self.scans = scans
        self.bytes = bytes
        earliest = end + max(Self.interval, (end - start) * Self.rest)
    }
}
