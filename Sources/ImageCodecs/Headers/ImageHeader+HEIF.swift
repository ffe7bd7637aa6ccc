internal import Pixels

extension ImageHeader {
    /// HEIF and AVIF: the primary item's properties in the `meta` box.
    static func heif(_ reader: ByteReader) throws(ImageCodecError) -> ImageHeader? {
        // A still picture of its own it has only by a brand that says so.
        let brands = reader.slice(8..<max(8, min(reader.be32(0) ?? 0, 256)))
        func has(_ brand: StaticString) -> Bool {
            stride(from: 0, to: brands.count, by: 4).contains { brands.has(brand, at: $0) }
        }
        if has("avis"), !has("avif"), !has("mif1") { throw .unsupportedFormat("AVIF sequence") }
        guard let picture = try HEIFPicture(reader) else { return nil }
        var header = ImageHeader(size: picture.turns.part.size)
        header.orientation = picture.turns.orientation
        if picture.turns.part != StoredPart(size: picture.size) { header.part = picture.turns.part }
        header.wholeSize = area(picture.largestSize) > area(picture.size) ? picture.largestSize : picture.size
        header.patches = picture.silenced + HEIFItems.patches(reader)
        // What the decoder holds and gives to libheif, colours in planes, and interleaved.
        header.bytesPerPixel = picture.sampleBytes * (picture.hasAlpha ? 13 : 10)
        header.hasShortColours = picture.hasShortGrey
        header.hasShortAlpha = picture.hasShortAlpha
        header.isPremultiplied = picture.isPremultiplied && picture.hasAlpha
        if let points = picture.codePoints {
            header.profile = points.profile(isGrey: false)
            if points.highRange != nil { header.highRange = points }
        }
        return header
    }

    private static func area(_ size: PixelSize) -> Int { saturatingProduct(size.width, size.height) }
}
