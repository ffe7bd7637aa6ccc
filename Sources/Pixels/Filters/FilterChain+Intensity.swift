extension FilterChain {
    /// A picture with so much of the filter as is wanted, made on the calling thread or those that it lends; nil if it was cancelled.
    ///
    /// Below full strength every byte is mixed with that of the picture as it was, in steps of one in 256.
    ///
    /// - Parameters:
    ///   - image: The picture without the filter; it stays as it is.
    ///   - intensity: How much of the filter shows, from 0 (the picture as it was) to 1 (the filter's picture); what is out of bounds is
    ///     brought into them.
    ///   - scale: As for ``apply(to:scale:parallelism:isCancelled:)``.
    ///   - parallelism: As there, for the filter.
    ///   - isCancelled: As there.
    public func applied(
        to image: PixelBuffer, intensity: Double, scale: Double = 1, parallelism: RowParallelism = .none,
        isCancelled: () -> Bool = { false }
    ) -> PixelBuffer? {
        let weight = Self.weight(of: intensity)
        guard weight > 0 else { return image }
        var filtered = image
        guard apply(to: &filtered, scale: scale, parallelism: parallelism, isCancelled: isCancelled) else { return nil }
        if weight < Self.fullWeight { Self.mix(&filtered, weight, with: image) }
        return filtered
    }

    package static let fullWeight = 256

    /// What an intensity comes to: how many parts of 256 are the filter's.
    package static func weight(of intensity: Double) -> Int {
        intensity.isNaN ? fullWeight : Int((min(max(0, intensity), 1) * Double(fullWeight)).rounded())
    }

    private static func mix(_ filtered: inout PixelBuffer, _ weight: Int, with original: PixelBuffer) {
        let weight = UInt32(weight)
        filtered.withUnsafeMutableBytes(keepsOpacity: original.isOpaque) { output in
            original.withUnsafeBytes { input in
                for index in 0..<min(input.count, output.count) {
                    let mixed = UInt32(input[index]) * (UInt32(fullWeight) - weight) + UInt32(output[index]) * weight
                    output[index] = UInt8(truncatingIfNeeded: (mixed + 128) >> 8)
                }
            }
        }
    }
}
