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
        let (left, top, plane) = plane(of: image.size)
        // Where in the picture the plane's first pixel is taken from.
        let origin = (x: -left - x, y: -top - y)
        let columns = Self.covered(plane.width, by: image.size.width, from: origin.x)
        let rows = Self.covered(plane.height, by: image.size.height, from: origin.y)
        guard !columns.isEmpty, !rows.isEmpty else { return true }

        guard let alpha = RawMemory.allocate(byteCount: plane.width * plane.height) else {
            return meter.stopForWantOfMemory()
        }
        defer { RawMemory.free(alpha) }
        alpha.initializeMemory(as: UInt8.self, repeating: 0)
        guard let start = alpha.baseAddress else { return true }
        let silhouette = SharedPixels(start: start)
        let area = PixelArea(columns: columns, rows: rows)
        guard
            Self.copyAlpha(of: image, from: origin, to: silhouette, plane, area, parallelism, meter: &meter)
        else { return false }
        if let blur, !blur.run(on: alpha, size: plane, channels: 1, parallelism, meter: &meter) { return false }
        let first = SharedPixels(start: start + top * plane.width + left)
        return lay(first, bytesPerRow: plane.width, under: &image, parallelism, meter: &meter)
    }

    /// Which places of a line of the plane lie in the picture.
    ///
    /// - Parameters:
    ///   - count: How many places the line has.
    ///   - length: How many pixels the picture has in this direction.
    ///   - origin: Which of them is at the first place; out of bounds where there is none.
    private static func covered(_ count: Int, by length: Int, from origin: Int) -> Range<Int> {
        let first = max(0, -origin)
        return first..<max(first, min(count, length - origin))
    }

    /// Copies the alpha of a picture into a plane.
    ///
    /// - Parameters:
    ///   - origin: Where in the picture the plane's first pixel is taken from.
    ///   - area: The part of the plane that lies in the picture.
    /// - Returns: false if the meter stopped it.
    private static func copyAlpha(
        of image: PixelBuffer, from origin: (x: Int, y: Int), to plane: SharedPixels, _ size: PixelSize,
        _ area: PixelArea, _ parallelism: RowParallelism, meter: inout WorkMeter
    ) -> Bool {
        let stride = image.bytesPerRow
        return image.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return true }
            // They are only read.
            let pixels = SharedPixels(start: UnsafeMutableRawPointer(mutating: start))
            return parallelism.forEachPart(of: area.size.height, pixels: area.size.width, meter: &meter) { part in
                for row in part {
                    let row = area.rows.lowerBound + row
                    let (from, to) = (pixels.start + (row + origin.y) * stride, plane.start + row * size.width)
                    for column in area.columns {
                        let alpha = from.load(fromByteOffset: (column + origin.x) * 4 + 3, as: UInt8.self)
                        to.storeBytes(of: alpha, toByteOffset: column, as: UInt8.self)
                    }
                }
            }
        }
    }

    /// Lays a silhouette in the shadow's colour under a picture.
    ///
    /// - Parameters:
    ///   - silhouette: The alpha of the shadow, from that of the picture's first pixel on.
    ///   - bytesPerRow: How far its rows are apart.
    /// - Returns: false if the meter stopped it.
    private func lay(
        _ silhouette: SharedPixels, bytesPerRow: Int, under image: inout PixelBuffer, _ parallelism: RowParallelism,
        meter: inout WorkMeter
    ) -> Bool {
        let flood = [Float(color.red), Float(color.green), Float(color.blue), Float(color.alpha)]
        let (size, stride) = (image.size, image.bytesPerRow)
        return image.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return true }
            let pixels = SharedPixels(start: start)
            return parallelism.forEachPart(of: size.height, pixels: size.width, meter: &meter) { part in
                for row in part {
                    let shadow = silhouette.start + row * bytesPerRow
                    cpk_cast_shadow(
                        pixels.start + row * stride, size.width, shadow.assumingMemoryBound(to: UInt8.self), flood)
                }
            }
        }
    }
}
