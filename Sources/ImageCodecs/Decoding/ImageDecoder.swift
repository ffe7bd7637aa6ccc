public import FoundationEssentials
public import Pixels

/// Reads pictures: what a file says about itself, and its pixels at the size that will be shown.
///
/// All functions are synchronous, may be called on any thread, and many at once. A decode is interrupted, by its time
/// limit or a cancellation, between strips of rows, and for a progressive JPEG between rows of blocks of each scan.
/// WebP and interlaced PNG are unpacked in one step, whose cost the limit on pixels bounds; there the limit is looked at
/// before and after. SVG, HEIF, AVIF and JPEG XL can take any time in one step: they are decoded on a thread of their
/// own, which is left behind when the limit or a cancellation comes first. At most four such threads may be left behind
/// at a time; until one has ended, further pictures of these kinds fail with `timeout` at once.
public enum ImageDecoder {
    /// Reads the header: no pixels are decoded and no memory is taken for them.
    ///
    /// - Parameters:
    ///   - data: the whole file.
    ///   - limits: only `maxFrames` counts, as the number up to which frames are counted (plus one).
    /// - Throws: `empty`, `notAnImage`, `unsupportedFormat`, or `damaged` for a header that cannot be read.
    public static func probe(
        _ data: Data, limits: DecodeLimits = DecodeLimits()
    ) throws(ImageCodecError) -> ImageInfo {
        try withReader(data) { reader, format throws(ImageCodecError) in
            if format == .svg {
                let size = try VipsDecoder.svgSize(reader)
                return ImageInfo(format: .svg, size: size, frames: 1)
            }
            let header = try PictureHeader(format, reader, limits: limits)
            return ImageInfo(
                format: format, size: header.orientation.applied(to: header.size), frames: header.frames)
        }
    }

    /// Decodes a picture upright, in sRGB, at the size that will be shown. Of an animation or a TIFF of several pages
    /// it is the first.
    ///
    /// - Parameters:
    ///   - data: the whole file.
    ///   - longestSide: the result's longest side in pixels, at least 1; the shorter one follows from the aspect,
    ///     rounded to the nearest pixel. A smaller picture is never enlarged; nil is the full size.
    ///   - limits: applied to the header before memory is taken.
    ///   - isCancelled: asked often, on the calling thread; it must be quick.
    /// - Throws: every case of `ImageCodecError` but `encodingFailed`. A file that is cut off, and a JPEG with broken
    ///   data that would show as wrong pixels, are `damaged`.
    public static func decode(
        _ data: Data, longestSide: Int?, limits: DecodeLimits = DecodeLimits(),
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(ImageCodecError) -> PixelBuffer {
        let watch = DecodeWatch(timeLimit: limits.timeLimit, isCancelled: isCancelled)
        try watch.check()
        switch ImageFormat(sniffing: data) {
        case .svg, .heif, .avif, .jxl:
            return try DetachedDecode.run(watch: watch) { inner throws(ImageCodecError) in
                try decode(data, longestSide: longestSide, limits: limits, watch: inner)
            }
        default:
            return try decode(data, longestSide: longestSide, limits: limits, watch: watch)
        }
    }

    private static func decode(
        _ data: Data, longestSide: Int?, limits: DecodeLimits, watch: DecodeWatch
    ) throws(ImageCodecError) -> PixelBuffer {
        try withReader(data) { reader, format throws(ImageCodecError) in
            if format == .svg {
                return try VipsDecoder.svg(reader, longestSide: longestSide, limits: limits, watch: watch)
            }
            let header = try PictureHeader(format, reader, limits: limits)
            let target = longestSide.map { header.size.fitting(longestSide: max(1, $0)) } ?? header.size
            try header.check(limits, result: target)
            if let jpeg = header.jpeg {
                return try JPEGDecoder(header: jpeg, limits: limits, watch: watch).decode(reader, size: target)
            }
            return try VipsDecoder.decode(
                reader, format: format, header: header, target: target, limits: limits, watch: watch)
        }
    }

    private static func withReader<Result>(
        _ data: Data, _ body: (ByteReader, ImageFormat) throws(ImageCodecError) -> Result
    ) throws(ImageCodecError) -> Result {
        // Data rethrows without the error's type; the result carries it across.
        let outcome: Swift.Result<Result, ImageCodecError> = data.withUnsafeBytes { bytes in
            let reader = ByteReader(bytes)
            do throws(ImageCodecError) {
                switch ContentKind(sniffing: reader) {
                case .empty: throw .empty
                case .notAnImage: throw .notAnImage
                case .unsupported(let name): throw .unsupportedFormat(name)
                case .image(let format): return .success(try body(reader, format))
                }
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }
}
