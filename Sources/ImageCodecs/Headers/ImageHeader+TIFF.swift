internal import Pixels

extension ImageHeader {
    /// TIFF and BigTIFF: the first directory, and the number of pages.
    ///
    /// Not by libvips: it reads all pages before it says anything (26 s for 500,000 of them), and tells neither how much of
    /// the picture one strip is nor that a file is a raw one with a small preview.
    static func tiff(_ reader: ByteReader, mostFrames: Int) throws(ImageCodecError) -> ImageHeader? {
        guard let chain = TIFFDirectories(reader), let page = chain.first,
            let width = page.value(256), let height = page.value(257)
        else { return nil }
        if page.value(50_706) != nil { throw .unsupportedFormat("camera raw (DNG)") }
        // Cameras put a preview in the first directory and their raw data into others below it.
        if page.value(330) != nil, page.value(254).map({ $0 & 1 == 1 }) == true, page.value(271) == nil {
            throw .unsupportedFormat("camera raw")
        }
        let samples = TIFFSamples(page)
        if let kind = samples.unsupported { throw .unsupportedFormat(kind) }
        var header = ImageHeader(size: PixelSize(width: width, height: height))
        header.orientation = Orientation(tag: page.value(274))
        header.mostExtras = samples.mostExtras
        header.frames = max(1, chain.count(upTo: mostFrames))
        let sampleBits = saturatingProduct(page.value(277) ?? 1, page.value(258) ?? 1)
        let bytes = max(1, sampleBits.saturatingSum(7) / 8)
        if let tileWidth = page.value(322), let tileHeight = page.value(323) {
            // A row of tiles at a time, and one more while it is unpacked.
            let across = saturatingProduct(width.saturatingSum(tileWidth) / max(1, tileWidth), tileWidth)
            header.fixedBytes = saturatingProduct(across.saturatingSum(tileWidth), tileHeight, max(4, bytes), 2)
        } else {
            let rows = min(page.value(278) ?? height, height)
            header.fixedBytes = saturatingProduct(rows, width, max(4, bytes), 2)
        }
        return header
    }
}
