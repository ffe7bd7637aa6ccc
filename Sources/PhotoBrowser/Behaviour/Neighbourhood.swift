/// Which rows are next to be looked at: those around the screen, in the direction of travel first.
struct Neighbourhood {
    /// The most rows that are fetched ahead.
    static let mostAhead = 24

    private var last: Range<Int>?
    private var movesForward = true

    /// The rows around those on screen, the most likely first.
    ///
    /// One more screen in the direction of travel, a quarter of one behind; nothing beyond the ends of the list.
    mutating func rows(around visible: Range<Int>, count: Int) -> [Int] {
        guard !visible.isEmpty else { return [] }
        if let last, last.lowerBound != visible.lowerBound {
            movesForward = visible.lowerBound > last.lowerBound
        }
        last = visible
        let ahead = min(visible.count, Self.mostAhead)
        let behind = (ahead + 3) / 4
        let (below, above) = movesForward ? (ahead, behind) : (behind, ahead)
        let after = visible.upperBound..<max(visible.upperBound, min(count, visible.upperBound + below))
        let before = max(0, visible.lowerBound - above)..<visible.lowerBound
        return movesForward ? after + before.reversed() : before.reversed() + after
    }
}
