import Foundation

/// Text without case and accents, as it is searched and sorted.
enum FoldedText {
    /// Appends a text in its folded form, as UTF-8.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        let isSimple = text.withUTF8 { utf8 in
            let start = bytes.count
            for byte in utf8 {
                guard byte < 0x80 else {
                    bytes.removeSubrange(start...)
                    return false
                }
                bytes.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
            }
            return true
        }
        if isSimple { return }
        let folded = text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
        for scalar in folded.unicodeScalars {
            switch scalar {
            // A letter of its own for Unicode, and a d with a stroke for who types without one.
            case "đ", "Đ": bytes.append(UInt8(ascii: "d"))
            default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
    }

    /// A text in its folded form.
    static func bytes(of text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return bytes
    }
}
