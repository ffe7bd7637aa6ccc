/// Writes a catalog, piece by piece, in a format that catalogs are read in.
///
/// A value without state of its own: first ``beginning``, then a ``row(name:address:isFirst:)`` for each, then ``end``. Not
/// every format can say everything; what it cannot say is refused, so that nothing is lost.
public struct CatalogText: Sendable {
    /// The formats that are written.
    public enum Format: String, CaseIterable, Sendable {
        /// An array of objects with `name` and `url`.
        case json
        /// JSON Lines: such an object in each line.
        case jsonl
        /// Comma-separated values with a header.
        case csv
        /// Tab-separated values with a header.
        case tsv
        /// An XML property list, an array of dictionaries with `name` and `url`.
        case plist
        /// Addresses, one a line; names are lost.
        case txt
    }

    let format: Format

    /// Text in a format.
    public init(_ format: Format) {
        self.format = format
    }

    /// What stands before the rows.
    public var beginning: String {
        switch format {
        case .json: "["
        case .jsonl, .txt: ""
        case .csv, .tsv: namesOfColumns + endOfRow
        case .plist:
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <array>

            """
        }
    }

    /// What a table's header says of name and address.
    var namesOfColumns: String { format == .tsv ? "name\turl" : "name,url" }

    /// One row.
    ///
    /// - Parameters:
    ///   - name: The photo's name.
    ///   - address: Its address.
    ///   - isFirst: Whether no row stands before it.
    /// - Throws: ``CatalogTextError`` where the row would not be read again as it is.
    public func row(name: String, address: String, isFirst: Bool) throws(CatalogTextError) -> String {
        try check(name: name, address: address, isFirst: isFirst)
        return uncheckedRow(name: name, address: address, isFirst: isFirst)
    }

    /// A row that ``check(name:address:isFirst:)`` let pass.
    package func uncheckedRow(name: String, address: String, isFirst: Bool) -> String {
        let isQuoted = needsQuotedRow(name) || needsQuotedRow(address)
        return beginningOfRow(name: name, address: address, isFirst: isFirst, isQuoted: isQuoted) + endOfRow
    }

    /// The part of a row that says name and address, behind which other columns may stand.
    ///
    /// - Parameter isQuoted: Whether all fields of the row are in quotation marks.
    func beginningOfRow(name: String, address: String, isFirst: Bool, isQuoted: Bool) -> String {
        switch format {
        case .json: (isFirst ? "\n  " : ",\n  ") + Self.beginningOfObject(name, address)
        case .jsonl: Self.beginningOfObject(name, address)
        case .csv: "\(Self.field(name, separator: ",")),\(Self.field(address, separator: ","))"
        case .tsv where isQuoted: "\(Self.quoted(name))\t\(Self.quoted(address))"
        case .tsv: "\(Self.field(name, separator: "\t"))\t\(Self.field(address, separator: "\t"))"
        case .plist:
            "\t<dict><key>name</key><string>\(Self.xml(name))</string>"
                + "<key>url</key><string>\(Self.xml(address))</string>"
        case .txt: address
        }
    }

    private static func beginningOfObject(_ name: String, _ address: String) -> String {
        "{\"name\": \(json(name)), \"url\": \(json(address))"
    }

    var endOfRow: String {
        switch format {
        case .json: "}"
        case .jsonl: "}\n"
        case .csv, .tsv, .txt: "\n"
        case .plist: "</dict>\n"
        }
    }

    /// What stands behind the rows.
    public var end: String {
        switch format {
        case .json: "\n]\n"
        case .jsonl, .csv, .tsv, .txt: ""
        case .plist: "</array>\n</plist>\n"
        }
    }

    /// A text as RFC 8259 writes it, in quotation marks.
    package static func json(_ text: String) -> String {
        let escaped = escaped(text) { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            case _ where scalar.value < 0x20:
                "\\u00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
            default: nil
            }
        }
        return "\"\(escaped)\""
    }

    /// Whether ``json(_:)`` only puts quotation marks around a text.
    package static func isPlainInJSON(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let mark = ByteSearch.first(in: text, from: 0) {
            $0.hasLess(than: 0x20) .| $0.has(Byte.quote) .| $0.has(Byte.backslash)
        }
        return mark == text.count
    }

    /// Quotes as RFC 4180 says where that is needed.
    package static func field(_ text: String, separator: Unicode.Scalar) -> String {
        withBytes(of: text) { needsQuotes($0, separator: UInt8(ascii: separator)) } ? quoted(text) : text
    }

    private static func quoted(_ text: String) -> String {
        withBytes(of: text) { bytes in
            var quoted: [UInt8] = []
            appendQuoted(bytes, to: &quoted)
            return String(decoding: quoted, as: UTF8.self)
        }
    }

    /// Whether all fields of a row have to be in quotation marks as a text is one of them.
    func needsQuotedRow(_ text: String) -> Bool {
        Self.withBytes(of: text) { needsQuotedRow($0) }
    }

    /// The same of a text in UTF-8.
    func needsQuotedRow(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        format == .tsv && TabQuotation.needsQuotedRow(text)
    }

    static func needsQuotes(_ field: UnsafeBufferPointer<UInt8>, separator: UInt8) -> Bool {
        let mark = ByteSearch.first(in: field, from: 0) {
            $0.has(separator) .| $0.has(Byte.quote) .| $0.has(Byte.lineFeed) .| $0.has(Byte.carriageReturn)
        }
        return mark < field.count
    }

    static func appendQuoted(_ field: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(Byte.quote)
        for byte in field {
            if byte == Byte.quote { bytes.append(Byte.quote) }
            bytes.append(byte)
        }
        bytes.append(Byte.quote)
    }

    private static func xml(_ text: String) -> String {
        escaped(text) { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\r": "&#13;"
            default: nil
            }
        }
    }

    /// A text in which some characters are written in another way.
    ///
    /// By scalars: an accent behind a quotation mark makes one character of both.
    private static func escaped(_ text: String, as escape: (Unicode.Scalar) -> String?) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            if let other = escape(scalar) { escaped += other } else { escaped.unicodeScalars.append(scalar) }
        }
        return escaped
    }
}
