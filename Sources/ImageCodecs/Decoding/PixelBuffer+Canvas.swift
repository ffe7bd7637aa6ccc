internal import CJPEG
internal import Pixels

extension PixelBuffer {
    /// A buffer for a stored picture of this size, that `fill` writes upright through the canvas.
    init(
        stored size: PixelSize, orientation: Orientation, isOpaque: Bool,
        fill: (cjpeg_canvas) throws(ImageCodecError) -> Void
    ) throws(ImageCodecError) {
        let upright = orientation.applied(to: size)
        var failure: ImageCodecError?
        self.init(uninitialized: upright, isOpaque: isOpaque) { bytes in
            guard let start = bytes.baseAddress else { return }
            let layout = orientation.layout(in: upright)
            let canvas = cjpeg_canvas(
                origin: (start + 4 * layout.first).assumingMemoryBound(to: UInt8.self), step_x: 4 * layout.column,
                step_y: 4 * layout.row)
            do throws(ImageCodecError) {
                try fill(canvas)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }
}
