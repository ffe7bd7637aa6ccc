/// When the main thread drew frames, and when it was busy for so long that a frame was late. A plain value.
nonisolated struct MainThread: Sendable {
    /// A time in which the main thread answered nobody.
    struct Busy: Sendable {
        let from: Duration
        let to: Duration

        /// Whether a person notices.
        var isStall: Bool { to - from >= .milliseconds(50) }
    }

    private(set) var frames: [Duration] = []
    private(set) var busy: [Busy] = []
    private let limit: Int

    /// - Parameter limit: How many frames are remembered, and how many busy times; the eldest quarter is let go beyond it. Default:
    ///   20,000, which are five minutes of frames at least.
    init(limit: Int = 20_000) {
        self.limit = max(4, limit)
    }

    /// Notes a frame.
    mutating func draw(at time: Duration) {
        if frames.count >= limit { frames.removeFirst(limit / 4) }
        frames.append(time)
    }

    /// Notes a busy time, which is over.
    mutating func work(from: Duration, to: Duration) {
        if busy.count >= limit { busy.removeFirst(limit / 4) }
        busy.append(Busy(from: from, to: to))
    }

    /// The busy time at a moment.
    func busy(at time: Duration) -> Busy? { busy.last { $0.from <= time && time <= $0.to } }
}
