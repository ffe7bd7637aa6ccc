/// XMP as elements and text alone.
enum XMPText {
    /// The text without comments, and with sections of CDATA as ordinary text; nil where one does not end, and for whatever else begins
    /// with `<!`, such as a document type with entities.
    static func plain(_ packet: some Collection<UInt8>) -> [UInt8]? {
        let comment = (begin: Array("<!--".utf8), end: Array("-->".utf8))
        let section = (begin: Array("<![CDATA[".utf8), end: Array("]]>".utf8))
        let mark = Array("<!".utf8)
        var text: [UInt8] = []
        var rest = Array(packet)[...]
        while let start = rest.firstRange(of: mark)?.lowerBound {
            text += rest[..<start]
            rest = rest[start...]
            let isComment = rest.starts(with: comment.begin)
            guard isComment || rest.starts(with: section.begin) else { return nil }
            let (begin, end) = isComment ? comment : section
            rest = rest.dropFirst(begin.count)
            guard let close = rest.firstRange(of: end) else { return nil }
            if !isComment { text += rest[..<close.lowerBound].flatMap(escaped) }
            rest = rest[close.upperBound...]
        }
        text += rest
        // What is no XML can have one put together around a comment.
        return text.firstRange(of: mark) == nil ? text : nil
    }

    private static func escaped(_ byte: UInt8) -> [UInt8] {
        switch byte {
        case UInt8(ascii: "<"): Array("&lt;".utf8)
        case UInt8(ascii: ">"): Array("&gt;".utf8)
        case UInt8(ascii: "&"): Array("&amp;".utf8)
        default: [byte]
        }
    }
}
