internal import Glibc

extension ColorSpace {
    /// Turns channels of this space into those of another; nothing is cut to what either can show.
    func convert(_ channels: SIMD3<Double>, to other: ColorSpace) -> SIMD3<Double> {
        if self == other { return channels }
        let plain = toBase(channels)
        // By XYZ only where it must be, so that equal channels stay equal.
        guard base != other.base else { return other.fromBase(plain) }
        return other.fromBase(other.base.fromXYZ(base.toXYZ(plain)))
    }

    /// The space that this one is another form of, or the space itself.
    private var base: ColorSpace {
        switch self {
        case .hsl, .hwb: .srgb
        case .lch: .lab
        case .oklch: .oklab
        default: self
        }
    }

    private func toBase(_ channels: SIMD3<Double>) -> SIMD3<Double> {
        switch self {
        case .hsl: Self.rgb(hue: channels.x, saturation: channels.y / 100, lightness: channels.z / 100)
        case .hwb: Self.rgb(hue: channels.x, whiteness: channels.y / 100, blackness: channels.z / 100)
        case .lch, .oklch:
            [
                channels.x, channels.y * cos(channels.z * .pi / 180), channels.y * sin(channels.z * .pi / 180),
            ]
        default: channels
        }
    }

    private func fromBase(_ channels: SIMD3<Double>) -> SIMD3<Double> {
        switch self {
        case .hsl: return Self.hsl(channels)
        case .hwb:
            return [Self.hsl(channels).x, channels.min() * 100, (1 - channels.max()) * 100]
        case .lch, .oklch:
            let hue = atan2(channels.z, channels.y) * 180 / .pi
            return [channels.x, hypot(channels.y, channels.z), hue < 0 ? hue + 360 : hue]
        default: return channels
        }
    }

    private var rgbSpace: RGBSpace? {
        switch self {
        case .srgb: .srgb
        case .srgbLinear: .srgbLinear
        case .displayP3: .displayP3
        case .displayP3Linear: .displayP3Linear
        case .a98: .a98
        case .proPhoto: .proPhoto
        case .rec2020: .rec2020
        default: nil
        }
    }

    /// To CIE XYZ under D65; for a space that is its own base.
    private func toXYZ(_ channels: SIMD3<Double>) -> SIMD3<Double> {
        if let space = rgbSpace { return space.toXYZ * space.transfer.decode(channels) }
        switch self {
        case .xyzD50: return WhitePoint.d50ToD65 * channels
        case .lab: return WhitePoint.d50ToD65 * Self.xyz(lab: channels)
        case .oklab:
            let cones = Self.conesToOklab.inverse * channels
            return Self.xyzToCones.inverse * (cones * cones * cones)
        default: return channels
        }
    }

    private func fromXYZ(_ xyz: SIMD3<Double>) -> SIMD3<Double> {
        if let space = rgbSpace { return space.transfer.encode(space.fromXYZ * xyz) }
        switch self {
        case .xyzD50: return WhitePoint.d65ToD50 * xyz
        case .lab: return Self.lab(xyz: WhitePoint.d65ToD50 * xyz)
        case .oklab:
            let cones = Self.xyzToCones * xyz
            return Self.conesToOklab * [cbrt(cones.x), cbrt(cones.y), cbrt(cones.z)]
        default: return xyz
        }
    }
}

// The forms of sRGB.
extension ColorSpace {
    private static func rgb(hue: Double, saturation: Double, lightness: Double) -> SIMD3<Double> {
        let reach = saturation * min(lightness, 1 - lightness)
        func channel(_ offset: Double) -> Double {
            var place = (offset + hue / 30).truncatingRemainder(dividingBy: 12)
            if place < 0 { place += 12 }
            return lightness - reach * max(-1, min(place - 3, 9 - place, 1))
        }
        return [channel(0), channel(8), channel(4)]
    }

    private static func rgb(hue: Double, whiteness: Double, blackness: Double) -> SIMD3<Double> {
        guard whiteness + blackness < 1 else { return SIMD3(repeating: whiteness / (whiteness + blackness)) }
        return rgb(hue: hue, saturation: 1, lightness: 0.5) * (1 - whiteness - blackness) + whiteness
    }

    private static func hsl(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
        let (low, high) = (rgb.min(), rgb.max())
        let lightness = (low + high) / 2
        let span = high - low
        guard span > 0 else { return [0, 0, lightness * 100] }
        let room = min(lightness, 1 - lightness)
        let saturation = room == 0 ? 0 : (high - lightness) / room
        var hue =
            high == rgb.x
            ? (rgb.y - rgb.z) / span + (rgb.y < rgb.z ? 6 : 0)
            : high == rgb.y ? (rgb.z - rgb.x) / span + 2 : (rgb.x - rgb.y) / span + 4
        // Beyond sRGB saturation can turn negative, which is the opposite hue.
        if saturation < 0 { hue += hue < 3 ? 3 : -3 }
        return [hue * 60, saturation.magnitude * 100, lightness * 100]
    }
}

// CIE Lab, by the CIE's exact constants, and Oklab.
extension ColorSpace {
    private static let epsilon = 216.0 / 24389
    private static let kappa = 24389.0 / 27

    private static func xyz(lab: SIMD3<Double>) -> SIMD3<Double> {
        let y = (lab.x + 16) / 116
        func light(_ root: Double) -> Double {
            root * root * root > epsilon ? root * root * root : (116 * root - 16) / kappa
        }
        return SIMD3(light(y + lab.y / 500), light(y), light(y - lab.z / 200)) * WhitePoint.xyz(WhitePoint.d50)
    }

    private static func lab(xyz: SIMD3<Double>) -> SIMD3<Double> {
        let relative = xyz / WhitePoint.xyz(WhitePoint.d50)
        func root(_ light: Double) -> Double { light > epsilon ? cbrt(light) : (kappa * light + 16) / 116 }
        let (x, y, z) = (root(relative.x), root(relative.y), root(relative.z))
        return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
    }

    private static let xyzToCones = Matrix3(
        [0.8190224379967030, 0.3619062600528904, -0.1288737815209879],
        [0.0329836539323885, 0.9292868615863434, 0.0361446663506424],
        [0.0481771893596242, 0.2642395317527308, 0.6335478284694309])
    private static let conesToOklab = Matrix3(
        [0.2104542683093140, 0.7936177747023054, -0.0040720430116193],
        [1.9779985324311684, -2.4285922420485799, 0.4505937096174110],
        [0.0259040424655478, 0.7827717124575296, -0.8086757549230774])
}
