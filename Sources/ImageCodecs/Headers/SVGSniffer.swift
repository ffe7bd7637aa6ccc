/// Finds out whether XML's first element is `svg`, past a byte order mark, declarations, comments and a document type.
struct SVGSniffer {
    let reader: ByteReader

    /// How far to look: a licence in a comment is common, a megabyte of it is not.
    private static let reach = 65_536

    var isSVG: Bool {
        var offset = reader.has([0xEF, 0xBB, 0xBF]) ? 3 : 0
        while offset < min(reader.count, Self.reach) {
            guard let byte = reader.u8(offset) else { return false }
            if [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
                offset += 1
            } else if reader.has("<!--", at: offset) {
                guard let end = end(of: "-->", from: offset + 4) else { return false }
                offset = end
            } else if reader.has("<?", at: offset) {
                guard let end = end(of: "?>", from: offset + 2) else { return false }
                offset = end
            } else if reader.has("<!DOCTYPE", at: offset) {
                guard let end = endOfDocumentType(from: offset) else { return false }
                offset = end
            } else {
                return byte == 0x3C && isSVGName(at: offset + 1)
            }
        }
        return false
    }

    private func end(of mark: StaticString, from start: Int) -> Int? {
        let last = min(reader.count, Self.reach)
        guard start < last else { return nil }
        return (start..<last).first { reader.has(mark, at: $0) }.map { $0 + mark.utf8CodeUnitCount }
    }

    /// A document type may hold declarations in brackets.
    private func endOfDocumentType(from start: Int) -> Int? {
        var depth = 0
        for offset in start..<min(reader.count, Self.reach) {
            switch reader.u8(offset) {
            case 0x5B: depth += 1
            case 0x5D: depth -= 1
            case 0x3E where depth == 0: return offset + 1
            default: break
            }
        }
        return nil
    }

    /// `svg`, also with a namespace prefix, and then no further letter.
    private func isSVGName(at start: Int) -> Bool {
        var name: [UInt8] = []
        for offset in start..<min(reader.count, start + 64) {
            let byte = reader.bytes[offset]
            if [0x20, 0x09, 0x0A, 0x0D, 0x3E, 0x2F].contains(byte) { break }
            name.append(byte)
        }
        return name.split(separator: 0x3A, omittingEmptySubsequences: false).last.map { Array($0) } == Array("svg".utf8)
    }
}
