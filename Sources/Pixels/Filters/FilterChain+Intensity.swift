extension FilterChain {
    /// A picture with so much of the filter as is wanted, made on the calling thread or those that it lends; nil if it was cancelled,
    /// or if there was no memory for it.
    ///
    /// Below full strength every pixel is mixed with that of the picture as it was, in steps of one in 256. A colour counts for as much
    /// as it covers, so that what is transparent has no say in it.
    ///
    /// - Parameters:
    ///   - image: The picture without the filter; it stays as it is.
    ///   - intensity: How much of the filter shows, from 0 (the picture as it was) to 1 (the filter's picture); what is out of bounds is
    ///     brought into them.
    ///   - scale: As for ``apply(to:scale:parallelism:isCancelled:)``.
    ///   - parallelism: As there.
    ///   - isCancelled: As there.
    public func applied(
        to image: PixelBuffer, intensity: Double, scale: Double = 1, parallelism: RowParallelism = .none,
        isCancelled: () -> Bool = { false }
    ) -> PixelBuffer? {
        try? filtered(
            image, intensity: intensity, scale: scale, parallelism: parallelism, isCancelled: isCancelled)
    }

    /// As ``applied(to:intensity:scale:parallelism:isCancelled:)``, and says why there is no result.
    package func filtered(
        _ image: PixelBuffer, intensity: Double, scale: Double = 1, parallelism: RowParallelism = .none,
        isCancelled: () -> Bool = { false }
    ) throws(FilterStop) -> PixelBuffer {
        let weight = Self.weight(of: intensity)
        guard weight > 0 else { return image }
        var filtered = image
        guard filtered.makeOwn() else { throw .lacksMemory }
        try filter(&filtered, scale: scale, parallelism: parallelism, isCancelled: isCancelled)
        guard weight < Self.fullWeight else { return filtered }
        let isMixed = withoutActuallyEscaping(isCancelled) { isCancelled in
            var meter = WorkMeter(isCancelled: isCancelled)
            return Self.mix(&filtered, weight, with: image, parallelism, meter: &meter)
        }
        guard isMixed else { throw .cancelled }
        return filtered
    }

    package static let fullWeight = 256

    /// What an intensity comes to: how many parts of 256 are the filter's.
    package static func weight(of intensity: Double) -> Int {
        intensity.isNaN ? fullWeight : Int((min(max(0, intensity), 1) * Double(fullWeight)).rounded())
    }

    /// - Returns: false if the meter stopped it.
    private static func mix(
        _ filtered: inout PixelBuffer, _ weight: Int, with original: PixelBuffer, _ parallelism: RowParallelism,
        meter: inout WorkMeter
    ) -> Bool {
        let (weight, areOpaque) = (UInt32(weight), original.isOpaque && filtered.isOpaque)
        let (size, stride) = (filtered.size, filtered.bytesPerRow)
        return filtered.withUnsafeMutableBytes(keepsOpacity: original.isOpaque) { output in
            original.withUnsafeBytes { input in
                guard let input = input.baseAddress, let output = output.baseAddress else { return true }
                // Those of the original are only read.
                let pixels = (
                    before: SharedPixels(start: UnsafeMutableRawPointer(mutating: input)),
                    after: SharedPixels(start: output)
                )
                return parallelism.forEachPart(of: size.height, pixels: size.width, meter: &meter) { rows in
                    let (first, count) = (rows.lowerBound * stride, rows.count * stride)
                    let input = UnsafeRawBufferPointer(start: pixels.before.start + first, count: count)
                    let output = UnsafeMutableRawBufferPointer(start: pixels.after.start + first, count: count)
                    // Of opaque pictures all bytes are mixed alike, which a compiler does many at a time.
                    if areOpaque {
                        mixBytes(input, into: output, weight)
                    } else {
                        mixPixels(input, into: output, weight)
                    }
                }
            }
        }
    }

    private static func mixBytes(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, _ weight: UInt32
    ) {
        for index in 0..<min(input.count, output.count) {
            let mixed = UInt32(input[index]) * (UInt32(fullWeight) - weight) + UInt32(output[index]) * weight
            output[index] = UInt8(truncatingIfNeeded: (mixed + 128) >> 8)
        }
    }

    private static func mixPixels(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, _ weight: UInt32
    ) {
        for pixel in stride(from: 0, to: min(input.count, output.count), by: 4) {
            let before = UInt32(input[pixel + 3]) * (UInt32(fullWeight) - weight)
            let after = UInt32(output[pixel + 3]) * weight
            let sum = max(1, before + after)
            for index in pixel..<pixel + 3 {
                let mixed = UInt32(input[index]) * before + UInt32(output[index]) * after
                output[index] = UInt8(truncatingIfNeeded: (mixed + sum / 2) / sum)
            }
            output[pixel + 3] = UInt8(truncatingIfNeeded: (before + after + 128) >> 8)
        }
    }
}
