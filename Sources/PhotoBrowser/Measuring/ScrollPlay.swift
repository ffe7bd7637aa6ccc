/// A script of scrolling while it is played: frames go in, places to scroll to come out, and what was measured is kept.
///
/// It is a plain value; whoever has a view asks it before each frame.
public struct ScrollPlay: Sendable {
    /// How a view stands before a frame.
    public struct View: Sendable {
        /// Where it is scrolled to; places have any unit.
        public let position: Double
        /// How much is on screen.
        public let screen: Double
        /// How much there is.
        public let length: Double
        /// Whether all photos on screen are done, be it that they have failed.
        public let isComplete: Bool
        /// Whether a photo on screen has its picture with its look.
        public let hasAny: Bool

        /// Describes a view in one moment.
        ///
        /// - Parameters:
        ///   - position: Where it is scrolled to.
        ///   - screen: How much is on screen, in the same unit.
        ///   - length: How much there is, in the same unit.
        ///   - isComplete: Whether all photos on screen are done, be it that they have failed.
        ///   - hasAny: Whether a photo on screen has its picture with its look.
        public init(position: Double, screen: Double, length: Double, isComplete: Bool, hasAny: Bool) {
            self.position = position
            self.screen = screen
            self.length = length
            self.isComplete = isComplete
            self.hasAny = hasAny
        }
    }

    /// What is to be done in a frame.
    public enum Action: Hashable, Sendable {
        /// Nothing; the view waits.
        case wait
        /// Scroll to a place.
        case scroll(to: Double)
        /// Nothing more: the script is over.
        case end
    }

    private enum Phase {
        case beginning
        case scrolling(since: Double, from: Double, speed: Double, seconds: Double)
        case resting(since: Double, hasFirst: Bool)
        case over
    }

    /// What was measured so far.
    public private(set) var measurement = ScrollMeasurement()

    private let script: ScrollScript
    private var phase = Phase.beginning
    /// How many steps were begun.
    private var begun = 0
    private var lastFrame: Double?
    /// The CPU time of the main thread when the scrolling began that goes on.
    private var threadTime = 0.0

    /// Prepares to play a script.
    ///
    /// - Parameter script: What is played; it begins with the first frame.
    public init(_ script: ScrollScript) {
        self.script = script
    }

    /// Says what to do in a frame.
    ///
    /// - Parameters:
    ///   - now: When the frame is, in seconds of any clock that only grows.
    ///   - threadTime: The CPU time that the main thread has used so far, in milliseconds.
    ///   - view: How the view stands.
    public mutating func frame(at now: Double, threadTime: Double, _ view: View) -> Action {
        switch phase {
        case .beginning: return begin(at: now, threadTime, view)
        case .scrolling(let since, let from, let speed, let seconds):
            if let lastFrame { measurement.frameIntervals.append((now - lastFrame) * 1_000) }
            lastFrame = now
            let elapsed = min(now - since, seconds)
            let place = view.place(at: from + speed * view.screen * elapsed)
            guard elapsed >= seconds else { return .scroll(to: place) }
            measurement.mainThread += threadTime - self.threadTime
            return begin(at: now, threadTime, view, from: place, due: since + seconds)
        case .resting(let since, let hasFirst):
            // A view tells of its rows after the frame in which they moved.
            guard now - since > 0.03 else { return .wait }
            let milliseconds = (now - since) * 1_000
            if !hasFirst, view.hasAny {
                measurement.first.append(milliseconds)
                phase = .resting(since: since, hasFirst: true)
            }
            let isLate = now - since > script.patience
            guard view.isComplete || isLate else { return .wait }
            if !view.isComplete { measurement.missed += 1 }
            measurement.all.append(milliseconds)
            return begin(at: now, threadTime, view)
        case .over: return .end
        }
    }

    /// Begins the next step.
    ///
    /// - Parameters:
    ///   - moved: Where the view scrolls to in this frame; nil where it stays.
    ///   - due: When it should begin; nil for now. A frame that comes late, because the main thread waited for photos, is part of
    ///     the wait for them.
    private mutating func begin(
        at now: Double, _ threadTime: Double, _ view: View, from moved: Double? = nil, due: Double? = nil
    ) -> Action {
        self.threadTime = threadTime
        var moved = moved
        while begun < script.steps.count {
            let step = script.steps[begun]
            begun += 1
            switch step {
            case .scroll(let speed, let seconds):
                phase = .scrolling(since: now, from: moved ?? view.position, speed: speed, seconds: seconds)
                return moved.map { .scroll(to: $0) } ?? .wait
            case .jump(let part):
                lastFrame = nil
                moved = view.place(at: view.length * part)
            case .rest:
                lastFrame = nil
                phase = .resting(since: due ?? now, hasFirst: false)
                return moved.map { .scroll(to: $0) } ?? .wait
            }
        }
        phase = .over
        return moved.map { .scroll(to: $0) } ?? .end
    }
}

extension ScrollPlay.View {
    /// The nearest place that it can be scrolled to.
    fileprivate func place(at place: Double) -> Double { max(0, min(place, length - screen)) }
}
