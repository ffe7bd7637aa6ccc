/// Makes a decoder's words fit for a person and a terminal.
enum ErrorText {
    /// Printable text of one line, at most 120 characters.
    static func clean(_ text: some StringProtocol) -> String {
        let printable = text.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) }
        return String(String(String.UnicodeScalarView(printable)).prefix(120))
    }

    /// The same for a C string in an array.
    static func clean(_ text: [CChar]) -> String {
        clean(String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
}
