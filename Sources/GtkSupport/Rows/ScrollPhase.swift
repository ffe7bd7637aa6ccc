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

    private var position: Double
    private var lastMove: ContinuousClock.Instant?
    private var lastFast: ContinuousClock.Instant?

    /// Nothing has been scrolled yet.
    ///
    /// - Parameter position: Where the view is, in pixels.
    public init(position: Double = 0) {
        self.position = position
    }

    /// The view has moved.
    ///
    /// - Parameters:
    ///   - position: Where it is, in pixels.
    ///   - screen: The height of what is seen, in pixels.
    ///   - now: When.
    public mutating func moved(to position: Double, screen: Double, at now: ContinuousClock.Instant) {
        let distance = abs(position - self.position)
        // How long ago the last step before a rest was says nothing about speed; the step counts as one frame.
        let frame = Duration.seconds(1) / 60
        let since = lastMove.map { now - $0 } ?? Self.pause
        let time = since < Self.pause ? max(since, frame) : frame
        self.position = position
        lastMove = now
        guard screen > 0, distance / screen / (time / .seconds(1)) > Self.threshold else { return }
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
