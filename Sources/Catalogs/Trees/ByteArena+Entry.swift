/// An entry of JSON that was read, as it is kept: one line of what RFC 8259 allows.
extension ByteArena {
    /// Appends an entry as it stands, but in one line.
    func appendEntry(_ entry: UnsafeBufferPointer<UInt8>) {
        // Lines end between tokens only: inside strings they are escaped.
        for byte in entry { append(byte < Byte.space ? Byte.space : byte) }
    }

    /// The same of an entry that has `NaN`, `Infinity` or `-Infinity`, which become null.
    func appendEntryWithNonFinite(_ entry: UnsafeBufferPointer<UInt8>) {
        var position = 0
        while position < entry.count {
            let start = position
            position = ByteSearch.first(in: entry, from: start) {
                $0.has(Byte.quote) .| $0.has(UInt8(ascii: "N")) .| $0.has(UInt8(ascii: "I"))
            }
            let isNonFinite = position < entry.count && entry[position] != Byte.quote
            let isNegative = isNonFinite && position > start && entry[position - 1] == UInt8(ascii: "-")
            appendEntry(UnsafeBufferPointer(rebasing: entry[start..<(isNegative ? position - 1 : position)]))
            guard position < entry.count else { return }
            if isNonFinite {
                // Outside strings no other words of JSON have these letters.
                for letter in "null".utf8 { append(letter) }
                position += entry[position] == UInt8(ascii: "N") ? "NaN".utf8.count : "Infinity".utf8.count
            } else {
                let end = Self.endOfString(entry, from: position)
                append(UnsafeBufferPointer(rebasing: entry[position..<end]))
                position = end
            }
        }
    }

    /// Where a string ends whose opening quotation mark is at `start`.
    private static func endOfString(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var position = start + 1
        while position < bytes.count, bytes[position] != Byte.quote {
            position += bytes[position] == Byte.backslash ? 2 : 1
        }
        return min(position + 1, bytes.count)
    }
}
