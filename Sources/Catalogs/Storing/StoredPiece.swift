/// Where a piece of a catalog is in a file: its rows, their whole entries and flaws, and all texts, one behind the other.
struct StoredPiece: Sendable {
    /// The index of the first row in the catalog.
    let firstRow: Int
    /// Where it begins in the file.
    let offset: Int
    let rows: UInt32
    let flaws: UInt32
    /// The bytes of its texts.
    let texts: UInt32
    let hasEntries: Bool
    /// How many bytes it has in the file.
    var packedCount = 0

    /// How many bytes it has in memory.
    var byteCount: Int {
        let entries = hasEntries ? Int(rows) * MemoryLayout<ArenaRange>.stride : 0
        return Int(rows) * MemoryLayout<RowRecord>.stride + entries + Int(flaws) * MemoryLayout<EntryFlaw>.stride
            + Int(texts)
    }

    /// Where the next piece begins.
    var end: Int { offset + packedCount }

    /// The index of the first row of the next piece.
    var nextRow: Int { firstRow + Int(rows) }

    /// Reads the piece back.
    ///
    /// - Parameter catalog: What holds for all rows of the catalog.
    /// - Returns: The rows; nil where they cannot be read.
    func read(from file: RowFile, as catalog: CatalogStorage) -> CatalogStorage? {
        guard let unpacked = ByteArena(count: byteCount, filledBy: { file.read(packedCount, at: offset, into: $0) })
        else { return nil }
        var rest = UnsafeRawBufferPointer(unpacked.bytes)
        func fill(_ room: UnsafeMutableRawBufferPointer) -> Bool {
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest.prefix(room.count)))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(room.count))
            return true
        }
        guard let records = Block<RowRecord>(count: Int(rows), filledBy: fill) else { return nil }
        let entries = hasEntries ? Block<ArenaRange>(count: Int(rows), filledBy: fill) : nil
        guard entries != nil || !hasEntries, let flaws = Block<EntryFlaw>(count: Int(flaws), filledBy: fill),
            let arena = ByteArena(count: Int(texts), filledBy: fill)
        else { return nil }
        return withExtendedLifetime(unpacked) {
            catalog.piece(from: firstRow, arena: arena, rows: records, flaws: flaws, entries: entries)
        }
    }

    /// What stands for the piece where it cannot be read back: as many rows, each of which says so.
    func unreadable(as catalog: CatalogStorage) -> CatalogStorage {
        let (records, flaws) = (Block<RowRecord>(capacity: Int(rows)), Block<EntryFlaw>(capacity: 1))
        flaws.append(EntryFlaw(kind: .unreadable))
        let nothing = ArenaRange(start: 0, count: 0)
        for _ in 0..<rows { records.append(RowRecord(name: nothing, address: nothing, line: 0, flaw: 1)) }
        return catalog.piece(
            from: firstRow, arena: ByteArena(capacity: 0), rows: records, flaws: flaws, entries: nil)
    }
}
