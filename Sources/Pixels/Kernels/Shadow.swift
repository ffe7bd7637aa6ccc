internal import CPixelKernels

/// A drop shadow whose lengths are whole pixels of the picture as shown.
struct Shadow {
    let x: Int
    let y: Int
    let blur: Blur?
    let color: FilterColor

    /// - Parameter scale: Pixels as shown for each pixel that `x`, `y` and `deviation` count.
    init(x: Double, y: Double, deviation: Double, color: FilterColor, scale: Double) {
        // Farther than this no picture reaches.
        func whole(_ length: Double) -> Int { Int(min(1e9, max(-1e9, (length * scale).rounded(.down)))) }
        self.x = whole(x)
        self.y = whole(y)
        blur = Blur(deviation: deviation * scale)
        self.color = color
    }

    var reach: Int { blur?.reach ?? 0 }

    /// Where the moved silhouette is made: all of the picture, and around it what is near enough to spread in.
    private func plane(of size: PixelSize) -> (left: Int, top: Int, size: PixelSize) {
        let left = min(reach, max(0, -x))
        let top = min(reach, max(0, -y))
        let plane = PixelSize(
            width: left + size.width + min(reach, max(0, x)), height: top + size.height + min(reach, max(0, y)))
        return (left, top, plane)
    }

    /// Bytes that ``cast(under:_:meter:)`` takes besides a picture of this size.
    func scratchBytes(of size: PixelSize, threads: Int) -> Int {
        let plane = plane(of: size).size
        return plane.width * plane.height + (blur?.scratchBytes(of: plane, channels: 1) ?? 0) * threads
    }

    /// Lays the shadow of a picture under it.
    ///
    /// Beside the picture it needs its alpha once more, with a border no wider than the blur's reach.
    ///
    /// - Returns: false if the meter stopped it, or has noted that memory is lacking.
    func cast(
        under image: inout PixelBuffer, _ parallelism: RowParallelism, meter: inout WorkMeter
    ) -> Bool {
        guard !image.isOpaque, !image.size.isEmpty else { return true }
        let size = image.size
        let (left, top, plane) = plane(of: size)
        // Where in the picture the plane's first pixel is taken from.
        let (fromX, fromY) = (-left - x, -top - y)
        let columns = max(0, -fromX)..<max(max(0, -fromX), min(plane.width, size.width - fromX))
        let rows = max(0, -fromY)..<max(max(0, -fromY), min(plane.height, size.height - fromY))
        guard !columns.isEmpty, !rows.isEmpty else { return true }

        guard let alpha = RawMemory.allocate(byteCount: plane.width * plane.height) else {
            return meter.stopForWantOfMemory()
        }
        defer { RawMemory.free(alpha) }
        alpha.initializeMemory(as: UInt8.self, repeating: 0)
        image.withUnsafeBytes { pixels in
            for row in rows {
                for column in columns {
                    alpha[row * plane.width + column] = pixels[((row + fromY) * size.width + column + fromX) * 4 + 3]
                }
            }
        }
        if let blur, !blur.run(on: alpha, size: plane, channels: 1, parallelism, meter: &meter) { return false }
        guard let silhouette = alpha.bindMemory(to: UInt8.self).baseAddress else { return true }
        let flood = [Float(color.red), Float(color.green), Float(color.blue), Float(color.alpha)]
        let stride = image.bytesPerRow
        image.withUnsafeMutableBytes { pixels in
            guard let start = pixels.baseAddress else { return }
            for row in 0..<size.height {
                cpk_cast_shadow(
                    start + row * stride, size.width, silhouette + (row + top) * plane.width + left, flood)
            }
        }
        return true
    }
}
