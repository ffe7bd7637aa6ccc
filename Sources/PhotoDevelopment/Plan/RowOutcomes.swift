/// Which generation has the last word on each row: the last one in which it was written, or else the last one in which it failed.
///
/// A bit for each row and generation, twice. A plain value.
struct RowOutcomes {
    private var written: [RowSet]
    private var failed: [RowSet]
    private let count: Int

    init(rows: Int, generations: Int) {
        count = rows
        written = Array(repeating: RowSet(count: rows), count: generations)
        failed = written
    }

    mutating func add(_ row: Int, isWritten: Bool, in generation: Int) {
        if isWritten { written[generation].insert(row) } else { failed[generation].insert(row) }
    }

    /// Whether it was written in any generation.
    func isWritten(_ row: Int) -> Bool { written.contains { $0.contains(row) } }

    /// How many rows failed, and were written in no generation.
    var failedCount: Int {
        (0..<count).count { row in !isWritten(row) && failed.contains { $0.contains(row) } }
    }

    /// The generation whose word counts; nil for a row that none has.
    func generation(of row: Int) -> Int? {
        written.lastIndex { $0.contains(row) } ?? failed.lastIndex { $0.contains(row) }
    }
}
