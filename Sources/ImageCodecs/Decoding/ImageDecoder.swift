public import FoundationEssentials
public import Pixels

/// Reads pictures: what a file says about itself, and its pixels at the size that will be shown.
///
/// All functions are synchronous, may be called on any thread, and many at once. A decode is interrupted, by its time
/// limit or a cancellation, between strips of rows, and for a progressive JPEG between rows of blocks of each scan.
/// WebP and interlaced PNG are unpacked in one step, whose cost the limit on pixels bounds; there the limit is looked at
/// before and after.
///
/// Everything but plain JPEG is decoded in helper processes: these decoders can take any time or memory in one step, and
/// crash. `DecodeLimits.isolation` sends JPEG there, too. A JPEG in inks (CMYK), or with a profile whose colours are not
/// those of sRGB, Display P3 or Adobe RGB, goes there in any case, because profiles are programs of a kind. A file goes to a
/// helper once, and its header, its size and its pixels come back. The first one waits for a helper to start. As many are at
/// work as there are processors that the program may use (two at least). The helper is the running program itself, started once more under the name
/// `classicphotos-decoder`; code in this library takes over before `main`, so nothing needs to be installed or called. A
/// picture whose helper dies is tried once more in a fresh one, within what is left of the time limit, as the system may have
/// ended the first for want of memory. If that dies too, the picture is `tooMuchMemory` where the decoder met its limit,
/// `damaged` where it crashed for another reason, and `decoderKilled` where somebody else ended it, or where nobody can know
/// how it ended because the program collects all its children itself. A decoder that meets its
/// limit and ends in order is `tooMuchMemory`, too, unless it met it in a thread of its own (AVIF's may) and does not say. A
/// decoder that does not stop in time is ended and is `timeout`; the next picture gets a new helper. A helper that nobody
/// needs ends after half a minute.
///
/// A helper may do nothing but decode. The system refuses all calls but those for memory, threads and its socket to the
/// program: it can neither open a file nor change one, has no network, and can neither start nor signal nor look into a
/// process. Helpers that draw SVG may also read the fonts of the system, for text; fonts in a person's own folder they do
/// not see. All have an empty environment, a session without a terminal, no open files but the socket, and limits on
/// memory and computing time that the program sets and the system enforces. `HelperConfinement.missing` says what a system
/// lacks of this.
///
/// Two cases are different. Where this library is not part of the program's own file (a plug-in of an interpreter, say)
/// the program cannot be its helper, and everything is decoded on the calling thread, as with the isolation `nothing`. Where
/// the system allows no further process, or has no `/proc`, what would go to a helper fails with `unsupportedFormat`.
public enum ImageDecoder {
    /// Reads the header: no pixels are decoded and no memory is taken for them. That of an SVG, and with the isolation
    /// `everything` that of a JPEG, is read by a helper.
    ///
    /// - Parameters:
    ///   - data: the whole file.
    ///   - limits: `maxFrames` is the number up to which frames are counted (plus one); `timeLimit`, `maxMemory` and
    ///     `isolation` count as for decoding.
    ///   - isCancelled: asked often, on the calling thread; it must be quick.
    /// - Throws: `empty`, `notAnImage`, `unsupportedFormat`, or `damaged` for a header that cannot be read; `timeout`,
    ///   `cancelled` and `decoderKilled` where a helper reads it.
    public static func probe(
        _ data: Data, limits: DecodeLimits = DecodeLimits(), isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(ImageCodecError) -> ImageInfo {
        let watch = DecodeWatch(timeLimit: limits.timeLimit, isCancelled: isCancelled)
        return try withReader(data) { reader, format throws(ImageCodecError) in
            guard !canReadHeaderHere(format, limits), HelperPool.isWanted(for: format, limits) else {
                return try LocalDecoder.info(reader, format, limits: limits)
            }
            return try HelperPool.shared.info(reader, format, limits: limits, watch: watch)
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
    ///   data that would show as wrong pixels, are `damaged`; see ``DecodeOptions/toleratesDamage``.
    public static func decode(
        _ data: Data, longestSide: Int?, limits: DecodeLimits = DecodeLimits(),
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(ImageCodecError) -> PixelBuffer {
        try decodeWithInfo(data, longestSide: longestSide, limits: limits, isCancelled: isCancelled).pixels
    }

    /// Decodes a picture, as `decode` does, and says what its header says, for the cost of one of both.
    public static func decodeWithInfo(
        _ data: Data, longestSide: Int?, limits: DecodeLimits = DecodeLimits(),
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(ImageCodecError) -> DecodedImage {
        try decodeWithInfo(
            data, DecodeOptions(resize: longestSide.map(Resize.longestSide)), limits: limits, isCancelled: isCancelled)
    }

    /// Decodes a picture, as `decode` does, in one of the ways that there are to fit it into a box.
    ///
    /// ```swift
    /// import Foundation
    /// import ImageCodecs
    /// import Pixels
    ///
    /// let file = try Data(contentsOf: URL(filePath: "dune.jpg"))
    /// let resize = Resize.crop(width: 300, height: 300, gravity: .attention)
    /// print(try ImageDecoder.decodeWithInfo(file, DecodeOptions(resize: resize)).pixels.size)
    /// ```
    /// ```text
    /// 300 x 300
    /// ```
    /// A JPEG or WebP is unpacked at the smallest scale that serves, and an SVG is drawn at the size that is wanted, also where
    /// that is larger than its own.
    ///
    /// - Parameters:
    ///   - data: The whole file.
    ///   - options: What is wanted of it.
    ///   - limits: Applied to the header before memory is taken, and to the size of the result.
    ///   - isCancelled: Asked often, on the calling thread; it must be quick.
    /// - Throws: As `decode`; `tooManyPixels` also where the result would have more than the limit.
    public static func decodeWithInfo(
        _ data: Data, _ options: DecodeOptions, limits: DecodeLimits = DecodeLimits(),
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(ImageCodecError) -> DecodedImage {
        let watch = DecodeWatch(timeLimit: limits.timeLimit, isCancelled: isCancelled)
        try watch.check()
        var image = try decoded(data, options, limits: limits, watch: watch)
        if options.keepsMetadata { image.metadata = ImageMetadata(of: data) }
        image.pixels = try AttentionCrop.finished(image.pixels, options, watch: watch)
        return image
    }

    private static func decoded(
        _ data: Data, _ options: DecodeOptions, limits: DecodeLimits, watch: DecodeWatch
    ) throws(ImageCodecError) -> DecodedImage {
        try withReader(data) { reader, format throws(ImageCodecError) in
            if canReadHeaderHere(format, limits) {
                // What the header alone tells needs no helper.
                let opened = try LocalDecoder.open(reader, format, options, limits: limits)
                if !HelperPool.isWanted(for: opened, limits) {
                    return try LocalDecoder.decode(opened, reader, limits: limits, watch: watch)
                }
            } else if !HelperPool.isWanted(for: format, limits) {
                return try LocalDecoder.decode(reader, format, options, limits: limits, watch: watch)
            }
            return try HelperPool.shared.decode(reader, format, options, limits: limits, watch: watch)
        }
    }

    /// The bytes that pictures take while one is decoded, or what they are at most where only a helper can read the header;
    /// nil for what is refused without a helper.
    package static func mostBytes(of data: Data, _ options: DecodeOptions, limits: DecodeLimits) -> Int? {
        let format: ImageFormat? = data.withUnsafeBytes { bytes in
            guard case .image(let format) = ContentKind(sniffing: ByteReader(bytes)) else { return nil }
            return format
        }
        guard let format else { return nil }
        let most = saturatingProduct(limits.maxPixels, 4)
        guard canReadHeaderHere(format, limits) else {
            guard let resize = options.resize, resize.mode != .fill, resize.gravity == .centre else { return most }
            return min(most, saturatingProduct(resize.box.width, resize.box.height, 4))
        }
        let header = try? withReader(data) { reader, format throws(ImageCodecError) in
            try ImageHeader(format, reader, limits: limits)
        }
        guard let header, case let plan = header.plan(options),
            saturatingProduct(plan.result.width, plan.result.height, 4) <= most
        else { return nil }
        return plan.bytes(from: header.size, header.orientation)
    }

    /// Whether code that cannot leave the file's bounds, or libjpeg where it is trusted, reads headers of a kind.
    private static func canReadHeaderHere(_ format: ImageFormat, _ limits: DecodeLimits) -> Bool {
        switch format {
        case .svg: false
        case .jpeg: !HelperPool.isWanted(for: .jpeg, limits)
        case .png, .webp, .gif, .tiff, .heif, .avif, .jxl: true
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
