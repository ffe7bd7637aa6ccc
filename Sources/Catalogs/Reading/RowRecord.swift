/// One row as it is stored.
struct RowRecord: Sendable {
    /// `nameCount` of a row whose name comes from its address.
    private static let derived = UInt32.max

    private var nameStart: UInt32
    private var nameCount: UInt32
    var address: ArenaRange
    /// The line where the entry begins, 0 where the format has no lines.
    var line: UInt32
    /// One more than the index of the row's flaw, 0 for a sound row.
    var flaw: UInt32

    init(name: ArenaRange?, address: ArenaRange, line: UInt32, flaw: UInt32) {
        nameStart = name?.start ?? 0
        nameCount = name?.count ?? RowRecord.derived
        self.address = address
        self.line = line
        self.flaw = flaw
    }

    var name: ArenaRange? {
        nameCount == RowRecord.derived ? nil : ArenaRange(start: nameStart, count: nameCount)
    }
}
