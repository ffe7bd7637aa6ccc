import CGtk
import Glibc
import GtkSupport
import Wording

/// A text in the user's language; `{name}` stands for what `filled(_:)` puts there.
package func tr(_ message: String) -> String { Translation.text(message) }

/// A text about a number, in the user's language and the form that the number asks for; `{count}` is the number.
func tr(_ one: String, _ many: String, _ count: Int) -> String {
    Translation.text(one, many, count).filled(["count": count.grouped])
}

extension String {
    /// The text with each `{name}` in it replaced.
    func filled(_ values: [String: String]) -> String {
        var result = ""
        var rest = self[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let name = String(rest[rest.index(after: open)..<close])
            result += rest[..<open]
            result += values[name] ?? String(rest[open...close])
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }
}

extension Int {
    /// The number as the locale writes it; with commas where the locale has no marks for thousands at all.
    var grouped: String {
        var buffer = [CChar](repeating: 0, count: 64)
        cgtk_format_grouped(&buffer, buffer.count, self)
        let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "-") }), abs(self) > 999 else { return text }
        return text.withThousandsMarks(",")
    }
}

extension Double {
    /// The number as the locale writes it, with so many decimals.
    func written(decimals: Int) -> String {
        var buffer = [CChar](repeating: 0, count: 64)
        cgtk_format_decimal(&buffer, buffer.count, Int32(decimals), self)
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension String {
    /// A number's digits with a mark between each three.
    fileprivate func withThousandsMarks(_ mark: Character) -> String {
        var digits = self
        var end = digits.count - 3
        let first = hasPrefix("-") ? 1 : 0
        while end > first {
            digits.insert(mark, at: digits.index(digits.startIndex, offsetBy: end))
            end -= 3
        }
        return digits
    }
}
