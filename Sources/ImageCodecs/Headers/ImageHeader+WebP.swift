internal import Pixels

extension ImageHeader {
    /// WebP: VP8 (lossy), VP8L (lossless), or VP8X with a canvas, frames (`ANMF`), `EXIF` and `XMP `.
    static func webp(_ reader: ByteReader, mostFrames: Int) -> ImageHeader? {
        guard var header = webpSize(reader) else { return nil }
        // The decoder holds the whole canvas, an animation's twice.
        header.bytesPerPixel = 6
        var frames = 0
        var loopCount: Int?
        var tags = OrientationTags()
        var offset = 12
        while let length = reader.le32(offset + 4) {
            if reader.has("ANMF", at: offset) {
                frames += 1
                if frames >= mostFrames { break }
            } else if reader.has("ANIM", at: offset), length >= 6 {
                // Behind the background; the first one counts.
                loopCount = loopCount ?? reader.le16(offset + 12)
            } else if reader.has("EXIF", at: offset) {
                tags.take(exif: reader.slice(offset + 8..<offset + 8 + length))
            } else if reader.has("XMP ", at: offset) {
                tags.take(xmp: reader.slice(offset + 8..<offset + 8 + length))
            }
            offset += 8 + length + length % 2
        }
        header.orientation = tags.orientation
        if frames > 0 { header.bytesPerPixel = 12 }
        header.frames = max(1, frames)
        header.loopCount = loopCount ?? 1
        return header
    }

    private static func webpSize(_ reader: ByteReader) -> ImageHeader? {
        if reader.has("VP8X", at: 12), let width = reader.le24(24), let height = reader.le24(27) {
            return ImageHeader(size: PixelSize(width: width + 1, height: height + 1))
        }
        if reader.has("VP8L", at: 12), reader.u8(20) == 0x2F, let bits = reader.le32(21) {
            return ImageHeader(size: PixelSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1))
        }
        if reader.has("VP8 ", at: 12), reader.has([0x9D, 0x01, 0x2A], at: 23),
            let width = reader.le16(26), let height = reader.le16(28)
        {
            return ImageHeader(size: PixelSize(width: width & 0x3FFF, height: height & 0x3FFF))
        }
        return nil
    }
}
