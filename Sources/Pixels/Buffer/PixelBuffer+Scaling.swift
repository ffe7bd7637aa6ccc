extension PixelBuffer {
    /// A copy whose longest side is at most `longestSide` pixels; never enlarged.
    ///
    /// The filter is that of decoded pictures, Lanczos-3. Colours are weighted by alpha, so that the colour of transparent
    /// pixels does not bleed. The sRGB values are weighed as they are, as browsers and image viewers do. Where memory for the
    /// reduction is lacking, it is the picture itself.
    public func scaled(longestSide: Int) -> PixelBuffer {
        let target = size.fitting(longestSide: longestSide)
        guard target != size else { return self }
        return resampled(Resize.Layout(whole: target)) ?? self
    }

    /// A copy of a layout that was made for this size; nil where memory for the scaling is lacking.
    package func resampled(_ layout: Resize.Layout) -> PixelBuffer? {
        var isMade = false
        let copy = PixelBuffer(allocating: layout.size, isOpaque: isOpaque) { output in
            isMade = withUnsafeBytes { resample($0, to: output, layout) }
        }
        return isMade ? copy : nil
    }

    private func resample(
        _ input: UnsafeRawBufferPointer, to output: UnsafeMutableRawBufferPointer, _ layout: Resize.Layout
    ) -> Bool {
        guard let source = input.baseAddress, let start = output.baseAddress,
            let resampler = RowResampler(
                from: size, to: layout, weighsAlpha: !isOpaque, start: start, column: 4, row: 4 * layout.size.width)
        else { return false }
        for row in 0..<size.height {
            resampler.push((source + row * bytesPerRow).assumingMemoryBound(to: UInt8.self), channels: 4)
        }
        return true
    }
}
