/// Where in the source something was found, thrown by readers, which know offsets but no lines.
struct SourceDamage: Error {
    var offset: Int
    /// nil: nested too deep.
    var reason: CatalogReason?

    /// More was to come.
    static func cutOff(at offset: Int) -> SourceDamage {
        SourceDamage(offset: offset, reason: "the file ends in the middle")
    }
}

/// A flaw with the place in the source where it is.
struct FoundFlaw {
    var kind: EntryFlaw.Kind
    var field: EntryFlaw.Field?
    var detail: UInt32 = 0
    var offset: Int
}

/// How much of a catalog comes before a piece of it.
struct PieceStart {
    var lines = 0
    var rows = 0
    var bytes = 0
    /// The bytes of the entries that were kept.
    var entryBytes = 0
    /// Whether a line of a list looks like an address.
    var looksLikeList = false
}

/// Collects a catalog's rows while a reader goes through the source from front to back.
final class CatalogBuilder {
    let source: CatalogSource
    let arena: ByteArena
    let limits: CatalogLimits
    let keys: CatalogKeys
    private let hasLines: Bool
    private let start: Int
    private let before: PieceStart
    private let isPiece: Bool
    private var lines: LineTracker
    private(set) var rows = Block<RowRecord>()
    private let flaws = Block<EntryFlaw>()
    private let entries: Block<ArenaRange>?
    /// The bytes of the entries that were kept in this piece.
    private var entryBytes = 0
    /// Whether a line of a list looks like an address, here or before.
    var looksLikeList: Bool
    /// Whether entries say more than a name and an address.
    var hasOtherFields = false
    /// Where a table has its names and addresses.
    var ownColumns: OwnColumns?
    /// What other columns have that is not UTF-8.
    private var undecodedText: Catalog.UndecodedText?

    /// - Parameters:
    ///   - start: The offset of the first byte of the text.
    ///   - hasLines: Whether the source is a text.
    ///   - before: How much of the catalog comes before `start`, where the source is a piece of it.
    ///   - arena: An arena that texts are in already; nil makes an empty one.
    ///   - isPiece: Whether it is one of the pieces that a catalog is read in, of any number. The next one uses the arena again, so that its
    ///     room is worth being kept.
    init(
        source: CatalogSource, start: Int, hasLines: Bool, before: PieceStart = PieceStart(), limits: CatalogLimits,
        keys: CatalogKeys = CatalogKeys(), arena: ByteArena? = nil, isPiece: Bool = false
    ) {
        self.isPiece = isPiece
        self.source = source
        self.limits = limits
        self.keys = keys
        self.hasLines = hasLines
        self.start = start
        looksLikeList = before.looksLikeList
        self.before = before
        lines = LineTracker(start: start, line: before.lines + 1)
        entries = keys.keepsEntries ? Block() : nil
        // Decoded text is never longer than its source, and pages that are never written take no memory.
        self.arena = arena ?? ByteArena(capacity: source.bytes.count)
    }

    /// Adds a row.
    /// - Parameters:
    ///   - name: The name; nil takes it from the address.
    ///   - address: The address, nil where there is none.
    ///   - start: Where the entry begins in the source. Bytes before it are not needed any more.
    ///   - flaw: What is wrong, found at `start` or after it.
    ///   - nameOffset: Where the name stands.
    ///   - addressOffset: Where the address stands.
    ///   - entry: The whole entry, where it is kept.
    func add(
        name: ArenaRange?, address: ArenaRange?, start: Int, flaw: FoundFlaw? = nil, nameOffset: Int,
        addressOffset: Int, entry: ArenaRange? = nil
    ) {
        let line = line(at: start)
        var number: UInt32 = 0
        let flaw =
            flaw ?? encodingFlaw(name, .nameNotUTF8, .name, nameOffset)
            ?? encodingFlaw(address, .addressNotUTF8, .address, addressOffset)
        if let flaw {
            let place = place(at: flaw.offset)
            flaws.append(
                EntryFlaw(
                    kind: flaw.kind, field: flaw.field, detail: flaw.detail,
                    line: UInt32(clamping: place.line ?? 0), column: UInt32(clamping: place.column ?? 0)))
            number = UInt32(clamping: flaws.count)
        }
        rows.append(
            RowRecord(
                name: name, address: address ?? ArenaRange(start: 0, count: 0), line: line, flaw: number))
        entries?.append(entry ?? ArenaRange(start: 0, count: 0))
        entryBytes += Int(entry?.count ?? 0)
        // A source without lines is no text, and is not read from front to back.
        if hasLines { source.discard(before: start) }
    }

    /// How many rows there are, here and before.
    var rowCount: Int { before.rows + rows.count }

    /// Drops the rows from an index on.
    func removeRows(from index: Int) {
        rows.truncate(to: index)
        entries?.truncate(to: index)
    }

    /// Drops the first row.
    func removeFirstRow() {
        rows.removeFirst()
        entries?.removeFirst()
    }

    /// The line and column of an offset that is not before any offset given earlier.
    func place(at offset: Int) -> CatalogPlace {
        guard hasLines else { return CatalogPlace(byteOffset: offset) }
        lines.advance(to: offset, in: source.bytes)
        return CatalogPlace(line: lines.line, column: lines.column)
    }

    /// How much of the catalog comes before an offset that is behind all rows.
    func pieceStart(at offset: Int) -> PieceStart {
        lines.advance(to: offset, in: source.bytes)
        return PieceStart(
            lines: lines.line - 1, rows: before.rows + rows.count, bytes: before.bytes + offset - start,
            entryBytes: before.entryBytes + entryBytes, looksLikeList: looksLikeList)
    }

    /// Whether an entry may be kept that names all columns of a table: the names may be longer than all that stands in the columns.
    ///
    /// - Parameter hasShortNames: Whether they are not much longer, as there is a separator at least for each of them. Then all entries of
    ///   a catalog that is read in pieces are kept.
    func hasRoomForEntry(hasShortNames: Bool) -> Bool {
        if isPiece, hasShortNames { return true }
        return before.entryBytes + entryBytes < 16 * (before.bytes + source.bytes.count - start) + 1 << 24
    }

    /// Whether what was read is enough for a piece, however little of the text that is.
    var isPieceFull: Bool { isPiece && arena.count > 1 << 24 }

    /// The error for a reader's damage.
    func error(_ damage: SourceDamage, format: CatalogFormat) -> CatalogError {
        let place = place(at: damage.offset)
        guard let reason = damage.reason else {
            return .tooDeep(format: format, place: place, limit: limits.maximumDepth)
        }
        return .damaged(format: format, place: place, reason: reason)
    }

    /// Makes the catalog; what has no order of its own, a dictionary or a folder, is sorted by name.
    func finish(
        origin: Catalog.Origin, format: CatalogFormat, shape: CatalogStorage.Shape
    ) throws(CatalogError) -> Catalog {
        guard !arena.isExhausted, !rows.isExhausted, !flaws.isExhausted, entries?.isExhausted != true else {
            throw .outOfMemory
        }
        if !isPiece { arena.shrink() }
        let isSorted = shape == .dictionary || format == .folder
        if isSorted {
            guard let sorted = NaturalSort.sorted(rows, in: arena) else { throw .outOfMemory }
            rows = sorted
        }
        return Catalog(
            storage: CatalogStorage(
                origin: origin, format: format, shape: shape, rowsBefore: before.rows, keys: keys, arena: arena,
                rows: rows, flaws: flaws,
                // What is sorted has a name and an address, and nothing else.
                entries: isSorted ? nil : entries, hasOtherFields: hasOtherFields, ownColumns: ownColumns,
                undecodedText: undecodedText))
    }

    /// Notes that the row that begins at an offset has text that is not UTF-8.
    func addUndecodedText(at offset: Int) {
        undecodedText = .sum(undecodedText, Catalog.UndecodedText(line: Int(line(at: offset))))
    }

    private func line(at offset: Int) -> UInt32 {
        guard hasLines else { return 0 }
        lines.advance(to: offset, in: source.bytes)
        return UInt32(clamping: lines.line)
    }

    private func encodingFlaw(
        _ range: ArenaRange?, _ kind: EntryFlaw.Kind, _ field: EntryFlaw.Field, _ offset: Int
    ) -> FoundFlaw? {
        guard let range, !UTF8Validation.isValid(arena.bytes(range)) else { return nil }
        return FoundFlaw(kind: kind, field: field, offset: offset)
    }
}
