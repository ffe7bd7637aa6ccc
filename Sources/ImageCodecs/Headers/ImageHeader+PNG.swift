internal import Pixels

extension ImageHeader {
    /// PNG: the first chunk is IHDR; `acTL` counts an animation's frames, `eXIf` or XMP holds the orientation.
    static func png(_ reader: ByteReader) -> ImageHeader? {
        guard reader.has("IHDR", at: 12), let width = reader.be32(16), let height = reader.be32(20),
            let depth = reader.u8(24), let kind = reader.u8(25), let interlace = reader.u8(28)
        else { return nil }
        var header = ImageHeader(size: PixelSize(width: width, height: height))
        // A palette or a 1-bit picture becomes up to four channels of a byte, 16 bits up to four of two bytes.
        let unpacked = depth == 16 ? 8 : 4
        header.fixedBytes = saturatingProduct(width, unpacked, 32)
        if interlace != 0 { header.bytesPerPixel = 2 * unpacked }
        var chunks = PNGChunks(reader)
        var colours = PNGColours()
        var tags = OrientationTags()
        var isBeforeData = true
        while let chunk = chunks.next(), !chunk.isNamed("IEND") {
            if chunk.isNamed("IDAT") { isBeforeData = false }
            if isBeforeData { colours.take(chunk) }
            if chunk.isNamed("acTL") {
                header.frames = max(1, reader.be32(chunk.body.lowerBound) ?? 1)
            } else if chunk.isNamed("eXIf") {
                tags.take(exif: reader.slice(chunk.body))
            } else if let packet = chunk.xmp {
                tags.take(xmp: packet)
            }
        }
        header.orientation = tags.orientation
        // Grey, with alpha or without.
        header.profile = colours.profile(isGrey: kind & 2 == 0)
        header.highRange = colours.highRange
        return header
    }
}
