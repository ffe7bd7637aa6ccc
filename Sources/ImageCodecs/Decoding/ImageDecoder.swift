public import FoundationEssentials
public import Pixels

/// Reads pictures: what a file says about itself, and its pixels at the size that will be shown.
///
/// All functions are synchronous, may be called on any thread, and many at once. A decode is interrupted, by its time
/// limit or a cancellation, between strips of rows, and for a progressive JPEG between rows of blocks of each scan.
/// WebP and interlaced PNG are unpacked in one step, whose cost the limit on pixels bounds; there the limit is looked at
/// before and after.
///
/// Everything but JPEG is decoded in helper processes: these decoders can take any time or memory in one step, and crash.
/// Each picture goes to the helper and back, and the first one waits for a helper to start. As many are at work as there
/// are processors (two at least). The helper is the running program itself, started once more under the name
/// `classicphotos-decoder`; code in this library takes over before `main`, so nothing needs to be installed or called. A
/// picture whose helper dies is tried once more in a fresh one, with the whole time limit again, as the system may have
/// ended the first for want of memory; if that dies too, the picture is `damaged`. A decoder that does not stop in time
/// is ended and is `timeout`; the next picture gets a new helper. Helpers that nobody needs end after half a minute.
///
/// A helper may do nothing but decode. The system refuses all calls but those for memory, threads and its socket to the
/// program: it can neither open a file nor change one, has no network, and can neither start nor signal nor look into a
/// process. Helpers that draw SVG may also read the fonts of the system, for text; fonts in a person's own folder they do
/// not see. All have an empty environment, a session without a terminal, no open files but the socket, and limits on
/// memory and computing time that the system enforces. `HelperConfinement.missing` says what a system lacks of this.
///
/// Two cases are different. Where this library is not part of the program's own file (a plug-in of an interpreter, say)
/// the program cannot be its helper, and these formats are decoded on the calling thread, as with
/// `DecodeLimits.usesHelperProcess` false. Where the system allows no further process, or has no `/proc`, they fail
/// with `unsupportedFormat`.
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
                let watch = DecodeWatch(timeLimit: limits.timeLimit, isCancelled: { false })
                let size = try HelperPool.size(ofSVG: reader, limits: limits, watch: watch)
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
        return try withReader(data) { reader, format throws(ImageCodecError) in
            guard HelperPool.isWanted(for: format, limits) else {
                return try LocalDecoder.decode(reader, format, longestSide: longestSide, limits: limits, watch: watch)
            }
            // What the header alone tells needs no helper.
            if format != .svg { try LocalDecoder.header(reader, format, longestSide: longestSide, limits: limits) }
            return try HelperPool.decode(reader, format, longestSide: longestSide, limits: limits, watch: watch)
        }
    }

    private static func withReader<Result>(
        _ data: Data, _ body: (ByteReader, ImageFormat) throws(ImageCodecError) -> Result
    ) throws(ImageCodecError) -> Result {
        // Data rethrows without the error's type; the result carries it across.
        let outcome: Swift.Result<Result, ImageCodecError> = data.withUnsafeBytes { bytes in
            let reader = ByteReader(bytes)
            do throws(ImageCodecError) {
                return .success(try body(reader, try ContentKind(sniffing: reader).format))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }
}
