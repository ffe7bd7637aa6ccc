internal import CVips

/// Pulls rows of bytes of a picture through libvips on the calling thread, from top to bottom.
///
/// libvips' own sinks would start threads for each picture; a region is computed by the thread that asks, and between
/// two strips there is a place to stop.
struct VipsRows {
    private let image: UnsafeMutablePointer<VipsImage>
    private let rows: Range<Int>

    /// - Parameter rows: Which of them; nil for all.
    init(_ image: UnsafeMutablePointer<VipsImage>, rows: Range<Int>? = nil) {
        self.image = image
        self.rows = rows ?? 0..<Int(image.pointee.Ysize)
    }

    /// - Throws: the watch's verdict, or `damaged` without words if libvips fails; its messages are then untouched.
    func forEach(
        watch: DecodeWatch, _ body: (Int, UnsafePointer<UInt8>) -> Void
    ) throws(ImageCodecError) {
        guard let region = vips_region_new(image) else { throw .damaged("") }
        defer { cvips_release(region) }
        let rowBytes = max(1, Int(image.pointee.Xsize) * Int(image.pointee.Bands))
        // Sixteen rows is how libvips' own readers work; fewer where rows are huge.
        let strip = max(1, min(16, (4 << 20) / rowBytes))
        for top in stride(from: rows.lowerBound, to: rows.upperBound, by: strip) {
            try watch.check()
            let count = min(strip, rows.upperBound - top)
            var area = VipsRect(left: 0, top: Int32(top), width: image.pointee.Xsize, height: Int32(count))
            guard vips_region_prepare(region, &area) == 0 else { throw .damaged("") }
            for y in top..<top + count {
                guard let row = cvips_region_row(region, Int32(y)) else { throw .damaged("") }
                body(y - rows.lowerBound, row.assumingMemoryBound(to: UInt8.self))
            }
        }
    }
}
