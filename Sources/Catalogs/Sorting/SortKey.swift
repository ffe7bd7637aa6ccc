import CGLib
import Glibc

/// The bytes by which a name is sorted.
///
/// First comes what matters most: letters in lower case without accents, and numbers as their length and their
/// digits, so that a longer number is a larger one. Then, behind a zero, what tells names apart that are equal so far:
/// accents and leading zeros, each after a count of what stood before it.
enum SortKey {
    /// So much of a name counts, in bytes: to bring a long run of accents into their order takes the square of its length.
    private static let longest = 1_024

    static func append(of name: UnsafeBufferPointer<UInt8>, to key: ByteArena) {
        var end = min(name.count, longest)
        // Not in the middle of a character.
        while end < name.count, end > 0, name[end] & 0xC0 == 0x80 { end -= 1 }
        let name = UnsafeBufferPointer(rebasing: name[..<end])
        guard name.contains(where: { $0 >= 0x80 }) else { return appendDecomposed(name, to: key) }
        // Letters apart from their accents, and wide ones and ligatures as what they stand for.
        let text = String(decoding: name, as: UTF8.self)
        guard let decomposed = text.withCString({ cglib_decomposed($0, -1) }) else { return }
        defer { g_free(decomposed) }
        let start = UnsafeRawPointer(decomposed).assumingMemoryBound(to: UInt8.self)
        appendDecomposed(UnsafeBufferPointer(start: start, count: strlen(decomposed)), to: key)
    }

    private static func appendDecomposed(_ name: UnsafeBufferPointer<UInt8>, to key: ByteArena) {
        var index = 0
        var details: [UInt8] = []
        while index < name.count {
            let byte = name[index]
            if Byte.isDigit(byte) {
                index = appendNumber(name, at: index, to: key, &details)
            } else if byte < 0x80 {
                // The lowest byte is the mark between what matters more and what matters less.
                key.append(Byte.isLetter(byte) ? byte | 0x20 : max(byte, 1))
                index += 1
            } else {
                let end = name[index...].firstIndex { $0 < 0x80 } ?? name.count
                appendLetters(String(decoding: name[index..<end], as: UTF8.self), to: key, &details)
                index = end
            }
        }
        guard !details.isEmpty else { return }
        key.append(0)
        details.withUnsafeBufferPointer { key.append($0) }
    }

    private static func appendNumber(
        _ name: UnsafeBufferPointer<UInt8>, at start: Int, to key: ByteArena, _ details: inout [UInt8]
    ) -> Int {
        var first = start
        while first < name.count, name[first] == UInt8(ascii: "0") { first += 1 }
        var end = first
        while end < name.count, Byte.isDigit(name[end]) { end += 1 }
        // All numbers stand where the digit zero does, then the shorter before the longer.
        key.append(UInt8(ascii: "0"))
        let length = end - first
        if length < 0xFF {
            key.append(UInt8(length))
        } else {
            key.append(0xFF)
            for shift in [24, 16, 8, 0] { key.append(UInt8(truncatingIfNeeded: length >> shift)) }
        }
        key.append(UnsafeBufferPointer(rebasing: name[first..<end]))
        let zeros = first - start
        if zeros > 0, !(zeros == 1 && length == 0) { details += [0xFE, UInt8(clamping: zeros)] }
        return end
    }

    private static func appendLetters(_ text: String, to key: ByteArena, _ details: inout [UInt8]) {
        for scalar in text.unicodeScalars {
            if scalar.properties.generalCategory == .nonspacingMark {
                details += Array(String(scalar).utf8)
                continue
            }
            for lower in scalar.properties.lowercaseMapping.unicodeScalars {
                guard let base = BaseLetter(of: lower) else {
                    key.append(lower)
                    continue
                }
                for byte in base.letters.utf8 { key.append(byte) }
                // Right behind the letter that it was made from.
                if base.isOfItsOwn { key.append(0x7F) }
                details += Array(String(lower).utf8)
            }
        }
    }
}
