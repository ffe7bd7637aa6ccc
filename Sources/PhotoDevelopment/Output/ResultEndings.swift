/// The endings of the names of rows' results, which say their formats: nearly all rows have the same ones.
struct ResultEndings: Sendable {
    /// What the results of most rows end in, in their order.
    let usual: [String?]
    /// Others, which are few, and by row which of them.
    private var others: [[String?]] = []
    private var byRow: [Int: Int] = [:]

    init(usual: [String?]) {
        self.usual = usual
    }

    /// A row's results have these names.
    mutating func note(_ files: [String], of row: Int) {
        let own = files.map(\.nameEnding)
        if own == usual {
            byRow[row] = nil
        } else {
            if !others.contains(own) { others.append(own) }
            byRow[row] = others.firstIndex(of: own)
        }
    }

    subscript(row: Int) -> [String?] { byRow[row].map { others[$0] } ?? usual }
}
