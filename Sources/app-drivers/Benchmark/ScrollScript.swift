/// What the measured scrolling does, the same in every run.
nonisolated enum ScrollScript {
    enum Step {
        /// Screens a second, for so many seconds; upwards where negative.
        case scroll(Double, seconds: Double)
        /// To a place of the list at once, from 0 to 1, as by the bar.
        case jump(Double)
    }

    /// Reading, looking through, searching, flicking, and jumping.
    static let steps: [Step] = [
        .scroll(1, seconds: 2), .scroll(3, seconds: 1.5), .scroll(8, seconds: 1.5), .scroll(25, seconds: 1),
        .jump(0.5), .scroll(-8, seconds: 1.5), .scroll(3, seconds: 1.5), .jump(0.9), .scroll(-25, seconds: 1),
        .scroll(1, seconds: 2),
    ]
    /// How long pictures are waited for after each step, in seconds.
    static let patience = 20.0
}
