internal import Pixels

/// Where a stored picture's pixels go so that they lie upright: the place of the first one, and the bytes from there to the
/// next in its row and to the next row.
struct Canvas {
    let start: UnsafeMutableRawPointer
    let column: Int
    let row: Int

    /// - Parameters:
    ///   - source: The rows that come, and the pixels in each.
    ///   - extent: How many of them the picture covers in each direction; by default all.
    ///   - layout: What is made of the stored picture.
    func resampler(
        from source: PixelSize, covering extent: (width: Double, height: Double)? = nil, to layout: Resize.Layout,
        weighsAlpha: Bool
    ) -> RowResampler? {
        RowResampler(
            from: source, covering: extent, to: layout, weighsAlpha: weighsAlpha, start: start, column: column, row: row
        )
    }
}

extension PixelBuffer {
    /// A buffer for a stored picture of this size, that `fill` writes upright through the canvas.
    init(
        stored size: PixelSize, orientation: Orientation, isOpaque: Bool,
        fill: (Canvas) throws(ImageCodecError) -> Void
    ) throws(ImageCodecError) {
        let upright = orientation.applied(to: size)
        var failure: ImageCodecError?
        let made = PixelBuffer(allocating: upright, isOpaque: isOpaque) { bytes in
            guard let start = bytes.baseAddress else { return }
            let layout = orientation.layout(in: upright)
            do throws(ImageCodecError) {
                try fill(Canvas(start: start + 4 * layout.first, column: 4 * layout.column, row: 4 * layout.row))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        guard let made else {
            let needed = saturatingProduct(upright.width, upright.height, 4)
            throw .tooMuchMemory(needed: needed, limit: needed)
        }
        self = made
    }
}
