extension PixelBuffer {
    /// A copy whose longest side is at most `longestSide` pixels; never enlarged.
    ///
    /// The filter is that of decoded pictures, Lanczos-3. Colours are weighted by alpha, so that the colour of transparent
    /// pixels does not bleed. The sRGB values are weighed as they are, as browsers and image viewers do. Where memory for the
    /// reduction is lacking, it is the picture itself.
    public func scaled(longestSide: Int) -> PixelBuffer {
        let target = size.fitting(longestSide: longestSide)
        guard target != size else { return self }
        var isMade = false
        let copy = PixelBuffer(uninitialized: target, isOpaque: isOpaque) { output in
            isMade = withUnsafeBytes { reduce($0, to: output, of: target) }
        }
        return isMade ? copy : self
    }

    private func reduce(
        _ input: UnsafeRawBufferPointer, to output: UnsafeMutableRawBufferPointer, of target: PixelSize
    ) -> Bool {
        guard let source = input.baseAddress, let start = output.baseAddress,
            let reducer = RowReducer(
                from: size, to: target, weighsAlpha: !isOpaque, start: start, column: 4, row: 4 * target.width)
        else { return false }
        for row in 0..<size.height {
            reducer.push((source + row * bytesPerRow).assumingMemoryBound(to: UInt8.self), channels: 4)
        }
        return true
    }
}
