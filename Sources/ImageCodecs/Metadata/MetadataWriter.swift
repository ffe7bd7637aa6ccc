internal import FoundationEssentials
internal import Pixels

/// Puts metadata into a file that an encoder has made without.
struct MetadataWriter {
    let metadata: ImageMetadata

    /// A JPEG with it, behind the header of JFIF, which wants to be the first.
    func jpeg(_ file: Data) -> Data {
        let start = [UInt8](file.prefix(6))
        guard start.count == 6 else { return file }
        let place = start[2] == 0xFF && start[3] == 0xE0 ? 4 + Int(start[4]) << 8 + Int(start[5]) : 2
        guard place <= file.count else { return file }
        var segments = Data()
        func append(_ name: String, _ body: Data) {
            let length = 2 + name.utf8.count + body.count
            segments += [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + Array(name.utf8)
            segments += body
        }
        if let exif = metadata.exif { append("Exif\0\0", exif) }
        if let xmp = metadata.xmp { append("http://ns.adobe.com/xap/1.0/\0", xmp) }
        return file.prefix(place) + segments + file.dropFirst(place)
    }

    /// A PNG with it, behind its header, and without a resolution of another's: libvips writes 1,000 pixels per metre.
    func png(_ file: Data) -> Data {
        let headerEnd = 33
        guard file.count > headerEnd else { return file }
        var chunks = Data()
        func append(_ name: String, _ body: Data) {
            let named = Array(name.utf8) + body
            chunks += Self.bigEndian(body.count) + named + Self.bigEndian(Int(Self.checksum(named)))
        }
        if let exif = metadata.exif { append("eXIf", exif) }
        if let xmp = metadata.xmp { append("iTXt", Data("XML:com.adobe.xmp\0\0\0\0\0".utf8) + xmp) }
        let resolution = Self.resolution(in: file) ?? headerEnd..<headerEnd
        var whole = Data(capacity: file.count + chunks.count)
        whole += file.prefix(headerEnd)
        whole += chunks
        whole += file.dropFirst(headerEnd).prefix(resolution.lowerBound - headerEnd)
        whole += file.dropFirst(resolution.upperBound)
        return whole
    }

    /// Where the chunk of the resolution stands, in front of the pixels.
    private static func resolution(in file: Data) -> Range<Int>? {
        file.withUnsafeBytes { bytes in
            var chunks = PNGChunks(ByteReader(bytes))
            while let chunk = chunks.next(), !chunk.isNamed("IDAT") {
                if chunk.isNamed("pHYs") { return chunk.range }
            }
            return nil
        }
    }

    /// A WebP with it, at its end, and with none of another's: libvips writes EXIF of its own, also where it is to write none.
    func webp(_ file: Data, of buffer: PixelBuffer) -> Data {
        var image: [UInt8] = []
        var parts = 0
        file.withUnsafeBytes { bytes in
            let reader = ByteReader(bytes)
            var offset = 12
            while let length = reader.le32(offset + 4) {
                let end = offset + 8 + length + length % 2
                if reader.has("ALPH", at: offset) || reader.has("VP8 ", at: offset) || reader.has("VP8L", at: offset) {
                    image += reader.slice(offset..<end).bytes
                    parts += 1
                }
                offset = end
            }
        }
        guard parts > 0 else { return file }
        // What has only a picture needs no header that names its parts.
        guard metadata != ImageMetadata() || parts > 1 else { return Self.riff(image) }
        var flags: UInt8 = buffer.isOpaque ? 0 : 0x10
        var behind: [UInt8] = []
        func append(_ name: String, _ body: Data) {
            behind +=
                Array(name.utf8) + Self.littleEndian(body.count) + body + [UInt8](repeating: 0, count: body.count % 2)
        }
        if let exif = metadata.exif {
            flags |= 0x08
            append("EXIF", exif)
        }
        if let xmp = metadata.xmp {
            flags |= 0x04
            append("XMP ", xmp)
        }
        let header =
            Array("VP8X".utf8) + Self.littleEndian(10) + [flags, 0, 0, 0]
            + Self.littleEndian(buffer.size.width - 1).prefix(3) + Self.littleEndian(buffer.size.height - 1).prefix(3)
        return Self.riff(header + image + behind)
    }

    private static func riff(_ parts: [UInt8]) -> Data {
        Data(Array("RIFF".utf8) + littleEndian(4 + parts.count) + Array("WEBP".utf8) + parts)
    }

    static func bigEndian(_ number: Int) -> [UInt8] { littleEndian(number).reversed() }

    private static func littleEndian(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// PNG's checksum: CRC-32 of ISO 3309.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = ~0
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 0 ? sum >> 1 : (sum >> 1) ^ 0xEDB8_8320 }
        }
        return ~sum
    }
}
