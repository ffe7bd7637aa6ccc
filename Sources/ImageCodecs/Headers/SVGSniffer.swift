/// Finds out whether XML's first element is `svg`, past a byte order mark, declarations, comments and a document type.
struct SVGSniffer {
    let text: XMLText
    private let last: Int

    /// How far to look: a licence in a comment is common, a megabyte of it is not.
    private static let reach = 65_536

    init(reader: ByteReader) {
        text = XMLText(reader)
        last = min(text.count, Self.reach)
    }

    var isSVG: Bool { endOfName != nil }

    /// Where the element's name ends; nil for what is no SVG.
    var endOfName: Int? {
        var offset = 0
        while offset < last {
            if text.isSpace(at: offset) {
                offset += 1
            } else if let end = endOfRemark(at: offset) {
                offset = end
            } else if text.has("<!DOCTYPE", at: offset) {
                guard let end = endOfDocumentType(from: offset) else { return nil }
                offset = end
            } else {
                return text[offset] == 0x3C ? endOfSVGName(at: offset + 1) : nil
            }
        }
        return nil
    }

    /// Where a comment or a processing instruction ends that begins here; the end of what is looked at if it does not end.
    private func endOfRemark(at offset: Int) -> Int? {
        if text.has("<!--", at: offset) { return end(of: "-->", from: offset + 4) ?? last }
        if text.has("<?", at: offset) { return end(of: "?>", from: offset + 2) ?? last }
        return nil
    }

    private func end(of mark: StaticString, from start: Int) -> Int? {
        guard start < last else { return nil }
        return (start..<last).first { text.has(mark, at: $0) }.map { $0 + mark.utf8CodeUnitCount }
    }

    /// A document type may hold declarations in brackets, and anything in quotation marks.
    private func endOfDocumentType(from start: Int) -> Int? {
        var depth = 0
        var offset = start
        while offset < last {
            if let end = endOfRemark(at: offset) {
                offset = end
                continue
            }
            switch text[offset] {
            case 0x22, 0x27:
                let mark = text[offset]
                guard let close = (offset + 1..<last).first(where: { text[$0] == mark }) else { return nil }
                offset = close
            case 0x5B: depth += 1
            case 0x5D: depth -= 1
            case 0x3E where depth == 0: return offset + 1
            default: break
            }
            offset += 1
        }
        return nil
    }

    /// `svg`, also with a namespace prefix, and then no further letter.
    private func endOfSVGName(at start: Int) -> Int? {
        var name: [UInt8] = []
        while name.count < 64, let byte = text[start + name.count] {
            if [0x20, 0x09, 0x0A, 0x0D, 0x3E, 0x2F].contains(byte) { break }
            name.append(byte)
        }
        let local = name.split(separator: 0x3A, omittingEmptySubsequences: false).last
        return local.map { Array($0) } == Array("svg".utf8) ? start + name.count : nil
    }
}
