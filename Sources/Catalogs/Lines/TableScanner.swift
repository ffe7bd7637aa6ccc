/// One field of a table.
struct TableField {
    /// The content, without the quotation marks around it.
    var start: Int
    var end: Int
    /// Whether quotation marks inside are doubled.
    var hasDoubledQuotes = false
    var hasTextAfterQuote = false
}

/// Takes a table apart (RFC 4180, with any of LF, CRLF and CR as the end of a line).
struct TableScanner {
    struct Record {
        var start: Int
        var fieldCount: Int
        /// Where text after a closing quotation mark makes a field doubtful.
        var textAfterQuote: Int?
    }

    let bytes: UnsafeBufferPointer<UInt8>
    let delimiter: UInt8
    private(set) var position: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, start: Int, delimiter: UInt8) {
        self.bytes = bytes
        self.delimiter = delimiter
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
        while true {
            let field = try field()
            if field.hasTextAfterQuote { record.textAfterQuote = record.textAfterQuote ?? field.start }
            visit(record.fieldCount, field)
            record.fieldCount += 1
            guard position < bytes.count, bytes[position] == delimiter else { return record }
            position += 1
        }
    }

    private mutating func field() throws(SourceDamage) -> TableField {
        guard position < bytes.count, bytes[position] == Byte.quote else {
            let start = position
            skipPlain()
            return TableField(start: start, end: position)
        }
        let opening = position
        position += 1
        var field = TableField(start: position, end: position)
        while true {
            position = ByteSearch.first(in: bytes, from: position) { $0.has(Byte.quote) }
            guard position < bytes.count else { break }
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
        throw SourceDamage(offset: opening, reason: "this quotation mark is never closed, so the file may be cut off")
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
