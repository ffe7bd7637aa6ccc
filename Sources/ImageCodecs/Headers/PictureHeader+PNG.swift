internal import Pixels

extension PictureHeader {
    /// PNG: the first chunk is IHDR; `acTL` counts an animation's frames, `eXIf` holds the orientation.
    static func png(_ reader: ByteReader) -> PictureHeader? {
        guard reader.has("IHDR", at: 12), let width = reader.be32(16), let height = reader.be32(20),
            let depth = reader.u8(24), let interlace = reader.u8(28)
        else { return nil }
        var header = PictureHeader(size: PixelSize(width: width, height: height))
        // A palette or a 1-bit picture becomes up to four channels of a byte, 16 bits up to four of two bytes.
        let unpacked = depth == 16 ? 8 : 4
        header.fixedBytes = saturatingProduct(width, unpacked, 32)
        if interlace != 0 { header.bytesPerPixel = 2 * unpacked }
        var offset = 33
        while let length = reader.be32(offset), !reader.has("IEND", at: offset + 4) {
            let body = offset + 8..<offset + 8 + length
            if reader.has("acTL", at: offset + 4) {
                header.frames = max(1, reader.be32(body.lowerBound) ?? 1)
            } else if reader.has("eXIf", at: offset + 4) {
                header.orientation = Orientation(exif: reader.slice(body))
            }
            offset = body.upperBound + 4
        }
        return header
    }
}
