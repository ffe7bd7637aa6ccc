/// Which part of time is drawn where.
nonisolated struct TimeWindow {
    /// Seconds at the right border.
    var end: Double
    /// Seconds from border to border.
    var span: Double
    /// Pixels from border to border.
    var width: Double

    func x(_ time: Duration) -> Double { (time / .seconds(1) - end + span) / span * width }
    func time(atX x: Double) -> Duration { .seconds(end - span + x / width * span) }

    /// Where the axis has lines, in seconds: round numbers, so far apart that each of them can be written there.
    ///
    /// - Parameter pixels: The least distance, in pixels.
    /// - Returns: The seconds from the left, none before the beginning of time; how many decimals they have.
    func ticks(apart pixels: Double) -> (seconds: [Double], decimals: Int) {
        let steps =
            [(0.000_2, 4), (0.000_5, 4), (0.001, 3), (0.002, 3), (0.005, 3), (0.01, 2), (0.02, 2), (0.05, 2)]
            + [(0.1, 1), (0.2, 1), (0.5, 1)]
            + [1, 2, 5, 10, 30, 60, 120, 300, 600].map { ($0, 0) }
        guard width > 0, span > 0, let last = steps.last else { return ([], 0) }
        let (step, decimals) = steps.first { $0.0 / span * width >= pixels } ?? last
        // The greater of zeros may be the negative one.
        let first = max(0, ((end - span) / step).rounded(.up)) + 0
        return (stride(from: first, to: end / step, by: 1).map { $0 * step }, decimals)
    }
}
