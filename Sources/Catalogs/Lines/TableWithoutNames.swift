/// Tells a table that begins with its first row, an address before its caption, from a list of addresses.
///
/// As a list, each caption would become a part of its address, and some servers send the picture all the same.
enum TableWithoutNames {
    /// What is looked at of a text.
    private static let (mostRecords, most) = (16, 1 << 18)

    /// The number of columns of a table whose first line is a row that begins with a web address.
    ///
    /// Addresses may hold commas and spaces themselves, so what can be read as a list of those is none.
    ///
    /// - Parameters:
    ///   - start: The start of the text's first line that says something.
    ///   - isWhole: Whether the bytes are all of the text, and not its beginning.
    /// - Returns: nil where the text is no such table.
    static func columns(_ bytes: UnsafeBufferPointer<UInt8>, start: Int, isWhole: Bool) -> Int? {
        let part = UnsafeBufferPointer(rebasing: bytes[..<min(bytes.count, start + most)])
        let isWhole = isWhole && part.count == bytes.count
        return TableReader.Header.delimiters.lazy.compactMap { delimiter in
            columns(part, start: start, delimiter, isWhole: isWhole)
        }.first
    }

    private static func columns(
        _ bytes: UnsafeBufferPointer<UInt8>, start: Int, _ delimiter: UInt8, isWhole: Bool
    ) -> Int? {
        var scanner = TableScanner(bytes, start: start, delimiter: delimiter, isCut: !isWhole)
        var (records, columns, captions) = (0, 0, 0)
        while records < mostRecords {
            var (isRow, hasSpace) = (false, false)
            let record: TableScanner.Record?
            do throws(SourceDamage) {
                record = try scanner.record { index, field in
                    let text = TableReader.Header.trimmed(bytes[field.start..<field.end])
                    if index == 0 {
                        isRow = isAddress(text)
                    } else {
                        hasSpace = hasSpace || text.contains(Byte.space)
                        // Otherwise it is the end of an address.
                        isRow = isRow && (delimiter == Byte.tab || !FolderReader.isImage(text))
                    }
                }
            } catch {
                // What follows may have the quotation mark that is missing.
                if isWhole { return nil }
                break
            }
            guard let record, isWhole || scanner.position < bytes.count else { break }
            if records == 0 { columns = record.fieldCount }
            guard isRow, columns > 1, record.fieldCount == columns else { return nil }
            records += 1
            if hasSpace { captions += 1 }
        }
        // No address holds a tab. One that holds a comma may hold a space as well, but seldom do most of a list.
        let hasCaptions = delimiter == Byte.tab || 2 * captions >= records
        return records > 1 && hasCaptions ? columns : nil
    }

    /// Whether a field is a web address without white space.
    private static func isAddress(_ field: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        UnsafeBufferPointer(rebasing: field).beginsAsWebAddress && !field.contains(where: Byte.isSpace)
    }
}
