internal import FoundationEssentials
internal import Pixels

#if canImport(Glibc)
    internal import Glibc
#endif

/// What a press makes of cyan, magenta, yellow and black where no profile says it.
///
/// The equations of Neugebauer: dots of the inks cover shares of the paper, so that each of sixteen mixtures of full inks is seen
/// on a share of its own. The numbers are fitted to the colours of web offset on coated paper (SWOP, by relative intent with black
/// point compensation), which most programs suppose; they are two levels off on average. All inks together are black.
struct PressInks {
    /// One of red, green and blue.
    private struct Channel {
        /// The exponents of how much of the paper cyan, magenta, yellow and black cover; dots grow in print.
        let growth: [Float]
        /// The exponent of levels in which mixtures add up.
        let sum: Float
        /// The level of each mixture in that exponent: cyan counts eight, magenta four, yellow two and black one.
        let mixtures: SIMD16<Float>
    }

    private static let channels = [
        Channel(
            growth: [0.94, 0.92, 0.87, 0.87], sum: 1.4,
            mixtures: [
                1.0, 0.049, 1.016, 0.024, 0.883, 0.057, 0.901, 0.054, -0.251, -0.04, -0.131, -0.03, 0.091, -0.02, 0.122,
                -0.037,
            ]),
        Channel(
            growth: [0.76, 0.9, 0.84, 0.86], sum: 1.51,
            mixtures: [
                1.0, 0.031, 0.922, 0.021, 0.002, -0.027, 0.041, -0.026, 0.553, 0.015, 0.514, 0.02, 0.083, -0.044, 0.098,
                -0.033,
            ]),
        Channel(
            growth: [0.83, 0.87, 0.88, 0.91], sum: 1.48,
            mixtures: [
                1.0, 0.035, 0.008, -0.019, 0.403, -0.012, 0.062, -0.043, 0.88, 0.045, 0.188, -0.024, 0.426, 0.002,
                0.107, -0.038,
            ]),
    ]

    static let usual = PressInks()

    /// The levels that sums are looked up in.
    private static let steps = 4_095
    /// What each level of each ink covers, for each channel: cyan, magenta, yellow, black.
    private let covers: [[SIMD4<Float>]]
    private let levels: [[UInt8]]

    private init() {
        covers = Self.channels.map { channel in
            (0...255).map { level in
                let share = Float(level) / 255
                return SIMD4(
                    pow(share, channel.growth[0]), pow(share, channel.growth[1]), pow(share, channel.growth[2]),
                    pow(share, channel.growth[3]))
            }
        }
        levels = Self.channels.map { channel in
            (0...Self.steps).map { UInt8((255 * pow(Float($0) / Float(Self.steps), 1 / channel.sum)).rounded()) }
        }
    }

    /// The colours of a picture of inks, 255 for all of an ink; without transparency.
    func colours(of inks: PixelBuffer, watch: DecodeWatch) throws(ImageCodecError) -> PixelBuffer {
        let width = inks.size.width
        return try PixelBuffer(stored: inks.size, orientation: .upright, isOpaque: true) {
            canvas throws(ImageCodecError) in
            for y in 0..<inks.size.height {
                if y % 64 == 0 { try watch.check() }
                inks.withUnsafeBytes { pixels in
                    guard let start = pixels.baseAddress else { return }
                    let row = (start + 4 * width * y).assumingMemoryBound(to: UInt8.self)
                    let colours = (canvas.start + 4 * width * y).assumingMemoryBound(to: UInt8.self)
                    convert(row, channels: 4, count: width, into: colours)
                }
            }
        }
    }

    /// Colours and transparency of so many pixels of four inks, which have transparency as a fifth channel, or none.
    func convert(
        _ inks: UnsafePointer<UInt8>, channels: Int, count: Int, into colours: UnsafeMutablePointer<UInt8>
    ) {
        for pixel in 0..<count {
            let (from, to) = (inks + channels * pixel, colours + 4 * pixel)
            for channel in 0..<3 { to[channel] = level(from[0], from[1], from[2], from[3], channel) }
            to[3] = channels > 4 ? from[4] : 255
        }
    }

    private func level(_ cyan: UInt8, _ magenta: UInt8, _ yellow: UInt8, _ black: UInt8, _ channel: Int) -> UInt8 {
        let covers = covers[channel]
        let mixtures = Self.channels[channel].mixtures
        let ofBlack = mixtures.evenHalf + (mixtures.oddHalf - mixtures.evenHalf) * covers[Int(black)].w
        let ofYellow = ofBlack.evenHalf + (ofBlack.oddHalf - ofBlack.evenHalf) * covers[Int(yellow)].z
        let ofMagenta = ofYellow.evenHalf + (ofYellow.oddHalf - ofYellow.evenHalf) * covers[Int(magenta)].y
        let sum = ofMagenta.x + (ofMagenta.y - ofMagenta.x) * covers[Int(cyan)].x
        return levels[channel][Int(max(0, min(1, sum)) * Float(Self.steps) + 0.5)]
    }
}
