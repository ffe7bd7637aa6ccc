/// Numbers of rows, a bit each.
struct RowSet: Sendable {
    private var words: [UInt64]

    /// None of `count` rows.
    init(count: Int) {
        words = Array(repeating: 0, count: (count + 63) / 64)
    }

    mutating func insert(_ row: Int) {
        words[row / 64] |= 1 << UInt64(row % 64)
    }

    func contains(_ row: Int) -> Bool {
        words[row / 64] & 1 << UInt64(row % 64) != 0
    }
}
