/// Whether a user scrolls fast, from the positions of a scrollbar and nothing else.
///
/// Wheels, dragging and keys tell of themselves in different ways, and the kinetic tail of a wheel creeps by parts of
/// a pixel for seconds; the speed tells them all.
nonisolated public struct ScrollPhase: Sendable {
    /// Screens a second from which on it is scrolling.
    public static let threshold = 1.5
    /// How long nothing fast may happen before scrolling is over.
    public static let pause = Duration.milliseconds(160)

    /// Whether the user scrolls.
    public private(set) var isScrolling = false

    private var last: (position: Double, time: ContinuousClock.Instant)?
    private var lastFast: ContinuousClock.Instant?

    /// Nothing has been scrolled yet.
    public init() {}

    /// The view has moved.
    ///
    /// - Parameters:
    ///   - position: Where it is, in pixels.
    ///   - screen: The height of what is seen, in pixels.
    ///   - now: When.
    public mutating func moved(to position: Double, screen: Double, at now: ContinuousClock.Instant) {
        defer { last = (position, now) }
        guard let last, screen > 0 else { return }
        // A first step after a rest says nothing about speed; it counts as one frame.
        let seconds = max((now - last.time) / .seconds(1), 1.0 / 60)
        let elapsed = now - last.time < Self.pause ? seconds : 1.0 / 60
        guard abs(position - last.position) / screen / elapsed > Self.threshold else { return }
        lastFast = now
        isScrolling = true
    }

    /// Time has passed.
    ///
    /// - Returns: Whether scrolling is not going on (any more).
    public mutating func check(at now: ContinuousClock.Instant) -> Bool {
        if isScrolling, let lastFast, now - lastFast >= Self.pause { isScrolling = false }
        return !isScrolling
    }
}
