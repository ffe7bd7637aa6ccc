/// What a table's first line says where none of its columns has the name that was asked for.
enum TableColumns {
    /// The names that are told at most, and the bytes of one.
    private static let (mostNames, mostBytes) = (12, 40)
    /// What is looked at of a text.
    private static let (mostRecords, most) = (16, 1 << 18)

    /// The names of columns of a table that lacks the one with the addresses.
    ///
    /// Such a table has words in its first line, without an address among them, and below it a line with as many fields, one of which is
    /// a web address. A first line with a word that usually heads addresses or names is enough.
    ///
    /// - Returns: Its first names; nil where the text is no such table.
    static func withoutAddress(_ bytes: UnsafeBufferPointer<UInt8>, start: Int) -> [String]? {
        let bytes = UnsafeBufferPointer(rebasing: bytes[..<min(bytes.count, start + most)])
        for delimiter in TableReader.Header.delimiters {
            guard let (names, end) = names(bytes, start: start, delimiter) else { continue }
            var scanner = TableScanner(bytes, start: end, delimiter: delimiter)
            if names.contains(where: isUsual) || hasAddresses(&scanner, columns: names.count) {
                return names.prefix(mostNames).map(text)
            }
        }
        return nil
    }

    /// The first names of the columns of a table.
    static func all(_ bytes: UnsafeBufferPointer<UInt8>, start: Int) -> [String] {
        let bytes = UnsafeBufferPointer(rebasing: bytes[..<min(bytes.count, start + most)])
        let headers = TableReader.Header.delimiters.compactMap { header(bytes, start: start, $0)?.fields }
        let fields = headers.max { $0.count < $1.count } ?? []
        return fields.prefix(mostNames).map { text(TableReader.Header.trimmed(bytes[$0.start..<$0.end])) }
    }

    /// Whether a line may be that of a table without such a column, as what follows it tells.
    static func mayBeNames(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        TableReader.Header.delimiters.contains { names(line, start: 0, $0) != nil }
    }

    /// The names of several columns, and where they end; nil where they are none.
    private static func names(
        _ bytes: UnsafeBufferPointer<UInt8>, start: Int, _ delimiter: UInt8
    ) -> (names: [Slice<UnsafeBufferPointer<UInt8>>], end: Int)? {
        guard let header = header(bytes, start: start, delimiter), header.fields.count > 1 else { return nil }
        let names = header.fields.map { TableReader.Header.trimmed(bytes[$0.start..<$0.end]) }
        return names.allSatisfy(isName) ? (names, header.end) : nil
    }

    private static func header(
        _ bytes: UnsafeBufferPointer<UInt8>, start: Int, _ delimiter: UInt8
    ) -> (fields: [TableField], end: Int)? {
        var scanner = TableScanner(bytes, start: start, delimiter: delimiter)
        var fields: [TableField] = []
        guard (try? scanner.record { _, field in fields.append(field) }) != nil else { return nil }
        return (fields, scanner.position)
    }

    private static func hasAddresses(_ scanner: inout TableScanner, columns: Int) -> Bool {
        let bytes = scanner.bytes
        for _ in 0..<mostRecords {
            var hasAddress = false
            let record = try? scanner.record { _, field in
                let text = TableReader.Header.trimmed(bytes[field.start..<field.end])
                hasAddress = hasAddress || UnsafeBufferPointer(rebasing: text).beginsAsWebAddress
            }
            guard let record else { return false }
            if hasAddress, record.fieldCount == columns { return true }
        }
        return false
    }

    /// Whether a field may be the name of a column: neither an address nor a path, nor the name of a picture's file.
    private static func isName(_ field: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        !field.contains(Byte.slash) && !FolderReader.isImage(field)
    }

    private static func isUsual(_ field: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        let words = ["name", "title", "address", "link", "uri", "href", "src", "image", "file"]
        return words.contains { Byte.equal(field, ignoringCase: $0.utf8) }
    }

    private static func text(_ field: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        String(decoding: field, as: UTF8.self).shortened(toBytes: mostBytes)
    }
}
