public import Transfers

extension Catalog {
    /// One entry of a catalog. Its texts and its address are worked out each time that they are asked for.
    public struct Row: Sendable {
        /// What has the row: the catalog, or the piece of it that is in memory.
        let storage: CatalogStorage
        /// The row's index in there.
        let record: Int

        /// The row's index in its catalog.
        public let index: Int

        /// The name as written, control characters and all; where the catalog gives none, the last path component of
        /// the address, or the whole address where it has none. Bytes that are not UTF-8 become U+FFFD.
        public var name: String {
            guard let range = storage.rows[record].name else {
                return AddressName.name(of: address, origin: storage.origin)
            }
            return storage.arena.string(range)
        }

        /// The name for somebody to read. A ``name`` of white space alone counts as none.
        package var caption: String {
            let name = name
            guard name.isBlank else { return name }
            let ofAddress = AddressName.name(of: address, origin: storage.origin)
            return ofAddress.isBlank ? address : ofAddress
        }

        /// The address as written, empty where the entry has none.
        public var address: String { storage.arena.string(storage.rows[record].address) }

        /// The whole entry as it stands in the catalog, an object of JSON in one line: the columns of a table as texts, or the dictionary
        /// of a JSON catalog, with null for `NaN` and infinite numbers, which JSON does not have. Nil in other formats, for an entry that is
        /// no dictionary or is broken, and where ``CatalogKeys/keepsEntries`` is false.
        public var entry: String? {
            guard let range = storage.entries?[record], range.count > 0 else { return nil }
            return storage.arena.string(range)
        }

        /// Calls `body` with the bytes of ``entry``. In a table other columns than address and name may have anything.
        package func withEntryBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>?) -> Result) -> Result {
            // The piece of the catalog that has the row may be given up meanwhile.
            defer { withExtendedLifetime(storage) {} }
            guard let range = storage.entries?[record], range.count > 0 else { return body(nil) }
            return body(storage.arena.bytes(range))
        }

        /// Where the entry stands in the catalog: its line in text formats, its key path in trees.
        public var place: CatalogPlace {
            let line = Int(storage.rows[record].line)
            return CatalogPlace(line: line == 0 ? nil : line, keyPath: storage.keyPath(ofRow: record, field: nil))
        }

        /// Whether the entry is broken in itself, whatever its address is.
        package var isBroken: Bool { storage.rows[record].flaw > 0 }

        /// Calls `body` with the bytes of ``address``, which are UTF-8 unless the entry is broken.
        package func withAddressBytes<Result, Failure: Error>(
            _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            // The piece of the catalog that has the row may be given up meanwhile.
            defer { withExtendedLifetime(storage) {} }
            return try body(storage.arena.bytes(storage.rows[record].address))
        }

        /// Whether the address begins as most do, with `https://` or `http://`: this is told quickly.
        package var hasWebScheme: Bool { withAddressBytes { $0.webSchemeLength != nil } }

        /// The absolute address of the picture (http, https or file), or why there is none.
        public var content: Result<ResourceAddress, CatalogEntryError> {
            if let flaw = storage.flaw(ofRow: record) { return .failure(flaw) }
            return storage.origin.resolve(address, base: storage.base)
        }
    }

    /// The texts of an entry as bytes, as long as ``eachRowBytes(_:)`` shows them. Address and name are UTF-8 unless the entry is broken; in the whole
    /// entry other columns may have anything.
    package struct RowBytes {
        /// The row's index in its catalog.
        package let index: Int
        /// Whether the entry is broken in itself, whatever its address is.
        package let isBroken: Bool
        /// ``Row/address``.
        package let address: UnsafeBufferPointer<UInt8>
        /// The name that the catalog gives; nil where ``Row/name`` is made of the address.
        package let ownName: UnsafeBufferPointer<UInt8>?
        /// ``Row/entry``.
        package let entry: UnsafeBufferPointer<UInt8>?
    }

    /// Goes through the rows without making a ``Row`` and its texts for each.
    package func eachRowBytes<Failure: Error>(_ body: (RowBytes) throws(Failure) -> Void) throws(Failure) {
        precondition(stored == nil, "rows in a file are read one by one")
        let (rows, entries, arena) = (storage.rows.elements, storage.entries?.elements, storage.arena)
        func bytes(_ range: ArenaRange) -> UnsafeBufferPointer<UInt8> { arena.bytes(range) }
        for index in rows.indices {
            let row = rows[index]
            let entry = entries.flatMap { $0[index].count > 0 ? bytes($0[index]) : nil }
            try body(
                RowBytes(
                    index: index, isBroken: row.flaw > 0, address: bytes(row.address), ownName: row.name.map(bytes),
                    entry: entry))
        }
        withExtendedLifetime(storage) {}
    }
}

extension String {
    /// Whether there is nothing in it but white space.
    fileprivate var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}
