/// The figures of all strategies beside each other, and what follows from them.
public struct StrategyComparison: Hashable, Sendable {
    /// Something that the figures show.
    public enum Finding: Hashable, Sendable {
        /// `blocking` kept the main thread for so long that a person notices.
        case stalls
        /// `eager` fetched photos that were never shown.
        case waste
        /// With `eager`, photos on screen stood in line behind others.
        case line
    }

    /// What each strategy did; those are missing that have not run.
    public var figures: [LoadingStrategy: StrategyFigures] = [:]

    /// Nothing has run yet.
    public init() {}

    /// The order in which strategies are tried and shown: the one of beginners first, the default last.
    public static let order: [LoadingStrategy] = [.blocking, .eager, .visible]

    /// Whether a photo was worked on at all; otherwise there is nothing to compare.
    public var hasPhotos: Bool { figures.values.contains { $0.threads > 0 } }

    /// What the figures show; nil while a strategy has not run.
    ///
    /// A stall counts from 50 milliseconds, where it is twice that of the default. Bytes count where they are twice those of the
    /// default, and a tenth of all. A line does where somebody waited by half longer than with the default, and 100
    /// milliseconds.
    public var findings: Set<Finding>? {
        guard let blocking = figures[.blocking], let eager = figures[.eager], let visible = figures[.visible] else {
            return nil
        }
        var findings: Set<Finding> = []
        if blocking.longestStall >= max(50, 2 * visible.longestStall) { findings.insert(.stalls) }
        if eager.neverShown > max(2 * visible.neverShown, eager.received / 10) { findings.insert(.waste) }
        let isLonger = (eager.wait ?? 0) > max((visible.wait ?? 0) + 100, 1.5 * (visible.wait ?? 0))
        if isLonger { findings.insert(.line) }
        return findings
    }
}
