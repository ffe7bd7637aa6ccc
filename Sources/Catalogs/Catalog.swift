public import Transfers

/// The photos that a person asked for: names and addresses, in order.
///
/// Rows are stored as ranges of one block of bytes, about 24 bytes a row beside the text itself; strings and URLs are
/// made when a row is asked for them. A catalog never changes, and may be used from any thread.
///
/// A dictionary's rows are sorted by name as a person would (2 before 10); everything else keeps its order. Every
/// entry is a row, also a broken one and one whose name another row has.
public struct Catalog: Sendable {
    let storage: CatalogStorage
    /// Which network address sent the catalog, if it is known.
    var sender: IPAddress?

    init(storage: CatalogStorage) {
        self.storage = storage
    }

    /// Where the catalog came from.
    public var origin: Origin { storage.origin }

    /// The format that the content was found to be in.
    public var format: CatalogFormat { storage.format }

    /// Whether entries have columns or keys beside name and address, which ``CatalogText`` cannot say.
    public var hasOtherFields: Bool { storage.hasOtherFields }

    /// Where the catalog's addresses may lead: to the internet; to what they themselves name in special ranges, if the
    /// catalog was at hand; and to the very server that sent it, if it came over the network.
    public var addressGuard: AddressGuard {
        guard case .remote(let url) = origin else { return .named }
        return AddressGuard(sender: url, address: sender)
    }
}

extension Catalog: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { storage.rows.count }

    /// The row at an index, in constant time.
    public subscript(position: Int) -> Row {
        precondition((0..<storage.rows.count).contains(position), "no row \(position) in a catalog of \(count)")
        return Row(storage: storage, index: position)
    }
}
