/// Writes a catalog, piece by piece, in a format that catalogs are read in.
///
/// A value without state of its own: first ``beginning``, then a ``row(name:address:isFirst:)`` for each, then ``end``.
public struct CatalogText: Sendable {
    /// The formats that are written.
    public enum Format: String, CaseIterable, Sendable {
        /// An array of objects with `name` and `url`.
        case json
        /// Comma-separated values with a header.
        case csv
        /// Tab-separated values with a header.
        case tsv
        /// An XML property list, an array of dictionaries with `name` and `url`.
        case plist
        /// Addresses, one a line; names are lost.
        case txt
    }

    private let format: Format

    /// Text in a format.
    public init(_ format: Format) {
        self.format = format
    }

    /// What stands before the rows.
    public var beginning: String {
        switch format {
        case .json: "["
        case .csv: "name,url\n"
        case .tsv: "name\turl\n"
        case .plist:
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <array>

            """
        case .txt: ""
        }
    }

    /// One row.
    ///
    /// - Parameters:
    ///   - name: The photo's name.
    ///   - address: Its address.
    ///   - isFirst: Whether no row stands before it.
    public func row(name: String, address: String, isFirst: Bool) -> String {
        switch format {
        case .json: (isFirst ? "\n" : ",\n") + "  {\"name\": \(Self.json(name)), \"url\": \(Self.json(address))}"
        case .csv: "\(Self.field(name, separator: ",")),\(Self.field(address, separator: ","))\n"
        case .tsv: "\(Self.field(name, separator: "\t"))\t\(Self.field(address, separator: "\t"))\n"
        case .plist:
            "\t<dict><key>name</key><string>\(Self.xml(name))</string>"
                + "<key>url</key><string>\(Self.xml(address))</string></dict>\n"
        case .txt: "\(address)\n"
        }
    }

    /// What stands behind the rows.
    public var end: String {
        switch format {
        case .json: "\n]\n"
        case .csv, .tsv, .txt: ""
        case .plist: "</array>\n</plist>\n"
        }
    }

    private static func json(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where scalar.value < 0x20:
                quoted += "\\u00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    /// Quotes as RFC 4180 says where that is needed.
    private static func field(_ text: String, separator: Unicode.Scalar) -> String {
        let needsQuotes = text.unicodeScalars.contains { $0 == separator || $0 == "\"" || $0 == "\n" || $0 == "\r" }
        guard needsQuotes else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    /// XML 1.0 has no way to write most control characters; they become U+FFFD.
    private static func xml(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\r": escaped += "&#13;"
            case "\t", "\n": escaped.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
