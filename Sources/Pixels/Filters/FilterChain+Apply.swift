extension FilterChain {
    /// Filters a whole picture in place, on the calling thread.
    ///
    /// Colour functions keep alpha; `opacity()` below 1 ends `isOpaque`.
    public func apply(to picture: inout PixelBuffer) {
        apply(to: &picture, rows: 0..<picture.size.height)
    }

    /// Filters some rows of a picture in place, on the calling thread.
    ///
    /// Filtering all rows in any number of parts gives the same bytes as filtering the whole.
    ///
    /// - Parameters:
    ///   - picture: The picture to change.
    ///   - rows: The rows to filter, counted from the top; those outside the picture are left out.
    public func apply(to picture: inout PixelBuffer, rows: Range<Int>) {
        apply(to: &picture, rows: rows, path: .automatic)
    }

    /// Filters pixels in place, on the calling thread.
    ///
    /// For those who share the rows of one picture out to several threads, from within
    /// `PixelBuffer.withUnsafeMutableBytes`.
    ///
    /// - Parameter pixels: Bytes of R, G, B, A in sRGB with straight alpha; a count that is no multiple of 4 leaves
    ///   the last bytes alone. Any alignment.
    public func apply(toPixels pixels: UnsafeMutableRawBufferPointer) {
        PointwiseProgram(functions).run(on: pixels, path: .automatic)
    }

    /// Whether the chain leaves every alpha as it is.
    public var keepsOpacity: Bool { PointwiseProgram(functions).opacity == 1 }

    package func apply(to picture: inout PixelBuffer, rows: Range<Int>, path: KernelPath) {
        let program = PointwiseProgram(functions)
        let rows = rows.clamped(to: 0..<picture.size.height)
        guard !program.isIdentity, !rows.isEmpty, picture.size.width > 0 else { return }
        let stride = picture.bytesPerRow
        picture.withUnsafeMutableBytes(keepsOpacity: program.opacity == 1) { bytes in
            let part = bytes[rows.lowerBound * stride..<rows.upperBound * stride]
            program.run(on: UnsafeMutableRawBufferPointer(rebasing: part), path: path)
        }
    }
}
