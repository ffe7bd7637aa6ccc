/// Which rows stand in a page's table, where there are more than it holds.
///
/// Failures come first, because they are what people look for; a fifth of the places is kept for others, so that there is
/// something to compare them with. Of each kind the first ones of the catalog are taken.
struct TableSelection {
    private(set) var failed: Int
    private(set) var others: Int

    /// - Parameters:
    ///   - limit: How many rows there may be, at least 0.
    ///   - totals: How many there are.
    init(limit: Int, of totals: HTMLReport.Totals) {
        let otherRows = totals.filtered + totals.cancelled
        others = min(otherRows, max(limit / 5, limit - totals.failed))
        failed = min(totals.failed, limit - others)
    }

    /// Whether the next row of a kind has a place.
    mutating func take(isFailed: Bool) -> Bool {
        if isFailed {
            failed -= 1
            return failed >= 0
        }
        others -= 1
        return others >= 0
    }
}
