/// The metadata that stands in a file, found by its kind and made fit to be written again.
struct MetadataParts {
    private(set) var exif: [UInt8]?
    private(set) var xmp: [UInt8]?
    private var hasSeenEXIF = false
    private var hasSeenXMP = false

    init?(_ file: ByteReader) {
        guard case .image(let format) = ContentKind(sniffing: file) else { return nil }
        switch format {
        case .jpeg: readJPEG(file)
        case .png: readPNG(file)
        case .webp: readWebP(file)
        case .tiff:
            take(exif: file)
            if let packet = TIFFDirectories(file)?.first?.field(700) {
                packet.bytes.withUnsafeBytes { take(xmp: ByteReader($0)) }
            }
        case .heif, .avif: readHEIF(file)
        case .jxl: readJXL(file)
        case .gif, .svg: break
        }
        if exif == nil, xmp == nil { return nil }
    }

    /// The first one counts, also where it says nothing: a file can have any number of them.
    private mutating func take(exif block: ByteReader) {
        if !hasSeenEXIF { exif = EXIFBlock(block)?.bytes }
        hasSeenEXIF = true
    }

    private mutating func take(xmp packet: ByteReader) {
        if !hasSeenXMP { xmp = XMPPacket(packet)?.bytes }
        hasSeenXMP = true
    }

    private static let xmpName: StaticString = "http://ns.adobe.com/xap/1.0/\0"

    private mutating func readJPEG(_ file: ByteReader) {
        var offset = 2
        while file.u8(offset) == 0xFF, let marker = file.u8(offset + 1) {
            if marker == 0xFF {
                offset += 1
                continue
            }
            // Scans begin; metadata stands before them.
            guard marker != 0xDA, marker != 0xD9, let length = file.be16(offset + 2), length >= 2 else { return }
            let segment = file.slice(offset + 4..<offset + 2 + length)
            if marker == 0xE1, segment.has("Exif\0") {
                take(exif: segment)
            } else if marker == 0xE1, segment.has(Self.xmpName) {
                take(xmp: segment.slice(Self.xmpName.utf8CodeUnitCount..<segment.count))
            }
            offset += 2 + length
        }
    }

    private mutating func readPNG(_ file: ByteReader) {
        var chunks = PNGChunks(file)
        while let chunk = chunks.next(), !chunk.isNamed("IEND") {
            guard !chunk.body.isEmpty else { continue }
            if chunk.isNamed("eXIf") { take(exif: file.slice(chunk.body)) }
            if let packet = chunk.xmp { take(xmp: packet) }
        }
    }

    private mutating func readWebP(_ file: ByteReader) {
        var offset = 12
        while let length = file.le32(offset + 4) {
            let body = file.slice(offset + 8..<offset + 8 + length)
            if file.has("EXIF", at: offset) { take(exif: body) }
            if file.has("XMP ", at: offset) { take(xmp: body) }
            offset += 8 + length + length % 2
        }
    }

    private mutating func readHEIF(_ file: ByteReader) {
        guard let items = HEIFItems(file) else { return }
        if let item = items.bytes(ofFirst: "Exif") {
            item.withUnsafeBytes { take(exif: Self.behindOffset(ByteReader($0))) }
        }
        if let item = items.bytes(ofFirst: "mime", contentType: "application/rdf+xml") {
            item.withUnsafeBytes { take(xmp: ByteReader($0)) }
        }
    }

    private mutating func readJXL(_ file: ByteReader) {
        let boxes = ISOBoxes(file)
        if let box = boxes.first("Exif") { take(exif: Self.behindOffset(box)) }
        if let box = boxes.first("xml ") { take(xmp: box) }
        if hasSeenEXIF, hasSeenXMP { return }
        let packed = BrotliBoxes(file)
        if !hasSeenEXIF, let box = packed.first("Exif") {
            box.withUnsafeBytes { take(exif: Self.behindOffset(ByteReader($0))) }
        }
        if !hasSeenXMP, let box = packed.first("xml ") { box.withUnsafeBytes { take(xmp: ByteReader($0)) } }
    }

    /// Boxes of EXIF begin with how far behind these four bytes it stands.
    private static func behindOffset(_ body: ByteReader) -> ByteReader {
        let offset = min(body.be32(0) ?? 0, body.count)
        return body.slice(min(4 + offset, body.count)..<body.count)
    }
}
