/// Reads a catalog from a table whose header names a column `url` and, if wanted, one `name`, in either case, or what
/// ``CatalogKeys`` says instead.
///
/// A row may have fewer fields than the header, as Excel leaves out the empty ones at the end, if its address is among them. Such a row
/// ends with a line end: the last one of a table that is cut off has none, and is broken.
///
/// A table that is cut off in the last field of a row cannot be told from a whole one. One that ends inside quotation marks is damaged,
/// unless tabs part its fields: there what begins with a quotation mark need not end with one.
struct TableReader {
    /// What a header says: how fields are parted and where the two columns are.
    struct Header {
        var delimiter: UInt8
        var columns: Int
        var addressColumn: Int
        var nameColumn: Int?
        /// Where the header begins.
        var start: Int
        /// Where the rows begin.
        var end: Int

        /// What may part the fields of a table.
        static let delimiters = [Byte.comma, Byte.tab, Byte.semicolon, Byte.bar]

        /// Reads a header.
        /// - Parameters:
        ///   - start: The start of the text's first line that says something.
        ///   - keys: What the two columns are called.
        /// - Returns: nil if the line names no column with addresses.
        init?(_ bytes: UnsafeBufferPointer<UInt8>, start: Int, _ keys: CatalogKeys) {
            // What follows a quotation mark is more likely another delimiter than a fault.
            for hasFaults in [false, true] {
                for delimiter in Header.delimiters {
                    let header = Header(bytes, start: start, delimiter: delimiter, keys, hasFaults: hasFaults)
                    guard let header else { continue }
                    self = header
                    return
                }
            }
            return nil
        }

        /// - Parameter hasFaults: Whether text may stand behind a closing quotation mark.
        private init?(
            _ bytes: UnsafeBufferPointer<UInt8>, start: Int, delimiter: UInt8, _ keys: CatalogKeys, hasFaults: Bool
        ) {
            var scanner = TableScanner(bytes, start: start, delimiter: delimiter)
            var address: Int?
            var name: Int?
            let record = try? scanner.record { index, field in
                let word = Header.trimmed(bytes[field.start..<field.end])
                if address == nil, Byte.equal(word, ignoringCase: keys.addressWord) { address = index }
                if name == nil, Byte.equal(word, ignoringCase: keys.nameWord) { name = index }
            }
            guard let record, let address, hasFaults || record.textAfterQuote == nil else { return nil }
            self.delimiter = delimiter
            self.start = record.start
            columns = record.fieldCount
            addressColumn = address
            nameColumn = name
            end = scanner.position
        }

        /// Whether the names of columns, of so many bytes with what stands around them in an entry, are not much longer than what a row of so
        /// many fields has at least: a separator for each.
        static func areShort(_ bytes: Int, of fields: Int) -> Bool { bytes <= 64 * fields + 4_096 }

        static func trimmed(_ field: Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>> {
            var field = field
            while let first = field.first, Byte.isSpace(first) || first == Byte.quote { field = field.dropFirst() }
            while let last = field.last, Byte.isSpace(last) || last == Byte.quote { field = field.dropLast() }
            return field
        }
    }

    let header: Header
    let builder: CatalogBuilder
    /// Whether more of the table follows, so that the last record may be cut off, which is left out then.
    var isPiece = false

    func read(origin: Catalog.Origin) throws(CatalogError) -> Catalog {
        try readPiece(origin: origin).catalog
    }

    /// Reads what is there.
    ///
    /// - Returns: The rows, where the first record begins that was left out, and whether there was one more that could have been read.
    func readPiece(origin: Catalog.Origin) throws(CatalogError) -> (catalog: Catalog, end: Int, isCut: Bool) {
        let (end, isCut): (Int, Bool)
        do throws(SourceDamage) {
            (end, isCut) = try readRows()
        } catch {
            throw builder.error(error, format: .table)
        }
        let catalog = try builder.finish(origin: origin, format: .table, shape: .lines(columns: header.columns))
        return (catalog, end, isCut)
    }

    /// - Returns: Where the first record begins that was left out, and whether the piece was full before it.
    private func readRows() throws(SourceDamage) -> (end: Int, isCut: Bool) {
        var end = header.end
        builder.hasOtherFields = header.columns > (header.nameColumn == nil ? 1 : 2)
        builder.ownColumns = OwnColumns(address: header.addressColumn, name: header.nameColumn)
        var scanner = TableScanner(
            builder.source.bytes, start: header.end, delimiter: header.delimiter, isCut: isPiece)
        let beginnings = builder.keys.keepsEntries ? memberBeginnings() : nil
        let bytesOfNames = beginnings?.reduce(0) { $0 + $1.count } ?? 0
        var fields: [TableField] = []
        while true {
            if builder.isPieceFull { return (end, true) }
            fields.removeAll(keepingCapacity: true)
            var name: TableField?
            var address: TableField?
            var record: TableScanner.Record?
            do throws(SourceDamage) {
                record = try scanner.record { index, field in
                    if index == header.addressColumn { address = field }
                    if index == header.nameColumn { name = field }
                    if beginnings != nil { fields.append(field) }
                }
            } catch {
                // What follows may have the quotation mark that is missing.
                if isPiece { return (end, false) }
                throw error
            }
            guard let record, !(isPiece && scanner.position >= builder.source.bytes.count) else { return (end, false) }
            end = scanner.position
            var flaw: FoundFlaw?
            if let offset = record.textAfterQuote {
                flaw = FoundFlaw(kind: .textAfterQuote, offset: offset)
            } else if record.fieldCount != header.columns, !isShortened(record, end: end) {
                flaw = FoundFlaw(
                    kind: .wrongFieldCount, detail: UInt32(clamping: record.fieldCount), offset: record.start)
            }
            // An empty name is none: the address gives one.
            let storedName = name.flatMap { $0.start == $0.end ? nil : scanner.store($0, in: builder.arena) }
            let hasShortNames = Header.areShort(bytesOfNames, of: record.fieldCount)
            let isKept = flaw == nil && builder.hasRoomForEntry(hasShortNames: hasShortNames)
            let entry = isKept ? beginnings.map { store(fields, $0) } : nil
            builder.add(
                name: storedName, address: address.map { scanner.store($0, in: builder.arena) }, start: record.start,
                flaw: flaw, nameOffset: name?.start ?? record.start, addressOffset: address?.start ?? record.start,
                entry: entry)
            if flaw == nil, builder.hasOtherFields, !isUTF8(record.start..<end),
                // That of these is a flaw of the row.
                [name, address].allSatisfy({ $0.map { isUTF8($0.start..<$0.end) } ?? true })
            {
                builder.addUndecodedText(at: record.start)
            }
        }
    }

    /// Whether a row lacks nothing but empty fields at its end.
    private func isShortened(_ record: TableScanner.Record, end: Int) -> Bool {
        // Where a line end follows, the last field is whole.
        let isWhole = end < builder.source.bytes.count
        return isWhole && !record.hasQuotedTab && record.fieldCount < header.columns
            && record.fieldCount > header.addressColumn
    }

    private func isUTF8(_ range: Range<Int>) -> Bool { UTF8Validation.isValid(builder.source.bytes[range]) }

    // MARK: Whole entries

    /// What stands before the values of an entry in JSON, one for each column.
    private func memberBeginnings() -> [[UInt8]] {
        let bytes = builder.source.bytes
        var beginnings: [[UInt8]] = []
        var keys: Set<[UInt8]> = []
        /// The last number of each name.
        var numbers: [[UInt8]: Int] = [:]
        var scanner = TableScanner(bytes, start: header.start, delimiter: header.delimiter)
        _ = try? scanner.record { index, field in
            // Between quotation marks every further one belongs to the name.
            let text = bytes[field.start..<field.end]
            let word = Array(field.isQuoted ? text : Header.trimmed(text))
            // Of two columns of one name an object would keep the last.
            var (key, number) = (word, numbers[word, default: 1])
            while !keys.insert(key).inserted {
                number += 1
                key = word + Array(" \(number)".utf8)
            }
            numbers[word] = number
            let arena = ByteArena(capacity: key.count)
            arena.append(index == 0 ? UInt8(ascii: "{") : Byte.comma)
            key.withUnsafeBufferPointer {
                appendJSON($0, 0..<$0.count, hasDoubledQuotes: field.hasDoubledQuotes, to: arena)
            }
            arena.append(Byte.colon)
            beginnings.append(Array(arena.bytes))
        }
        return beginnings
    }

    /// Stores a row as an object of JSON.
    private func store(_ fields: [TableField], _ beginnings: [[UInt8]]) -> ArenaRange {
        let (bytes, arena) = (builder.source.bytes, builder.arena)
        let start = arena.count
        for (index, beginning) in beginnings.enumerated() {
            beginning.withUnsafeBufferPointer { arena.append($0) }
            // Fields that the row does not have are empty.
            let field = index < fields.count ? fields[index] : TableField(start: 0, end: 0)
            appendJSON(bytes, field.start..<field.end, hasDoubledQuotes: field.hasDoubledQuotes, to: arena)
        }
        arena.append(UInt8(ascii: "}"))
        return arena.range(from: start)
    }

    private func appendJSON(
        _ bytes: UnsafeBufferPointer<UInt8>, _ text: Range<Int>, hasDoubledQuotes: Bool, to arena: ByteArena
    ) {
        arena.append(Byte.quote)
        var start = text.lowerBound
        while start < text.upperBound {
            // Of two quotation marks the second one is left out.
            let mark = hasDoubledQuotes ? bytes[start..<text.upperBound].firstIndex(of: Byte.quote) : nil
            let end = mark.map { $0 + 1 } ?? text.upperBound
            arena.appendJSON(UnsafeBufferPointer(rebasing: bytes[start..<end]))
            start = mark == nil ? end : end + 1
        }
        arena.append(Byte.quote)
    }
}
