/// The chunks of a PNG: a length, a name of four letters, a body, a checksum.
struct PNGChunks {
    struct Chunk {
        /// From the length to the checksum. Its end may lie behind that of the file.
        let range: Range<Int>
        let reader: ByteReader

        var body: Range<Int> { range.lowerBound + 8..<range.upperBound - 4 }

        func isNamed(_ name: StaticString) -> Bool { reader.has(name, at: range.lowerBound + 4) }

        /// The XMP in a text that is not compressed, as programs write it; nil if the chunk is none.
        var xmp: ByteReader? {
            let text = reader.slice(body)
            guard isNamed("iTXt"), text.has("XML:com.adobe.xmp\0\0\0") else { return nil }
            // A language and a translated keyword, each ended by a zero.
            let ends = text.bytes.indices.dropFirst(20).lazy.filter { text.bytes[$0] == 0 }.prefix(2)
            guard let end = ends.last, ends.count == 2 else { return nil }
            return text.slice(end + 1..<text.count)
        }

        /// Whether the picture can be drawn without it, as the case of its first letter says.
        var isAncillary: Bool { (reader.u8(range.lowerBound + 4) ?? 0) & 0x20 != 0 }
    }

    private let reader: ByteReader
    private var offset = 8

    init(_ reader: ByteReader) {
        self.reader = reader
    }

    mutating func next() -> Chunk? {
        guard let length = reader.be32(offset), reader.u8(offset + 7) != nil else { return nil }
        let chunk = Chunk(range: offset..<offset + length + 12, reader: reader)
        offset = chunk.range.upperBound
        return chunk
    }
}

extension PNGChunks {
    /// Together, ancillary chunks of so many bytes cost nothing that is worth a copy of the file. zlib unpacks a byte to
    /// a thousand at most.
    private static let mostIdleBytes = 16 << 10
    /// The profiles of printing presses with the most tables have half as much.
    private static let mostProfileBytes = 8 << 20

    /// Whether the table of colours, also one that is only a suggestion, comes behind the first chunk that says what is transparent.
    private static func hasTableBehindTransparency(_ reader: ByteReader) -> Bool {
        var chunks = PNGChunks(reader)
        var isTransparent = false
        while let chunk = chunks.next(), !chunk.isNamed("IDAT") {
            if chunk.isNamed("PLTE") { return isTransparent }
            if chunk.isNamed("tRNS") { isTransparent = true }
        }
        return false
    }

    /// The file without what drawing it does not need, or nil where that is hardly anything. What is transparent in a table comes
    /// behind the table, where libpng wants it.
    ///
    /// libpng takes the memory for a chunk by the length that it declares, before it looks for its bytes, and unpacks
    /// all words. So what a chunk declares is held against the file before libpng sees it, and words it never sees.
    ///
    /// - Throws: `damaged` if a chunk is longer than what is left of the file, `unsupportedFormat` for a profile that
    ///   is longer than any.
    static func drawn(_ reader: ByteReader) throws(ImageCodecError) -> [UInt8]? {
        var chunks = PNGChunks(reader)
        var idleBytes = 0
        var kept: [Range<Int>] = [0..<min(8, reader.count)]
        var (isColoured, early): (Bool, Range<Int>?) = (false, nil)
        let isTurnedRound = hasTableBehindTransparency(reader)
        while let chunk = chunks.next() {
            guard chunk.range.upperBound <= reader.count else { throw .damaged("it is cut off") }
            if chunk.isNamed("iCCP"), chunk.body.count > mostProfileBytes {
                throw .unsupportedFormat("PNG with a colour profile of \(chunk.body.count >> 20) MB")
            }
            if chunk.isNamed("PLTE") {
                kept.append(chunk.range)
                if !isColoured, let early { kept.append(early) }
                isColoured = true
            } else if chunk.isNamed("tRNS"), !isColoured, isTurnedRound {
                early = chunk.range
            } else if chunk.isAncillary, !chunk.isNamed("tRNS"), !chunk.isNamed("iCCP") {
                idleBytes = idleBytes.saturatingSum(chunk.range.count)
            } else if let last = kept.last, last.upperBound == chunk.range.lowerBound {
                kept[kept.count - 1] = last.lowerBound..<chunk.range.upperBound
            } else {
                kept.append(chunk.range)
            }
            if chunk.isNamed("IEND") { break }
        }
        guard idleBytes > mostIdleBytes || early != nil else { return nil }
        var file: [UInt8] = []
        file.reserveCapacity(kept.reduce(0) { $0 + $1.count })
        for range in kept { file += reader.slice(range).bytes }
        return file
    }
}
