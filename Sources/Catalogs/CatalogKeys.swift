/// What the address and the name of an entry are called in a catalog: columns of a table, and keys of dictionaries.
public struct CatalogKeys: Sendable, Hashable {
    /// The column or key with the address, without regard to the case of ASCII letters.
    public let address: String
    /// The one with the name. In JSON and JSON Lines a number or a truth value is a name as it is written, too.
    public let name: String
    /// Whether entries are kept as they stand, see ``Catalog/Row/entry``.
    public let keepsEntries: Bool
    let addressWord: [UInt8]
    let nameWord: [UInt8]

    /// The names of the two.
    ///
    /// - Parameters:
    ///   - address: The column or key with the address; not empty. Default: `url`.
    ///   - name: The one with the name. Default: `name`.
    ///   - keepsEntries: Whether entries are kept as they stand, with all their columns. Those of a table name their columns, so that they take
    ///     more memory than the text, at most 16 times as much (and 16 MB): rows beyond have none. Where rows go to a temporary file
    ///     all have theirs, unless the names have more than 64 bytes for each field of the row (and 4 kB). Default: false.
    public init(address: String = "url", name: String = "name", keepsEntries: Bool = false) {
        self.address = address
        self.name = name
        self.keepsEntries = keepsEntries
        addressWord = Byte.word(address)
        nameWord = Byte.word(name)
    }
}
