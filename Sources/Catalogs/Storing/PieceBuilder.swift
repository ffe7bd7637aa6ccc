/// Rows on their way into a file, with their texts one behind the other.
struct PieceBuilder {
    private var rows: [RowRecord] = []
    private var entries: [ArenaRange]?
    private var flaws: [EntryFlaw] = []
    private let texts = ByteArena(capacity: StoredRows.pieceSize)

    var isEmpty: Bool { rows.isEmpty }

    /// Whether there was no memory for something that was added.
    var isExhausted: Bool { texts.isExhausted }

    /// How many bytes they take.
    var byteCount: Int {
        rows.count * MemoryLayout<RowRecord>.stride + (entries?.count ?? 0) * MemoryLayout<ArenaRange>.stride
            + flaws.count * MemoryLayout<EntryFlaw>.stride + texts.count
    }

    /// About how many bytes a row takes.
    static func byteCount(of row: Int, in storage: CatalogStorage) -> Int {
        let record = storage.rows[row]
        return MemoryLayout<RowRecord>.stride + MemoryLayout<EntryFlaw>.stride + MemoryLayout<ArenaRange>.stride
            + Int(record.name?.count ?? 0) + Int(record.address.count) + Int(storage.entries?[row].count ?? 0)
    }

    /// Adds a row.
    mutating func add(_ row: Int, of storage: CatalogStorage) {
        func copy(_ range: ArenaRange) -> ArenaRange {
            let start = texts.count
            texts.append(storage.arena.bytes(range))
            return texts.range(from: start)
        }
        let record = storage.rows[row]
        var flaw: UInt32 = 0
        if record.flaw > 0 {
            flaws.append(storage.flaws[Int(record.flaw) - 1])
            flaw = UInt32(flaws.count)
        }
        rows.append(
            RowRecord(name: record.name.map(copy), address: copy(record.address), line: record.line, flaw: flaw))
        if let entry = storage.entries?[row] {
            if entries == nil { entries = [] }
            entries?.append(copy(entry))
        }
    }

    mutating func removeAll() {
        rows.removeAll(keepingCapacity: true)
        entries?.removeAll(keepingCapacity: true)
        flaws.removeAll(keepingCapacity: true)
        texts.truncate(to: 0)
    }

    /// Writes them behind what is in the file.
    ///
    /// - Returns: Where they are, or the system's number for why they cannot be written.
    func write(to file: RowFile, after last: StoredPiece?) -> Result<StoredPiece, StorageFailure> {
        var piece = StoredPiece(
            firstRow: last?.nextRow ?? 0, offset: last?.end ?? 0, rows: UInt32(rows.count),
            flaws: UInt32(flaws.count), texts: UInt32(texts.count), hasEntries: entries != nil)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(piece.byteCount)
        rows.withUnsafeBytes { bytes.append(contentsOf: $0) }
        entries?.withUnsafeBytes { bytes.append(contentsOf: $0) }
        flaws.withUnsafeBytes { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: texts.bytes)
        return file.write(bytes, at: piece.offset).map { count in
            piece.packedCount = count
            return piece
        }
    }
}
