internal import CPixelKernels
internal import Glibc

/// A blur by a standard deviation, made ready for the kernels.
///
/// Rows first, then columns; each result is rounded to 8 bits, as in browsers.
struct Blur {
    /// How far a pixel spreads.
    let reach: Int

    private let kernel: cpk_blur

    /// - Parameter deviation: In pixels; nothing spreads farther than that of `maxDeviation` does.
    /// - Returns: nil if there is nothing to blur.
    init?(deviation: Double) {
        guard deviation > Self.minDeviation else { return nil }
        var kernel = cpk_blur()
        if deviation < 2 {
            let reach = Int((3 * deviation).rounded(.up))
            let weights = Self.weights(deviation: deviation, reach: reach)
            withUnsafeMutableBytes(of: &kernel.weights) { room in
                weights.withUnsafeBytes { room.copyMemory(from: $0) }
            }
            self.reach = reach
        } else {
            // Three boxes of this width come as near to a Gaussian as three can: W3C Filter Effects, section 9.5.
            let box = Int(min(deviation, Self.maxDeviation) * 3 * (2 * Double.pi).squareRoot() / 4 + 0.5)
            reach = box / 2 * 3
            kernel.box = box
        }
        kernel.reach = reach
        self.kernel = kernel
    }

    /// The shares of a pixel itself and of those up to `reach` away; all of them together are 1.
    private static func weights(deviation: Double, reach: Int) -> [Float] {
        let weights = (0...reach).map { exp(-Double($0 * $0) / (2 * deviation * deviation)) }
        let sum = 2 * weights.reduce(0, +) - 1
        return weights.map { Float($0 / sum) }
    }

    /// Of so little nothing is seen, and the squares of still less are 0, by which nothing can be divided.
    static let minDeviation = 1e-3
    /// The largest deviation of browsers.
    static let maxDeviation = 532.0

    /// Blurs premultiplied pixels in place.
    ///
    /// Beside them each thread needs 512 bytes for each row, or 32 for each column if that is more, and for six times
    /// the deviation.
    ///
    /// - Parameters:
    ///   - pixels: Rows of `size`, tightly packed.
    ///   - channels: Bytes of a pixel.
    ///   - meter: Asked between rows.
    /// - Returns: false if the meter stopped it.
    func run(
        on pixels: UnsafeMutableRawBufferPointer, size: PixelSize, channels: Int, _ parallelism: RowParallelism,
        meter: inout WorkMeter
    ) -> Bool {
        guard let start = pixels.baseAddress, !size.isEmpty else { return true }
        let shared = SharedPixels(start: start)
        let (reach, kernel) = (reach, kernel)
        let stride = size.width * channels
        let strip = min(Int(CPK_BLUR_MAX_LANES), stride)
        let hasRows = parallelism.forEachPart(of: size.height, pixels: size.width, meter: &meter) { rows in
            let scratch = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * (size.width + 2 * reach) * channels)
            defer { scratch.deallocate() }
            withUnsafePointer(to: kernel) { kernel in
                for row in rows {
                    cpk_blur_line(shared.start + row * stride, size.width, channels, channels, kernel, scratch)
                }
            }
        }
        guard hasRows else { return false }
        let strips = (stride + strip - 1) / strip
        let work = size.height * max(1, strip / channels)
        return parallelism.forEachPart(of: strips, pixels: work, meter: &meter) { part in
            let scratch = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * (size.height + 2 * reach) * strip)
            defer { scratch.deallocate() }
            withUnsafePointer(to: kernel) { kernel in
                for number in part {
                    let left = number * strip
                    cpk_blur_line(
                        shared.start + left, size.height, stride, min(strip, stride - left), kernel, scratch)
                }
            }
        }
    }
}
