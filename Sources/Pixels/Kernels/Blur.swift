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

    /// Bytes that each thread takes besides the pixels.
    func scratchBytes(of size: PixelSize, channels: Int) -> Int {
        let strip = Self.strip(of: size, channels: channels)
        let values = max((size.width + 2 * reach) * channels, (size.height + 2 * reach) * strip)
        return 2 * values * MemoryLayout<Int32>.stride
    }

    /// How many bytes of a row are blurred downwards at once.
    private static func strip(of size: PixelSize, channels: Int) -> Int {
        min(Int(CPK_BLUR_MAX_LANES), size.width * channels)
    }

    /// Blurs premultiplied pixels in place.
    ///
    /// Beside them each thread needs 512 bytes for each row, or 32 for each column if that is more, and for six times
    /// the deviation.
    ///
    /// - Parameters:
    ///   - pixels: Rows of `size`, tightly packed.
    ///   - channels: Bytes of a pixel.
    ///   - meter: Asked between rows.
    /// - Returns: false if the meter stopped it, or has noted that memory is lacking.
    func run(
        on pixels: UnsafeMutableRawBufferPointer, size: PixelSize, channels: Int, _ parallelism: RowParallelism,
        meter: inout WorkMeter
    ) -> Bool {
        guard let start = pixels.baseAddress, !size.isEmpty else { return true }
        let shared = SharedPixels(start: start)
        let stride = size.width * channels
        let lines = Lines(kernel, byteCount: scratchBytes(of: size, channels: channels))
        let hasRows = parallelism.forEachPart(of: size.height, pixels: size.width, meter: &meter) { rows in
            lines.forEach(in: rows) { row, kernel, scratch in
                cpk_blur_line(shared.start + row * stride, size.width, channels, channels, kernel, scratch)
            }
        }
        guard hasRows else { return false }
        if lines.lackMemory { return meter.stopForWantOfMemory() }
        let strip = Self.strip(of: size, channels: channels)
        let strips = (stride + strip - 1) / strip
        let work = size.height * max(1, strip / channels)
        let hasColumns = parallelism.forEachPart(of: strips, pixels: work, meter: &meter) { part in
            lines.forEach(in: part) { number, kernel, scratch in
                let left = number * strip
                cpk_blur_line(shared.start + left, size.height, stride, min(strip, stride - left), kernel, scratch)
            }
        }
        return lines.lackMemory ? meter.stopForWantOfMemory() : hasColumns
    }

    /// Has lines blurred by several threads, each of which takes memory for itself.
    private struct Lines: Sendable {
        private let kernel: cpk_blur
        private let byteCount: Int
        private let state = Guarded(false)

        init(_ kernel: cpk_blur, byteCount: Int) {
            (self.kernel, self.byteCount) = (kernel, byteCount)
        }

        /// Whether lines were left out, as there was no memory for them.
        var lackMemory: Bool { state.withLock { $0 } }

        func forEach(
            in lines: Range<Int>, _ blur: (Int, UnsafePointer<cpk_blur>, UnsafeMutablePointer<Int32>) -> Void
        ) {
            guard let memory = RawMemory.allocate(byteCount: byteCount),
                let scratch = memory.bindMemory(to: Int32.self).baseAddress
            else { return state.withLock { $0 = true } }
            defer { RawMemory.free(memory) }
            withUnsafePointer(to: kernel) { kernel in
                for line in lines { blur(line, kernel, scratch) }
            }
        }
    }
}
