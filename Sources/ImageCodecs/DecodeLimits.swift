/// What one picture may cost. All limits are applied to what the headers say before memory is taken for pixels.
public struct DecodeLimits: Hashable, Sendable {
    /// Pixels of the stored picture, or of the rendered one for SVG, at least 1.
    public var maxPixels: Int
    /// Frames of an animation or pages of a TIFF, at least 1. Only the first is decoded.
    public var maxFrames: Int
    /// How long decoding may compute, in processor time of the thread or helper process that decodes, so that a machine which is
    /// busy with other work refuses no good picture. A decode that waits instead of computing is ended once five times
    /// the limit has passed by the clock. Waiting for a free helper process does not count. The clock alone counts for decoders
    /// that others add. See `ImageDecoder` for what is interrupted where.
    public var timeLimit: Duration
    /// Bytes that one decode may take at the same time, estimated from the header: the result, the decoder's own
    /// buffers, and all coefficients of a progressive JPEG. The default lets a progressive JPEG of
    /// 100 million pixels in three full components pass.
    public var maxMemory: Int
    /// Which pictures are decoded in helper processes. Only there do `timeLimit` and `maxMemory` hold whatever a decoder
    /// does, and a crash of it costs no more than the picture.
    public var isolation: DecodeIsolation

    /// Limits. Numbers below 1 are taken as 1.
    ///
    /// - Parameters:
    ///   - maxPixels: Pixels of the stored picture. Default: 100 million.
    ///   - maxFrames: Frames or pages of the file. Default: 1,000.
    ///   - timeLimit: How long decoding may compute. Default: 20 s.
    ///   - maxMemory: Bytes that one decode may take. Default: 1 GiB.
    ///   - isolation: What is decoded in helper processes. Default: everything but plain JPEG.
    public init(
        maxPixels: Int = 100_000_000, maxFrames: Int = 1_000, timeLimit: Duration = .seconds(20),
        maxMemory: Int = 1 << 30, isolation: DecodeIsolation = .standard
    ) {
        self.isolation = isolation
        self.maxPixels = max(1, maxPixels)
        self.maxFrames = max(1, maxFrames)
        self.timeLimit = timeLimit
        self.maxMemory = max(1, maxMemory)
    }
}
