internal import CPixelKernels

/// Reduces a picture that comes row by row, with a Lanczos-3 filter; only as many rows are held as the filter is high.
///
/// Used by one thread at a time.
package final class RowReducer {
    private let reducer: OpaquePointer

    /// A reducer that writes to memory of the caller's, which must outlive it; nil when memory is lacking, or if `target` is
    /// larger than `source` in a direction.
    ///
    /// - Parameters:
    ///   - weighsAlpha: Whether the fourth channel is straight alpha.
    ///   - start: Where the first pixel of the result goes.
    ///   - column: Bytes from one pixel of the result to the next in its row.
    ///   - row: Bytes from one row of the result to the next.
    package init?(
        from source: PixelSize, to target: PixelSize, weighsAlpha: Bool, start: UnsafeMutableRawPointer, column: Int,
        row: Int
    ) {
        guard let width = UInt32(exactly: source.width), let height = UInt32(exactly: source.height),
            let targetWidth = UInt32(exactly: target.width), let targetHeight = UInt32(exactly: target.height),
            let reducer = cpk_reducer_create(
                width, height, targetWidth, targetHeight, weighsAlpha ? 1 : 0,
                cpk_canvas(origin: start.assumingMemoryBound(to: UInt8.self), step_x: column, step_y: row))
        else { return nil }
        self.reducer = reducer
    }

    deinit {
        cpk_reducer_destroy(reducer)
    }

    /// Takes the next row, of as many pixels as the source is wide, of 1 (grey), 2 (grey, alpha), 3 (R, G, B) or 4 channels.
    /// Rows beyond the source's height are ignored.
    package func push(_ pixels: UnsafePointer<UInt8>, channels: Int32) {
        cpk_reducer_push(reducer, pixels, channels)
    }
}
