internal import CPixelKernels

/// Scales a picture that comes row by row, with a Lanczos-3 filter; only as many rows are held as the filter is high.
///
/// Used by one thread at a time.
package final class RowResampler {
    private let resampler: OpaquePointer

    /// A resampler that writes to memory of the caller's, which must outlive it; nil when memory is lacking.
    ///
    /// - Parameters:
    ///   - source: The rows that come, and the pixels in each.
    ///   - extent: How many of them the picture covers in each direction, where it ends within the last ones; by default all.
    ///   - layout: What is made of it.
    ///   - weighsAlpha: Whether the fourth channel is straight alpha.
    ///   - start: Where the first pixel of the result goes.
    ///   - column: Bytes from one pixel of the result to the next in its row.
    ///   - row: Bytes from one row of the result to the next.
    package init?(
        from source: PixelSize, covering extent: (width: Double, height: Double)? = nil, to layout: Resize.Layout,
        weighsAlpha: Bool, start: UnsafeMutableRawPointer, column: Int, row: Int
    ) {
        guard let width = UInt32(exactly: source.width), let height = UInt32(exactly: source.height),
            let resultWidth = UInt32(exactly: layout.size.width),
            let resultHeight = UInt32(exactly: layout.size.height),
            let resampler = cpk_resampler_create(
                width, height,
                cpk_span(
                    extent: extent?.width ?? Double(width), whole: Double(layout.whole.width),
                    first: Double(layout.left), count: resultWidth),
                cpk_span(
                    extent: extent?.height ?? Double(height), whole: Double(layout.whole.height),
                    first: Double(layout.top), count: resultHeight),
                weighsAlpha ? 1 : 0,
                cpk_canvas(origin: start.assumingMemoryBound(to: UInt8.self), step_x: column, step_y: row))
        else { return nil }
        self.resampler = resampler
    }

    deinit {
        cpk_resampler_destroy(resampler)
    }

    /// Takes the next row, of as many pixels as the source is wide, of 1 (grey), 2 (grey, alpha), 3 (R, G, B) or 4 channels.
    /// Rows beyond the source's height are ignored.
    package func push(_ pixels: UnsafePointer<UInt8>, channels: Int32) {
        cpk_resampler_push(resampler, pixels, channels)
    }
}
