/// The bytes by which a name is sorted.
///
/// First comes what matters most: letters in lower case without accents, and numbers as their length and their
/// digits, so that a longer number is a larger one. Then, behind a zero, what tells names apart that are equal so far:
/// accents and leading zeros, each after a count of what stood before it.
enum SortKey {
    static func append(of name: UnsafeBufferPointer<UInt8>, to key: ByteArena) {
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
            if (0x300...0x36F).contains(scalar.value) {
                details += Array(String(scalar).utf8)
                continue
            }
            for lower in scalar.properties.lowercaseMapping.unicodeScalars {
                guard let base = LatinLetters.bases[lower] else {
                    if !(0x300...0x36F).contains(lower.value) { key.append(lower) }
                    continue
                }
                for byte in base { key.append(byte) }
                details += Array(String(lower).utf8)
            }
        }
    }
}

/// The Latin letters with accents, and what they are sorted as.
enum LatinLetters {
    static let bases: [Unicode.Scalar: [UInt8]] = {
        let accented: [(base: String, letters: String)] = [
            ("a", "àáâãäåāăąǎạảấầẩẫậắằẳẵặ"), ("c", "çćĉċč"), ("d", "ď"), ("e", "èéêëēĕėęěẹẻẽếềểễệ"), ("g", "ĝğġģ"),
            ("h", "ĥ"), ("i", "ìíîïĩīĭįıǐịỉ"), ("j", "ĵ"), ("k", "ķ"), ("l", "ĺļľ"), ("n", "ñńņňŉ"),
            ("o", "òóôõöōŏőơǒọỏốồổỗộớờởỡợ"), ("r", "ŕŗř"), ("s", "śŝşšș"), ("t", "ţťț"),
            ("u", "ùúûüũūŭůűųưǔụủứừửữự"), ("w", "ŵ"), ("y", "ýÿŷỳỵỷỹ"), ("z", "źżž"),
            ("ae", "æ"), ("oe", "œ"), ("ss", "ß"),
            // Letters of their own, right behind the letter that they were made from.
            ("d\u{7F}", "đð"), ("h\u{7F}", "ħ"), ("l\u{7F}", "ł"), ("o\u{7F}", "ø"), ("t\u{7F}", "ŧþ"),
        ]
        var table: [Unicode.Scalar: [UInt8]] = [:]
        for (base, letters) in accented {
            for letter in letters.unicodeScalars { table[letter] = Array(base.utf8) }
        }
        return table
    }()
}
