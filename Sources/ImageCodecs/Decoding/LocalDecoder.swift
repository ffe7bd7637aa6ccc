internal import Pixels

/// Decodes on the calling thread, in the process that it is called in.
enum LocalDecoder {
    /// Reads the header and applies the limits to it. `target` is the result's size before the orientation.
    @discardableResult
    static func header(
        _ reader: ByteReader, _ format: ImageFormat, longestSide: Int?, limits: DecodeLimits
    ) throws(ImageCodecError) -> (header: PictureHeader, target: PixelSize) {
        let header = try PictureHeader(format, reader, limits: limits)
        let target = longestSide.map { header.size.fitting(longestSide: max(1, $0)) } ?? header.size
        try header.check(limits, result: target)
        return (header, target)
    }

    static func decode(
        _ reader: ByteReader, _ format: ImageFormat, longestSide: Int?, limits: DecodeLimits, watch: DecodeWatch
    ) throws(ImageCodecError) -> PixelBuffer {
        if format == .svg {
            return try VipsDecoder.svg(reader, longestSide: longestSide, limits: limits, watch: watch)
        }
        let (header, target) = try header(reader, format, longestSide: longestSide, limits: limits)
        if let jpeg = header.jpeg {
            return try JPEGDecoder(header: jpeg, limits: limits, watch: watch).decode(reader, size: target)
        }
        guard format == .png, let drawn = try PNGChunks.drawn(reader) else {
            return try VipsDecoder.decode(
                reader, format: format, header: header, target: target, limits: limits, watch: watch)
        }
        let outcome: Result<PixelBuffer, ImageCodecError> = drawn.withUnsafeBytes { bytes in
            do throws(ImageCodecError) {
                return .success(
                    try VipsDecoder.decode(
                        ByteReader(bytes), format: format, header: header, target: target, limits: limits,
                        watch: watch))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }
}
