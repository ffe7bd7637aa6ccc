/// When a database is tried again that could not be used: a plain value, whose times are of a clock that nobody sets.
struct CachePauses {
    /// How long it is left alone after a failure.
    private static let afterFailure = Duration.seconds(30)
    /// How long others are let write who did not come to an end: they may be stopped in the middle of it.
    private static let afterOthers = Duration.seconds(10)

    private var openTime: Duration?
    private var writeTime: Duration?
    /// How often in a row others were in the way.
    private var othersCount = 0

    /// Whether others are in the way for so long that people are to know it.
    var isLong: Bool { othersCount > 1 }

    /// How long others are waited for, in milliseconds: not again and again for those that do not come to an end.
    var patience: Int32 { isLong ? 100 : 2_000 }

    func mayOpen(at now: Duration) -> Bool { openTime.map { now >= $0 } ?? true }

    func mayWrite(at now: Duration) -> Bool { mayOpen(at: now) && writeTime.map { now >= $0 } ?? true }

    /// It could not be opened.
    mutating func cannotOpen(at now: Duration) { openTime = now + Self.afterFailure }

    /// It could be read only.
    mutating func cannotWrite(at now: Duration) { writeTime = now + Self.afterFailure }

    /// Others were in the way of opening it. Once that may be those who are making it.
    mutating func othersOpen(at now: Duration) {
        othersCount += 1
        if isLong { openTime = now + Self.afterOthers }
    }

    /// Others were in the way of writing.
    mutating func othersWrite(at now: Duration) {
        othersCount += 1
        writeTime = now + Self.afterOthers
    }

    /// It was opened or written: others who were in the way have come to an end.
    mutating func othersHaveEnded() { othersCount = 0 }
}
