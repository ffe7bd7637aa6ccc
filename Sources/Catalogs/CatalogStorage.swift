import FoundationEssentials
import Transfers

/// Which columns of a table have its addresses and names, counted from 0.
struct OwnColumns: Sendable, Hashable {
    let address: Int
    let name: Int?
}

/// What all copies of a catalog and all its rows share; never changed once made.
final class CatalogStorage: Sendable {
    /// How the entries stand in the catalog, which decides what their key paths look like.
    enum Shape: Sendable, Hashable {
        case dictionary
        /// An array; `path` leads to it from the root.
        case array(path: String)
        /// Lines or a table with this many columns: no key paths.
        case lines(columns: Int)
    }

    let origin: Catalog.Origin
    /// What relative addresses are relative to, for a catalog that came over http(s).
    let base: WebAddress?
    let format: CatalogFormat
    let shape: Shape
    /// How many rows of the whole catalog come before these, which may be those of a piece.
    let rowsBefore: Int
    let keys: CatalogKeys
    let arena: ByteArena
    let rows: Block<RowRecord>
    let flaws: Block<EntryFlaw>
    /// The entries as they stand, one for each row; nil where they are not kept.
    let entries: Block<ArenaRange>?
    /// Whether entries say more than a name and an address.
    let hasOtherFields: Bool
    /// Where a table has its names and addresses; nil for what is no table.
    let ownColumns: OwnColumns?
    /// What other columns have that is not UTF-8.
    let undecodedText: Catalog.UndecodedText?

    init(
        origin: Catalog.Origin, format: CatalogFormat, shape: Shape, rowsBefore: Int = 0, keys: CatalogKeys,
        arena: ByteArena, rows: Block<RowRecord>, flaws: Block<EntryFlaw>, entries: Block<ArenaRange>?,
        hasOtherFields: Bool, ownColumns: OwnColumns?, undecodedText: Catalog.UndecodedText? = nil
    ) {
        self.origin = origin
        if case .remote(let url) = origin { base = try? WebAddress(url.absoluteString) } else { base = nil }
        self.format = format
        self.shape = shape
        self.rowsBefore = rowsBefore
        self.keys = keys
        self.arena = arena
        self.rows = rows
        self.flaws = flaws
        self.entries = entries
        self.hasOtherFields = hasOtherFields
        self.ownColumns = ownColumns
        self.undecodedText = undecodedText
    }

    /// Rows from a place in this catalog on, whose own ones are elsewhere.
    func piece(
        from firstRow: Int, arena: ByteArena, rows: Block<RowRecord>, flaws: Block<EntryFlaw>,
        entries: Block<ArenaRange>?
    ) -> CatalogStorage {
        CatalogStorage(
            origin: origin, format: format, shape: shape, rowsBefore: firstRow, keys: keys, arena: arena, rows: rows,
            flaws: flaws, entries: entries, hasOtherFields: hasOtherFields, ownColumns: ownColumns)
    }

    /// The same without rows.
    func withoutRows(hasOtherFields: Bool, undecodedText: Catalog.UndecodedText? = nil) -> CatalogStorage {
        CatalogStorage(
            origin: origin, format: format, shape: shape, keys: keys, arena: ByteArena(capacity: 0), rows: Block(),
            flaws: Block(), entries: entries == nil ? nil : Block(), hasOtherFields: hasOtherFields,
            ownColumns: ownColumns, undecodedText: undecodedText)
    }

    func flaw(ofRow index: Int) -> CatalogEntryError? {
        let number = Int(rows[index].flaw)
        guard number > 0 else { return nil }
        let flaw = flaws[number - 1]
        if format == .folder, flaw.kind == .nameNotUTF8 { return .fileNameNotUTF8 }
        let columns = if case .lines(let columns) = shape { columns } else { 0 }
        let place = CatalogPlace(
            line: flaw.line == 0 ? nil : Int(flaw.line),
            column: flaw.column == 0 ? nil : Int(flaw.column),
            keyPath: keyPath(ofRow: index, field: flaw.field))
        return .invalidEntry(place: place, reason: flaw.reason(columns: columns, keys))
    }

    /// The key path to a row or to one of its fields; nil where the catalog is no tree.
    func keyPath(ofRow index: Int, field: EntryFlaw.Field?) -> String? {
        let number = rowsBefore + index
        return switch shape {
        case .lines: nil
        case .dictionary: rows[index].name.map { KeyPath.appending(key: arena.string($0), to: "$") } ?? "$"
        case .array(let path):
            switch field {
            case nil: "\(path)[\(number)]"
            case .name: KeyPath.appending(key: keys.name, to: "\(path)[\(number)]")
            case .address: KeyPath.appending(key: keys.address, to: "\(path)[\(number)]")
            }
        }
    }
}

/// Key paths as JSONPath (RFC 9535) writes them.
enum KeyPath {
    static func appending(key: String, to path: String) -> String {
        let isWord =
            key.unicodeScalars.first.map { isWordStart($0) } ?? false
            && key.unicodeScalars.allSatisfy { isWordStart($0) || ("0"..."9").contains($0) }
        if isWord { return "\(path).\(key)" }
        var quoted = ""
        for scalar in key.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case _ where scalar.value < 0x20:
                let hex = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return "\(path)[\"\(quoted)\"]"
    }

    private static func isWordStart(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar.value >= 0x80
    }
}
