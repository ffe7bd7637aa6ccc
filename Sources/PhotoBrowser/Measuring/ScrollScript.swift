/// How a list is scrolled to measure it, the same in every run.
public struct ScrollScript: Sendable {
    /// One thing that is done.
    public enum Step: Hashable, Sendable {
        /// Screens a second, for so many seconds; upwards where negative.
        case scroll(Double, seconds: Double)
        /// To a place of the list at once, from 0 to 1, as by the bar.
        case jump(Double)
        /// Waits until all photos on screen are there.
        case rest
    }

    /// What is done, in this order.
    public let steps: [Step]
    /// How long a rest waits for pictures at most, in seconds.
    public let patience: Double

    /// Makes a script of steps.
    ///
    /// - Parameters:
    ///   - steps: What is done, in this order.
    ///   - patience: How long a rest waits for pictures at most, in seconds. Default: 20.
    public init(_ steps: [Step], patience: Double = 20) {
        self.steps = steps
        self.patience = patience
    }

    /// Reading, looking through, searching, flicking, and jumping, with a rest after each.
    public static let thorough = ScrollScript(
        [
            .scroll(1, seconds: 2), .scroll(3, seconds: 1.5), .scroll(8, seconds: 1.5), .scroll(25, seconds: 1),
            .jump(0.5), .scroll(-8, seconds: 1.5), .scroll(3, seconds: 1.5), .jump(0.9), .scroll(-25, seconds: 1),
            .scroll(1, seconds: 2),
        ].flatMap { [$0, .rest] })

    /// What a person does who looks for a photo: sees the first ones, reads, searches faster and faster, and stops.
    public static let brief = ScrollScript(
        [.rest, .scroll(0.5, seconds: 1.5), .scroll(2, seconds: 1.5), .scroll(10, seconds: 1), .rest], patience: 15)
}
