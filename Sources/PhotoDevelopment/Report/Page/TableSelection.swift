/// Which rows stand in a page's table, where there are more than it holds.
///
/// Failures come first, because they are what people look for; a fifth of the places is kept for rows that were filtered, so that
/// there is something to compare them with. Rows that have not come to their end get what is left. Of each kind the first ones of
/// the catalog are taken.
struct TableSelection {
    private var places = HTMLReport.Totals()

    /// - Parameters:
    ///   - limit: How many rows there may be, at least 0.
    ///   - totals: How many there are.
    init(limit: Int, of totals: HTMLReport.Totals) {
        places.filtered = min(totals.filtered, max(limit / 5, limit - totals.failed))
        places.failed = min(totals.failed, limit - places.filtered)
        places.cancelled = limit - places.filtered - places.failed
    }

    /// Whether the next row of a kind has a place.
    mutating func take(_ kind: WritableKeyPath<HTMLReport.Totals, Int>) -> Bool {
        places[keyPath: kind] -= 1
        return places[keyPath: kind] >= 0
    }
}
