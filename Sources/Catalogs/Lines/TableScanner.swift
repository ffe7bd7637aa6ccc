/// One field of a table.
struct TableField {
    /// The content, without the quotation marks around it.
    var start: Int
    var end: Int
    /// Whether it stands in quotation marks.
    var isQuoted = false
    /// Whether quotation marks inside are doubled.
    var hasDoubledQuotes = false
    var hasTextAfterQuote = false
    /// Whether a tab stands in the quotation marks of a table that is parted by tabs.
    var hasQuotedTab = false
}

/// Takes a table apart: by RFC 4180, with any of LF, CRLF and CR as the end of a line; where tabs part the fields, see ``TabQuotation`` for
/// those in quotation marks.
struct TableScanner {
    struct Record {
        var start: Int
        var fieldCount: Int
        /// Where text after a closing quotation mark makes a field doubtful.
        var textAfterQuote: Int?
        /// Whether a field may be two, each with a quotation mark of its own.
        var hasQuotedTab = false
    }

    let bytes: UnsafeBufferPointer<UInt8>
    let delimiter: UInt8
    /// Whether the bytes are the beginning of a longer text.
    let isCut: Bool
    private(set) var position: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, start: Int, delimiter: UInt8, isCut: Bool = false) {
        self.bytes = bytes
        self.delimiter = delimiter
        self.isCut = isCut
        position = start
    }

    /// Reads the next record that is no blank line.
    /// - Parameter visit: Called with each field's index and the field.
    /// - Returns: nil at the end.
    mutating func record(_ visit: (Int, TableField) -> Void) throws(SourceDamage) -> Record? {
        while position < bytes.count, bytes[position] == Byte.lineFeed || bytes[position] == Byte.carriageReturn {
            position += 1
        }
        guard position < bytes.count else { return nil }
        var record = Record(start: position, fieldCount: 0, textAfterQuote: nil)
        var before = TabQuotation.Before.nothing
        while true {
            let field = try field(after: before)
            before = field.isQuoted && before != .others ? .quotedFields : .others
            if field.hasTextAfterQuote { record.textAfterQuote = record.textAfterQuote ?? field.start }
            record.hasQuotedTab = record.hasQuotedTab || field.hasQuotedTab
            visit(record.fieldCount, field)
            record.fieldCount += 1
            guard position < bytes.count, bytes[position] == delimiter else { return record }
            position += 1
        }
    }

    private mutating func field(after before: TabQuotation.Before) throws(SourceDamage) -> TableField {
        if position < bytes.count, bytes[position] == Byte.quote {
            guard delimiter == Byte.tab else { return try quotedField() }
            var quotation = TabQuotation(bytes, before: before, isCut: isCut)
            if let field = try quotation.field(at: position) {
                position = field.end + 1
                return field
            }
        }
        let start = position
        skipPlain()
        return TableField(start: start, end: position)
    }

    private mutating func quotedField() throws(SourceDamage) -> TableField {
        let opening = position
        position += 1
        var field = TableField(start: position, end: position, isQuoted: true)
        while true {
            position = ByteSearch.first(in: bytes, from: position) { $0.has(Byte.quote) }
            guard position < bytes.count else { throw .openQuotation(at: opening) }
            if position + 1 < bytes.count, bytes[position + 1] == Byte.quote {
                field.hasDoubledQuotes = true
                position += 2
                continue
            }
            field.end = position
            position += 1
            let rest = position
            skipPlain()
            field.hasTextAfterQuote = position > rest
            return field
        }
    }

    private mutating func skipPlain() {
        position = ByteSearch.first(in: bytes, from: position) {
            $0.has(delimiter) .| $0.has(Byte.lineFeed) .| $0.has(Byte.carriageReturn)
        }
    }

    /// Copies a field to the end of an arena.
    func store(_ field: TableField, in arena: ByteArena) -> ArenaRange {
        let start = arena.count
        guard field.hasDoubledQuotes else {
            arena.append(UnsafeBufferPointer(rebasing: bytes[field.start..<field.end]))
            return arena.range(from: start)
        }
        var index = field.start
        while index < field.end {
            arena.append(bytes[index])
            index += bytes[index] == Byte.quote ? 2 : 1
        }
        return arena.range(from: start)
    }
}
