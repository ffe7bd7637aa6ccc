/// Rows with more columns than name and address, for JSON and tables. In a table all values are texts: a number or a truth value as it
/// stands, an array or an object as JSON writes it, and nothing for null.
extension CatalogText {
    /// Whether the format says other columns than name and address.
    package var saysOtherColumns: Bool {
        switch format {
        case .json, .jsonl, .csv, .tsv: true
        case .plist, .txt: false
        }
    }

    /// Whether rows are objects of JSON, and no lines of a table.
    var hasObjects: Bool { format == .json || format == .jsonl }

    private var separator: UInt8 { format == .tsv ? Byte.tab : Byte.comma }

    // MARK: Checks

    /// Checks that the entry of a row would be read again as it is, and takes note of its columns.
    ///
    /// - Parameters:
    ///   - row: The row, which is not broken.
    ///   - columns: The columns so far.
    package func check(_ row: Catalog.Row, addingTo columns: inout OtherColumns) throws(CatalogTextError) {
        let found = row.withEntryBytes { reason(against: $0, of: row, &columns) }
        guard let reason = found else { return }
        throw CatalogTextError(format: format, name: row.name, reason: reason)
    }

    private func reason(
        against entry: UnsafeBufferPointer<UInt8>?, of row: Catalog.Row, _ columns: inout OtherColumns
    ) -> String? {
        guard let entry else {
            // See ``CatalogKeys/keepsEntries``.
            return row.storage.format == .table ? "the names of the other columns take more memory than all rows" : nil
        }
        guard columns.add(entry) else { return "there are more than \(OtherColumns.most) other columns" }
        if hasObjects {
            if !UTF8Validation.isValid(entry) { return "another column is not in UTF-8, which JSON has to be in" }
            var members = EntryMembers(of: entry)
            // The value stands in an object, which may stand in an array.
            let outer = format == .json ? 2 : 1
            while let member = members.next() {
                if member.depth + outer > CatalogLimits().maximumDepth { return "a value would be nested too deeply" }
            }
        } else if EntryMembers.hasEscapes(entry) {
            var reason: String?
            columns.each(entry) { field in
                reason = reason ?? EntryMembers.withText(of: field.member.value, reasonAgainstField)
            }
            return reason
        }
        return nil
    }

    /// Checks that the table would be read again with its columns, under their names.
    package func check(_ columns: OtherColumns) throws(CatalogTextError) {
        guard !hasObjects, columns.count > 0 else { return }
        var header: [UInt8] = []
        appendBeginning(columns, to: &header)
        let isRead = header.withUnsafeBufferPointer { bytes in
            guard case .table(let read) = try? CatalogDetection.kind(of: bytes, start: 0) else { return false }
            return read.delimiter == separator && read.columns == columns.count + 2
        }
        let (name, reason): (String, String)
        if let null = columns.names.first(where: { $0.contains(0) }) {
            (name, reason) = (String(decoding: null, as: UTF8.self), Self.noNull)
        } else if !isRead {
            // In a table that is parted by tabs.
            let comma = columns.names.first { $0.contains(Byte.comma) } ?? []
            name = String(decoding: comma, as: UTF8.self)
            reason = "as the header of a table the names of the columns would be read otherwise"
        } else if !columns.areReadAgain {
            name = String(decoding: columns.names.max { $0.count < $1.count } ?? [], as: UTF8.self).shortened(
                toBytes: 100)
            reason = "with names of columns as long as that not all rows would have their columns when they are read"
        } else {
            return
        }
        throw CatalogTextError(format: format, name: name, reason: reason)
    }

    // MARK: Text

    /// What stands before the rows: of a table the header.
    package func appendBeginning(_ columns: OtherColumns, to bytes: inout [UInt8]) {
        guard !hasObjects else { return bytes.append(contentsOf: beginning.utf8) }
        let isQuoted = columns.names.contains { $0.withUnsafeBufferPointer(needsQuotedRow) }
        bytes.append(contentsOf: (isQuoted ? "\"name\"\t\"url\"" : namesOfColumns).utf8)
        for name in columns.names {
            bytes.append(separator)
            name.withUnsafeBufferPointer { name in
                // Without quotation marks space around a name is none of it.
                let isTrimmed = TableReader.Header.trimmed(name[...]).count < name.count
                appendField(name, isQuoted: isQuoted || isTrimmed, to: &bytes)
            }
        }
        bytes.append(contentsOf: endOfRow.utf8)
    }

    /// A row that the checks let pass.
    package func appendRow(
        name: String, address: String, isFirst: Bool, _ entry: UnsafeBufferPointer<UInt8>?,
        _ columns: inout OtherColumns, to bytes: inout [UInt8]
    ) {
        guard !hasObjects else {
            let beginning = beginningOfRow(name: name, address: address, isFirst: isFirst, isQuoted: false)
            bytes.append(contentsOf: beginning.utf8)
            if let entry { appendMembers(entry, &columns, to: &bytes) }
            return bytes.append(contentsOf: endOfRow.utf8)
        }
        let fields = entry.map { fieldsInOrder(of: $0, &columns) } ?? []
        let isQuoted =
            format == .tsv
            && (needsQuotedRow(name) || needsQuotedRow(address)
                || fields.contains { EntryMembers.withText(of: $0.value, needsQuotedRow) })
        let beginning = beginningOfRow(name: name, address: address, isFirst: isFirst, isQuoted: isQuoted)
        bytes.append(contentsOf: beginning.utf8)
        append(fields, of: columns.count, isQuoted: isQuoted, to: &bytes)
        bytes.append(contentsOf: endOfRow.utf8)
    }

    private func appendMembers(
        _ entry: UnsafeBufferPointer<UInt8>, _ columns: inout OtherColumns, to bytes: inout [UInt8]
    ) {
        columns.each(entry) { field in
            bytes.append(contentsOf: ", ".utf8)
            if let name = field.newName {
                bytes.append(contentsOf: Self.json(String(decoding: name, as: UTF8.self)).utf8)
            } else {
                bytes.append(contentsOf: field.member.key)
            }
            bytes.append(contentsOf: ": ".utf8)
            bytes.append(contentsOf: field.member.value)
        }
    }

    /// What a row of a table says in a column.
    private typealias Field = (column: Int, value: UnsafeBufferPointer<UInt8>)

    /// What an entry says as a row of a table, in the order of the columns.
    private func fieldsInOrder(of entry: UnsafeBufferPointer<UInt8>, _ columns: inout OtherColumns) -> [Field] {
        var fields: [Field] = []
        columns.each(entry) { field in
            guard let column = field.column, !EntryMembers.isNull(field.member.value) else { return }
            fields.append((column, field.member.value))
        }
        fields.sort { $0.column < $1.column }
        return fields
    }

    private func append(_ fields: [Field], of columns: Int, isQuoted: Bool, to bytes: inout [UInt8]) {
        var fields = fields[...]
        for column in 0..<columns {
            bytes.append(separator)
            if let field = fields.first, field.column == column {
                EntryMembers.withText(of: field.value) { appendField($0, isQuoted: isQuoted, to: &bytes) }
                fields.removeFirst()
            } else if isQuoted {
                bytes.append(contentsOf: [Byte.quote, Byte.quote])
            }
        }
    }

    private func appendField(
        _ field: UnsafeBufferPointer<UInt8>, isQuoted: Bool = false, to bytes: inout [UInt8]
    ) {
        if isQuoted || Self.needsQuotes(field, separator: separator) {
            Self.appendQuoted(field, to: &bytes)
        } else {
            bytes.append(contentsOf: field)
        }
    }
}
