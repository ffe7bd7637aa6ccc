import Glibc

/// Brings texts into UTF-8.
enum TextEncoding {
    /// A text in UTF-8: the source and where it begins, behind a byte order mark.
    struct Text {
        var source: CatalogSource
        var start: Int
    }

    /// Finds a source's encoding. UTF-8 is what everything is in that says nothing else: UTF-16 has a byte order mark
    /// (or begins as XML), and XML may declare Latin-1. A guess at other encodings would show wrong names for right
    /// ones, so a byte that is not UTF-8 is its entry's flaw.
    static func text(of source: CatalogSource) throws(CatalogError) -> Text {
        let bytes = source.bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return Text(source: source, start: 3) }
        // Before UTF-16, whose byte order mark is the beginning of one of these.
        if isUTF32(bytes) {
            throw .notACatalog(reason: "its encoding UTF-32 is not supported, save it as UTF-8")
        }
        if bytes.starts(with: [0xFE, 0xFF]) { return try utf16(bytes.dropFirst(2), isBigEndian: true) }
        if bytes.starts(with: [0xFF, 0xFE]) { return try utf16(bytes.dropFirst(2), isBigEndian: false) }
        if bytes.starts(with: [0x00, 0x3C, 0x00]) { return try utf16(bytes[...], isBigEndian: true) }
        if bytes.starts(with: [0x3C, 0x00]) { return try utf16(bytes[...], isBigEndian: false) }
        if let name = declaredEncoding(bytes) {
            switch name {
            case "utf-8", "utf8", "us-ascii", "ascii": break
            case "iso-8859-1", "latin1", "iso_8859-1", "latin-1": return try latin1(bytes)
            default:
                throw .damaged(
                    format: .xmlPropertyList, place: CatalogPlace(line: 1, column: 1),
                    reason: "its encoding \(name) is not supported, save it as UTF-8")
            }
        }
        return Text(source: source, start: 0)
    }

    /// Whether it begins with UTF-32's byte order mark, or with one letter in four bytes.
    private static func isUTF32(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count >= 4 else { return false }
        switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        case (0xFF, 0xFE, 0, 0), (0, 0, 0xFE, 0xFF), (1..., 0, 0, 0), (0, 0, 0, 1...): return true
        default: return false
        }
    }

    /// Appends UTF-16 as UTF-8. A half of a surrogate pair takes its three bytes as if it were a character, which no
    /// check for UTF-8 lets pass.
    static func appendUTF8(of units: some Sequence<UInt16>, to arena: ByteArena) {
        var iterator = units.makeIterator()
        var pending = iterator.next()
        while let unit = pending {
            pending = iterator.next()
            if unit < 0x80 {
                arena.append(UInt8(unit))
            } else if unit < 0x800 {
                arena.append(0xC0 | UInt8(unit >> 6))
                arena.append(0x80 | UInt8(unit & 0x3F))
            } else if unit & 0xFC00 == 0xD800, let low = pending, low & 0xFC00 == 0xDC00 {
                let value = 0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(low & 0x3FF))
                arena.append(0xF0 | UInt8(value >> 18))
                arena.append(0x80 | UInt8(value >> 12 & 0x3F))
                arena.append(0x80 | UInt8(value >> 6 & 0x3F))
                arena.append(0x80 | UInt8(value & 0x3F))
                pending = iterator.next()
            } else {
                arena.append(0xE0 | UInt8(unit >> 12))
                arena.append(0x80 | UInt8(unit >> 6 & 0x3F))
                arena.append(0x80 | UInt8(unit & 0x3F))
            }
        }
    }

    private static func utf16(
        _ bytes: Slice<UnsafeBufferPointer<UInt8>>, isBigEndian: Bool
    ) throws(CatalogError) -> Text {
        let pairs = UnsafeBufferPointer(rebasing: bytes)
        let high = isBigEndian ? 0 : 1
        let arena = ByteArena(capacity: pairs.count)
        let units = (0..<pairs.count / 2).lazy.map { index in
            UInt16(pairs[2 * index + high]) << 8 | UInt16(pairs[2 * index + 1 - high])
        }
        appendUTF8(of: units, to: arena)
        // The last byte of a text that was cut inside a character is none.
        if pairs.count % 2 == 1 { arena.append(0xFF) }
        return try text(of: arena)
    }

    private static func latin1(_ bytes: UnsafeBufferPointer<UInt8>) throws(CatalogError) -> Text {
        let arena = ByteArena(capacity: bytes.count + bytes.count / 8)
        for byte in bytes {
            if byte < 0x80 {
                arena.append(byte)
            } else {
                arena.append(0xC0 | byte >> 6)
                arena.append(0x80 | byte & 0x3F)
            }
        }
        return try text(of: arena)
    }

    private static func text(of arena: ByteArena) throws(CatalogError) -> Text {
        guard let source = arena.makeSource() else { throw .outOfMemory }
        return Text(source: source, start: 0)
    }

    /// The encoding that an XML declaration names, in lower case.
    private static func declaredEncoding(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard bytes.starts(with: "<?xml".utf8) else { return nil }
        let head = bytes.prefix(200).prefix { $0 != Byte.greater }
        let words = String(decoding: head, as: UTF8.self).split(whereSeparator: { "\"' =\t\r\n".contains($0) })
        guard let index = words.firstIndex(of: "encoding"), index + 1 < words.count else { return nil }
        return words[index + 1].lowercased()
    }
}
