internal import Glibc

/// A space of red, green and blue lights: what they are in CIE XYZ under the white D65, and how their strength is encoded.
struct RGBSpace {
    let toXYZ: Matrix3
    let fromXYZ: Matrix3
    let transfer: Transfer

    /// - Parameters:
    ///   - primaries: The chromaticities x and y of red, green and blue.
    ///   - white: The chromaticity of white.
    private init(_ primaries: [SIMD2<Double>], white: SIMD2<Double> = WhitePoint.d65, _ transfer: Transfer) {
        let lights = primaries.map(WhitePoint.xyz)
        let unscaled = Matrix3(lights[0], lights[1], lights[2]).transposed
        let strengths = unscaled.inverse * WhitePoint.xyz(white)
        let adaptation = white == WhitePoint.d65 ? Matrix3(diagonal: .one) : WhitePoint.d50ToD65
        toXYZ = adaptation * unscaled * Matrix3(diagonal: strengths)
        fromXYZ = toXYZ.inverse
        self.transfer = transfer
    }

    private static let srgbPrimaries: [SIMD2<Double>] = [[0.64, 0.33], [0.3, 0.6], [0.15, 0.06]]
    private static let p3Primaries: [SIMD2<Double>] = [[0.68, 0.32], [0.265, 0.69], [0.15, 0.06]]

    static let srgb = RGBSpace(srgbPrimaries, .srgb)
    static let srgbLinear = RGBSpace(srgbPrimaries, .linear)
    static let displayP3 = RGBSpace(p3Primaries, .srgb)
    static let displayP3Linear = RGBSpace(p3Primaries, .linear)
    static let a98 = RGBSpace([[0.64, 0.33], [0.21, 0.71], [0.15, 0.06]], .power(563.0 / 256))
    static let proPhoto = RGBSpace(
        [[0.734699, 0.265301], [0.159597, 0.840403], [0.036598, 0.000105]], white: WhitePoint.d50, .proPhoto)
    static let rec2020 = RGBSpace([[0.708, 0.292], [0.17, 0.797], [0.131, 0.046]], .rec2020)
}

extension RGBSpace {
    /// How the strength of a light, from 0 to 1, is encoded; beyond both ends it goes on, mirrored at 0.
    enum Transfer {
        case linear, srgb, proPhoto, rec2020
        case power(Double)

        func decode(_ channels: SIMD3<Double>) -> SIMD3<Double> { each(channels, decode) }

        func encode(_ channels: SIMD3<Double>) -> SIMD3<Double> { each(channels, encode) }

        private func each(_ channels: SIMD3<Double>, _ change: (Double) -> Double) -> SIMD3<Double> {
            var changed = channels
            for index in 0..<3 {
                let value = change(channels[index].magnitude)
                changed[index] = channels[index] < 0 ? -value : value
            }
            return changed
        }

        private func decode(_ value: Double) -> Double {
            switch self {
            case .linear: value
            case .srgb: value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
            case .proPhoto: value <= 16.0 / 512 ? value / 16 : pow(value, 1.8)
            case .rec2020:
                value < 4.5 * Self.beta ? value / 4.5 : pow((value + Self.alpha - 1) / Self.alpha, 1 / 0.45)
            case .power(let exponent): pow(value, exponent)
            }
        }

        private func encode(_ value: Double) -> Double {
            switch self {
            case .linear: value
            case .srgb: value <= 0.0031308 ? value * 12.92 : 1.055 * pow(value, 1 / 2.4) - 0.055
            case .proPhoto: value < 1.0 / 512 ? value * 16 : pow(value, 1 / 1.8)
            case .rec2020: value < Self.beta ? value * 4.5 : Self.alpha * pow(value, 0.45) - (Self.alpha - 1)
            case .power(let exponent): pow(value, 1 / exponent)
            }
        }

        /// The constants of ITU-R BT.2020.
        private static let alpha = 1.09929682680944
        private static let beta = 0.018053968510807
    }
}

/// The whites that colour spaces refer to, as chromaticities.
enum WhitePoint {
    static let d50: SIMD2<Double> = [0.3457, 0.3585]
    static let d65: SIMD2<Double> = [0.3127, 0.329]

    /// A chromaticity in CIE XYZ, with a luminance of 1.
    static func xyz(_ chromaticity: SIMD2<Double>) -> SIMD3<Double> {
        [chromaticity.x / chromaticity.y, 1, (1 - chromaticity.x - chromaticity.y) / chromaticity.y]
    }

    /// Bradford's adaptation: to cone responses, scaled by those of the whites, and back.
    static let d50ToD65: Matrix3 = {
        let cones = Matrix3([0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296])
        let scale = (cones * xyz(d65)) / (cones * xyz(d50))
        return cones.inverse * Matrix3(diagonal: scale) * cones
    }()

    static let d65ToD50 = d50ToD65.inverse
}
