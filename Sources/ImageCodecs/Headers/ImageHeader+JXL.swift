internal import Pixels

extension ImageHeader {
    /// JPEG XL: a bare codestream or one in boxes. ISO/IEC 18181-1, "SizeHeader" and "ImageMetadata".
    ///
    /// The decoder itself applies the orientation, so the size is given upright.
    static func jxl(_ reader: ByteReader) throws(ImageCodecError) -> ImageHeader? {
        guard let stream = jxlCodestream(reader), stream.has([0xFF, 0x0A]) else { return nil }
        var bits = BitReader(stream.slice(2..<min(stream.count, 4_096)))
        let isSmall = bits.take(1) == 1
        let height = isSmall ? 8 * (bits.take(5) + 1) : jxlSide(&bits)
        let ratios = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)]
        let ratio = bits.take(3)
        let width =
            ratio == 0
            ? (isSmall ? 8 * (bits.take(5) + 1) : jxlSide(&bits))
            : height * ratios[ratio - 1].0 / ratios[ratio - 1].1
        let metadata = JXLMetadata(&bits)
        guard !bits.ranOut else { return nil }
        if let kind = metadata.unsupported { throw .unsupportedFormat(kind) }
        var header = ImageHeader(size: metadata.orientation.applied(to: PixelSize(width: width, height: height)))
        // Channels are floats while decoding, in more than one copy.
        header.bytesPerPixel = 40
        if metadata.codePoints?.highRange != nil { header.highRange = metadata.codePoints }
        header.isPremultiplied = metadata.isPremultiplied
        return header
    }

    private static func jxlCodestream(_ reader: ByteReader) -> ByteReader? {
        if reader.has([0xFF, 0x0A]) { return reader }
        let boxes = ISOBoxes(reader)
        if let whole = boxes.first("jxlc") { return whole }
        // The first partial box begins with its number in four bytes.
        return boxes.first("jxlp").map { $0.slice(4..<max(4, $0.count)) }
    }

    private static func jxlSide(_ bits: inout BitReader) -> Int {
        let widths = [9, 13, 18, 30]
        return 1 + bits.take(widths[bits.take(2)])
    }
}
