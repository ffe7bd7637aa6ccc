package import Pixels

/// A picture that somebody else's decoder reads: what the limits say to its size, and what is done to make its pixels the picture
/// that is wanted.
package struct ForeignDecoding {
    /// The published size, upright.
    private let size: PixelSize
    private let options: DecodeOptions
    private let limits: DecodeLimits

    /// - Parameter size: The published size, upright, as the file's header says.
    package init(of size: PixelSize, _ options: DecodeOptions, limits: DecodeLimits) {
        self.size = size
        self.options = options
        self.limits = limits
    }

    /// The bytes that pictures take while it is decoded; nil for one that is refused.
    package var mostBytes: Int? {
        do throws(ImageCodecError) {
            try check()
            return bytes
        } catch {
            return nil
        }
    }

    /// Decodes it.
    ///
    /// - Parameters:
    ///   - isCancelled: Asked often, on the calling thread.
    ///   - decode: Gives all of the picture, or the picture at the size that is wanted; is given a closure that says when it has to
    ///     stop.
    /// - Throws: What `decode` throws; `timeout` if the time was over before that, `damaged` for pixels of another size.
    package func decoded(
        isCancelled: @escaping @Sendable () -> Bool,
        _ decode: (@escaping @Sendable () -> Bool) throws(ImageCodecError) -> PixelBuffer
    ) throws(ImageCodecError) -> PixelBuffer {
        try check()
        let watch = DecodeWatch(timeLimit: limits.timeLimit, processor: .unknown, isCancelled: isCancelled)
        try watch.check()
        let deadline = ContinuousClock.now + limits.timeLimit
        let image: PixelBuffer
        do throws(ImageCodecError) {
            image = try decode { isCancelled() || ContinuousClock.now >= deadline }
        } catch {
            // It stopped because it was told to.
            try watch.check()
            throw error
        }
        try watch.check()
        return try resized(image, watch)
    }

    private func resized(_ image: PixelBuffer, _ watch: DecodeWatch) throws(ImageCodecError) -> PixelBuffer {
        let plan = DecodePlan(options, of: size)
        if image.size == plan.result { return image }
        guard image.size == size else {
            throw .damaged("its header says \(size) pixels, and its decoder made \(image.size) of it")
        }
        var scaled = image
        if plan.layout != Resize.Layout(whole: size) {
            guard let made = image.resampled(plan.layout) else {
                throw .tooMuchMemory(needed: bytes, limit: bytes)
            }
            scaled = made
        }
        try watch.check()
        return try AttentionCrop.finished(scaled, options, watch: watch)
    }

    private func check() throws(ImageCodecError) {
        guard !size.isEmpty else { throw .damaged("its header says that it has no pixels") }
        let plan = DecodePlan(options, of: size)
        for size in [size, plan.result] where saturatingProduct(size.width, size.height) > limits.maxPixels {
            throw .tooManyPixels(width: size.width, height: size.height, limit: limits.maxPixels)
        }
        guard bytes <= limits.maxMemory else { throw .tooMuchMemory(needed: bytes, limit: limits.maxMemory) }
    }

    /// Of all of the picture, and of what becomes of it.
    private var bytes: Int {
        let plan = DecodePlan(options, of: size)
        let whole = saturatingProduct(size.width, size.height, 4)
        return plan.layout == Resize.Layout(whole: size) && plan.result == size
            ? whole : whole.saturatingSum(plan.bytes(from: size))
    }
}
