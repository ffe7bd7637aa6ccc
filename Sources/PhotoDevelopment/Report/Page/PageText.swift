import CGLib

/// Text of strangers (names, addresses, details), made safe for each place of a page that it can stand in.
enum PageText {
    /// Characters that nobody sees, or that turn the reading direction round: a page shows their code in their place.
    ///
    /// The joiners that emoji and some scripts need (U+200C, U+200D) are not among them.
    static let hiddenRanges: [ClosedRange<UInt32>] = [
        0x00...0x1F, 0x7F...0x9F, 0xAD...0xAD, 0x61C...0x61C, 0x180E...0x180E, 0x200B...0x200B, 0x200E...0x200F,
        0x2028...0x202E, 0x2060...0x206F, 0xFEFF...0xFEFF, 0xFFF9...0xFFFB,
    ]

    static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        hiddenRanges.contains { $0.contains(scalar.value) }
    }

    /// For the content of an element or a quoted attribute.
    static func html(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case _ where isHidden(scalar): escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// An element that keeps the reading direction of its text to itself, with the codes of hidden characters.
    static func isolated(_ text: String) -> String {
        var content = ""
        var plain = ""
        for scalar in text.unicodeScalars {
            guard isHidden(scalar) else {
                plain.unicodeScalars.append(scalar)
                continue
            }
            content += html(plain) + "<span class=\"code\">U+\(code(of: scalar))</span>"
            plain = ""
        }
        return "<bdi>\(content)\(html(plain))</bdi>"
    }

    /// A component of an address: all but letters, digits and `-._~` escaped.
    static func percentEncoded(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard let encoded = g_uri_escape_bytes(bytes, gsize(bytes.count), nil) else { return "" }
        defer { g_free(encoded) }
        return String(cString: encoded)
    }

    /// A string of JSON, with its quotes, in which nothing ends a script element.
    static func appendJSON(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": bytes += [UInt8(ascii: "\\"), UInt8(ascii: "\"")]
            case "\\": bytes += [UInt8(ascii: "\\"), UInt8(ascii: "\\")]
            case "<", ">", "&": bytes += "\\u\(code(of: scalar))".utf8
            case " "..."~": bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            case _ where isHidden(scalar): bytes += "\\u\(code(of: scalar))".utf8
            default: bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Four hexadecimal digits; every hidden character has as many.
    private static func code(of scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
