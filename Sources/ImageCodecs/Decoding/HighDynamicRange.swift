internal import FoundationEssentials
internal import Pixels

#if canImport(Glibc)
    internal import Glibc
#endif

/// Shows a picture for bright screens on an ordinary one: PQ and HLG (ITU-R BT.2100) become sRGB.
///
/// White of ordinary pictures is 203 candelas a square metre there (BT.2408). What is brighter than that is bent below it by
/// Reinhard's extended curve, over the largest of red, green and blue in the colours of BT.2020: black and
/// middle tones stay, and no colour changes its tint. Chromium has published this method, and its version 156 differs from it by 5
/// to 20 of 255 in samples of libavif. The brightest pixel is what the file says, or 1,000 candelas.
struct HighDynamicRange {
    private static let white = 203.0
    private static let usualBrightest = 1_000.0
    /// Of a table that encodes light: near black a step is a fifth of a step of the result.
    private static let steps = 16_384

    /// Light for each sample, in parts of white.
    private let light: [Float]
    /// Samples of eight bits, or of sixteen.
    private let isDeep: Bool
    private let toWide: [Float]
    private let toResult: [Float]
    private let isHLG: Bool
    private let bend: (a: Float, b: Float)
    private let encoded: [UInt8]

    /// Nil where the primaries make no sense.
    init?(_ points: CodePoints, isDeep: Bool) {
        let wide = CodePoints(primaries: 9, transfer: 16), sRGB = CodePoints(primaries: 1, transfer: 13)
        guard let range = points.highRange, let source = Primaries.matrix(points.points),
            let between = Primaries.matrix(wide.points), let result = Primaries.matrix(sRGB.points),
            let fromXYZ = between.inverse, let toSRGB = result.inverse
        else { return nil }
        self.isDeep = isDeep
        isHLG = range == .hlg
        toWide = fromXYZ.times(source).numbers
        toResult = toSRGB.times(between).numbers
        let most = isDeep ? 65_535 : 255
        light = (0...most).map { sample in
            let value = Double(sample) / Double(most)
            return Float(range == .pq ? Self.pq(value) / Self.white : Self.hlg(value))
        }
        let brightest = range == .pq ? points.brightest ?? Self.usualBrightest : Self.usualBrightest
        let peak = min(10_000, brightest) / Self.white
        bend = peak > 1 ? (Float(1 / (peak * peak)), 1) : (0, 0)
        encoded = (0..<Self.steps).map { step in
            let value = Double(step) / Double(Self.steps - 1)
            return UInt8((255 * (value > 0.0031308 ? 1.055 * pow(value, 1 / 2.4) - 0.055 : 12.92 * value)).rounded())
        }
    }

    /// Candelas a square metre, by SMPTE ST 2084.
    private static func pq(_ value: Double) -> Double {
        let (m1, m2) = (2_610.0 / 16_384, 2_523.0 / 32)
        let (c1, c2, c3) = (3_424.0 / 4_096, 2_413.0 / 128, 2_392.0 / 128)
        let root = pow(value, 1 / m2)
        return 10_000 * pow(max(0, root - c1) / (c2 - c3 * root), 1 / m1)
    }

    /// Light of the scene, from 0 to 1, by ARIB STD-B67.
    private static func hlg(_ value: Double) -> Double {
        let (a, b, c) = (0.17883277, 0.28466892, 0.55991073)
        return value <= 0.5 ? value * value / 3 : (exp((value - c) / a) + b) / 12
    }

    /// Converts pixels of one to four bands into bytes of as many.
    func convert(_ row: UnsafeRawPointer, bands: Int, count: Int, into line: UnsafeMutablePointer<UInt8>) {
        let colours = bands < 3 ? 1 : 3
        for x in 0..<count {
            func sample(_ band: Int) -> Int {
                let index = x * bands + band
                return isDeep
                    ? Int(row.load(fromByteOffset: 2 * index, as: UInt16.self))
                    : Int(row.load(fromByteOffset: index, as: UInt8.self))
            }
            let red = light[sample(0)]
            let rgb = shown(red, colours == 3 ? light[sample(1)] : red, colours == 3 ? light[sample(2)] : red)
            line[x * bands] = rgb.0
            if colours == 3 { (line[x * bands + 1], line[x * bands + 2]) = (rgb.1, rgb.2) }
            if bands > colours {
                let alpha = sample(colours)
                line[x * bands + colours] = UInt8(isDeep ? (alpha + 128) / 257 : alpha)
            }
        }
    }

    private func shown(_ red: Float, _ green: Float, _ blue: Float) -> (UInt8, UInt8, UInt8) {
        var (r, g, b) = Self.product(toWide, red, green, blue)
        if isHLG {
            // A display of 1,000 candelas adds contrast.
            let luminance = max(0, 0.2627 * r + 0.6780 * g + 0.0593 * b)
            let gain = luminance > 0 ? powf(luminance, 0.2) * Float(Self.usualBrightest / Self.white) : 0
            (r, g, b) = (r * gain, g * gain, b * gain)
        }
        let brightest = max(r, g, b)
        let factor = brightest > 0 ? (1 + bend.a * brightest) / (1 + bend.b * brightest) : 1
        let (x, y, z) = Self.product(toResult, r * factor, g * factor, b * factor)
        return (byte(x), byte(y), byte(z))
    }

    private func byte(_ value: Float) -> UInt8 {
        encoded[Int(min(1, max(0, value)) * Float(Self.steps - 1) + 0.5)]
    }

    private static func product(_ m: [Float], _ x: Float, _ y: Float, _ z: Float) -> (Float, Float, Float) {
        (m[0] * x + m[1] * y + m[2] * z, m[3] * x + m[4] * y + m[5] * z, m[6] * x + m[7] * y + m[8] * z)
    }
}

extension Matrix3 {
    fileprivate var numbers: [Float] { rows.joined().map { Float($0) } }
}
