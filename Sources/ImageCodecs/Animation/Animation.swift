public import FoundationEssentials
internal import Pixels

/// The frames of an animated GIF or WebP, each decoded when it is asked for.
///
/// However long the animation, no more than a few frames are in memory besides those that the caller keeps. Asking for
/// frames in order is fast; going back, which the start of another round is, begins again with the first. A picture that does not
/// move is an animation of one frame. As many animations may be played at the same time as there are processors, eight at least,
/// before their helpers have to begin again with the first frame.
///
/// Functions may be called on any thread; those for the same animation wait for each other.
public final class Animation: Sendable {
    /// How many frames there are, at least 1.
    public let frameCount: Int
    /// How many times the frames are played, as the file says; 0 for without end.
    ///
    /// A WebP says this number. A GIF says how many times the frames are repeated, which is one less; one that says nothing is
    /// played once, as in browsers.
    public let loopCount: Int

    private let data: Data
    private let format: ImageFormat
    private let options: DecodeOptions
    private let limits: DecodeLimits
    /// Tells a helper which animation is meant.
    private let identity = UInt64.random(in: 1 ... .max)
    private let reader = Guarded<FrameReader?>(nil)

    /// Reads the header; no pixels are decoded.
    ///
    /// - Parameters:
    ///   - data: The whole file.
    ///   - longestSide: As for `ImageDecoder.decode`.
    ///   - limits: `maxPixels` and `maxMemory` are for one frame, and `timeLimit` is for the decoding of one.
    /// - Throws: As `ImageDecoder.probe`, what the limits refuse, and `unsupportedFormat` for anything but GIF and WebP.
    public convenience init(
        _ data: Data, longestSide: Int?, limits: DecodeLimits = DecodeLimits()
    ) throws(ImageCodecError) {
        try self.init(data, DecodeOptions(resize: longestSide.map(Resize.longestSide)), limits: limits)
    }

    /// Reads the header; no pixels are decoded.
    ///
    /// - Parameters:
    ///   - data: The whole file.
    ///   - options: As for `ImageDecoder.decodeWithInfo`. Frames that are cut are cut in their middle, also where attention is
    ///     asked for, so that they do not jump.
    ///   - limits: As for the other initializer.
    /// - Throws: As the other initializer.
    public init(
        _ data: Data, _ options: DecodeOptions, limits: DecodeLimits = DecodeLimits()
    ) throws(ImageCodecError) {
        let info = try ImageDecoder.probe(data, limits: limits)
        guard info.format == .gif || info.format == .webp else {
            throw .unsupportedFormat("\(info.format.rawValue.uppercased()) is not read as an animation")
        }
        let header: Result<ImageHeader, ImageCodecError> = data.withUnsafeBytes { bytes in
            Result { () throws(ImageCodecError) in
                try LocalDecoder.open(ByteReader(bytes), info.format, options, limits: limits, isMoving: true).header
            }
        }
        loopCount = try header.get().loopCount
        frameCount = info.frames
        format = info.format
        self.data = data
        self.options = options
        self.limits = limits
    }

    /// Decodes a frame, on the calling thread or in a helper process.
    ///
    /// - Parameters:
    ///   - index: From 0 to below `frameCount`.
    ///   - isCancelled: Asked often, on the calling thread; it must be quick.
    /// - Throws: As `ImageDecoder.decode`; `damaged` for a frame that there is not.
    public func frame(
        _ index: Int, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(ImageCodecError) -> AnimationFrame {
        let watch = DecodeWatch(timeLimit: limits.timeLimit, isCancelled: isCancelled)
        try watch.check()
        guard (0..<frameCount).contains(index) else { throw .damaged("it has no frame at index \(index)") }
        return try reader.withLock { reader throws(ImageCodecError) in
            let outcome: Result<AnimationFrame, ImageCodecError> = data.withUnsafeBytes { bytes in
                do throws(ImageCodecError) {
                    return .success(try frame(index, ByteReader(bytes), &reader, watch))
                } catch {
                    return .failure(error)
                }
            }
            return try outcome.get()
        }
    }

    private func frame(
        _ index: Int, _ file: ByteReader, _ reader: inout FrameReader?, _ watch: DecodeWatch
    ) throws(ImageCodecError) -> AnimationFrame {
        if HelperPool.isWanted(for: format, limits) {
            return try HelperPool.shared.frame(
                index, of: identity, file, options, limits: limits, watch: watch)
        }
        let opened: FrameReader
        if let reader {
            opened = reader
        } else {
            opened = try FrameReader(file, format, options, limits: limits)
            reader = opened
        }
        return try opened.frame(index, watch: watch)
    }
}
