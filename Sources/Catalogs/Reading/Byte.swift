/// The bytes that catalogs' grammars are made of, and questions about bytes.
enum Byte {
    static let tab = UInt8(ascii: "\t")
    static let lineFeed = UInt8(ascii: "\n")
    static let carriageReturn = UInt8(ascii: "\r")
    static let space = UInt8(ascii: " ")
    static let quote = UInt8(ascii: "\"")
    static let apostrophe = UInt8(ascii: "'")
    static let backslash = UInt8(ascii: "\\")
    static let slash = UInt8(ascii: "/")
    static let percent = UInt8(ascii: "%")
    static let hash = UInt8(ascii: "#")
    static let ampersand = UInt8(ascii: "&")
    static let semicolon = UInt8(ascii: ";")
    static let bar = UInt8(ascii: "|")
    static let colon = UInt8(ascii: ":")
    static let comma = UInt8(ascii: ",")
    static let equals = UInt8(ascii: "=")
    static let less = UInt8(ascii: "<")
    static let greater = UInt8(ascii: ">")

    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == space || byte == lineFeed || byte == carriageReturn || byte == tab
    }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    @inline(__always)
    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }

    static func hexValue(_ byte: UInt8) -> UInt32? {
        switch byte {
        case 0x30...0x39: UInt32(byte - 0x30)
        case 0x41...0x46: UInt32(byte - 0x41 + 10)
        case 0x61...0x66: UInt32(byte - 0x61 + 10)
        default: nil
        }
    }

    /// Whether the bytes are a word, whose ASCII letters are given in lower case and count in either.
    static func equal(_ bytes: some Collection<UInt8>, ignoringCase word: some Collection<UInt8>) -> Bool {
        guard bytes.count == word.count else { return false }
        return zip(bytes, word).allSatisfy { byte, letter in
            byte == letter || (isLetter(byte) && byte | 0x20 == letter)
        }
    }

    /// A word as ``equal(_:ignoringCase:)`` wants it.
    static func word(_ text: String) -> [UInt8] { text.utf8.map { isLetter($0) ? $0 | 0x20 : $0 } }
}

extension Unicode.Scalar {
    /// The character that two units of UTF-16 stand for; nil if they are no pair.
    init?(surrogates high: UInt32, _ low: UInt32) {
        guard (0xD800...0xDBFF).contains(high), (0xDC00...0xDFFF).contains(low) else { return nil }
        self.init(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    }
}
