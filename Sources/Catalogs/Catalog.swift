public import Transfers

/// The photos that a person asked for: names and addresses, in order.
///
/// Rows are stored as ranges of one block of bytes, about 24 bytes a row beside the text itself; strings and URLs are
/// made when a row is asked for them. They are in memory, or in a file from which they are read in pieces, see
/// ``RowStorage``. A catalog never changes, and may be used from any thread.
///
/// A dictionary's rows are sorted by name as a person would (2 before 10); everything else keeps its order. Every
/// entry is a row, also a broken one and one whose name another row has.
public struct Catalog: Sendable {
    /// What holds for all rows, and the rows themselves where they are in memory.
    let storage: CatalogStorage
    /// The rows, where they are in a file.
    let stored: StoredRows?
    /// Which network address sent the catalog, if it is known.
    var sender: IPAddress?

    init(storage: CatalogStorage, stored: StoredRows? = nil) {
        self.storage = storage
        self.stored = stored
    }

    /// Where the catalog came from.
    public var origin: Origin { storage.origin }

    /// The format that the content was found to be in.
    public var format: CatalogFormat { storage.format }

    /// Whether entries have columns or keys beside name and address.
    public var hasOtherFields: Bool { storage.hasOtherFields }

    /// Text of other columns that is not UTF-8; nil where there is none.
    public var undecodedText: UndecodedText? { storage.undecodedText }

    /// Whether it is known what stands in those: they were asked for by ``CatalogKeys/keepsEntries``, in a format that has them.
    package var keepsOtherFields: Bool {
        storage.entries != nil && [.table, .json, .jsonLines].contains(format)
    }

    /// Where the catalog's addresses may lead: to the internet; to what they themselves name in special ranges, if the
    /// catalog was at hand; and to the very server that sent it, if it came over the network.
    public var addressGuard: AddressGuard {
        guard case .remote(let url) = origin else { return .named }
        return AddressGuard(sender: url, address: sender)
    }
}

extension Catalog: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { stored?.count ?? storage.rows.count }

    /// The row at an index, in constant time; where rows are in a file, this may read some of them, which blocks.
    public subscript(position: Int) -> Row {
        precondition((0..<endIndex).contains(position), "no row \(position) in a catalog of \(count)")
        guard let stored else { return Row(storage: storage, record: position, index: position) }
        let piece = stored.piece(ofRow: position)
        return Row(storage: piece, record: position - piece.rowsBefore, index: position)
    }
}
