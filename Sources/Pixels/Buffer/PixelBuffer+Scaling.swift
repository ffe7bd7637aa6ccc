internal import CPixelKernels

extension PixelBuffer {
    /// A copy whose longest side is at most `longestSide` pixels; never enlarged.
    ///
    /// Every pixel of the result is the average of the area that it covers, weighted by alpha, so that the colour
    /// of transparent pixels does not bleed. Averages the sRGB values, as browsers and image viewers do.
    public func scaled(longestSide: Int) -> PixelBuffer {
        let target = size.fitting(longestSide: longestSide)
        guard target != size else { return self }
        return PixelBuffer(uninitialized: target, isOpaque: isOpaque) { output in
            withUnsafeBytes { input in
                reduce(input, to: output, of: target)
            }
        }
    }

    private func reduce(
        _ input: UnsafeRawBufferPointer, to output: UnsafeMutableRawBufferPointer, of target: PixelSize
    ) {
        guard let source = input.baseAddress, let result = output.baseAddress else { return }
        let area = Float(size.width) / Float(target.width) * Float(size.height) / Float(target.height)
        var sums = [Float](repeating: 0, count: target.width * 4)
        // Counted in units of 1 / target.height source rows, so that every border is a whole number.
        var row = 0
        var used = 0
        for targetRow in 0..<target.height {
            for index in sums.indices { sums[index] = 0 }
            var wanted = size.height
            while wanted > 0 {
                let taken = min(wanted, target.height - used)
                cpk_area_add_row(
                    source.advanced(by: row * bytesPerRow), size.width, &sums, target.width,
                    Float(taken) / Float(target.height))
                wanted -= taken
                used += taken
                if used == target.height {
                    used = 0
                    row += 1
                }
            }
            cpk_area_finish(sums, target.width, area, result.advanced(by: targetRow * target.width * 4))
        }
    }
}
