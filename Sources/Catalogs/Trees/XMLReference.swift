/// One reference in XML text, from its ampersand on: one of the five entities that every document has, or a character
/// by number.
struct XMLReference {
    var scalar: Unicode.Scalar = "\u{FFFD}"
    /// How many bytes it takes, at least the ampersand.
    var length = 1
    var flaw: EntryFlaw.Kind?

    /// The longest reference that means anything, `&#x10FFFF;`, with room for leading zeros.
    private static let longest = 40

    init(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
        let limit = min(bytes.count, start + XMLReference.longest)
        var end = start + 1
        while end < limit, bytes[end] == Byte.hash || Byte.isDigit(bytes[end]) || Byte.isLetter(bytes[end]) { end += 1 }
        guard end < limit, bytes[end] == Byte.semicolon, end > start + 1 else {
            flaw = .bareAmpersand
            return
        }
        length = end + 1 - start
        let name = bytes[start + 1..<end]
        guard bytes[start + 1] == Byte.hash else {
            guard let known = XMLReference.entity(String(decoding: name, as: UTF8.self)) else {
                flaw = .undefinedEntity
                return
            }
            scalar = known
            return
        }
        guard let number = XMLReference.number(name.dropFirst()), number != 0, let found = Unicode.Scalar(number) else {
            flaw = .badCharacterReference
            return
        }
        scalar = found
    }

    private static func entity(_ name: String) -> Unicode.Scalar? {
        switch name {
        case "amp": "&"
        case "lt": "<"
        case "gt": ">"
        case "quot": "\""
        case "apos": "'"
        default: nil
        }
    }

    private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> UInt32? {
        let isHexadecimal = digits.first == UInt8(ascii: "x")
        let digits = isHexadecimal ? digits.dropFirst() : digits
        guard !digits.isEmpty else { return nil }
        var number: UInt32 = 0
        for digit in digits {
            guard let value = Byte.hexValue(digit), isHexadecimal || value < 10 else { return nil }
            number = number * (isHexadecimal ? 16 : 10) + value
            if number > 0x10FFFF { return nil }
        }
        return number
    }
}
