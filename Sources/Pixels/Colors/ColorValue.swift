/// A colour of any space, with the channels that CSS calls missing, `none`.
struct ColorValue {
    var space: ColorSpace
    /// In the units of the space's numbers: sRGB from 0 to 1, percentages and lightness of Lab to 100, hues in degrees.
    var channels: [Double?]
    /// From 0 to 1.
    var alpha: Double?

    init(_ space: ColorSpace, _ channels: [Double?], alpha: Double?) {
        self.space = space
        self.channels = channels
        self.alpha = alpha
    }

    init(_ color: FilterColor) {
        let levels = [color.red, color.green, color.blue]
        self.init(.srgb, levels.map { Double($0) / 255 }, alpha: color.alpha)
    }

    /// The channels with 0 for those that are missing.
    var vector: SIMD3<Double> {
        SIMD3(channels[0] ?? 0, channels[1] ?? 0, channels[2] ?? 0)
    }

    func converted(to other: ColorSpace) -> ColorValue {
        guard other != space else { return self }
        let vector = space.convert(vector, to: other)
        return ColorValue(other, [vector.x, vector.y, vector.z], alpha: alpha)
    }

    /// The colour in 8-bit sRGB; what that cannot show is cut channel by channel, as browsers do on such a screen.
    var color: FilterColor {
        let levels = converted(to: .srgb).vector * 255
        func byte(_ level: Double) -> UInt8 { level.isNaN ? 0 : UInt8(min(255, max(0, level)).rounded()) }
        return FilterColor(red: byte(levels.x), green: byte(levels.y), blue: byte(levels.z), alpha: alpha ?? 0)
    }

    /// White or black, whichever has more contrast by WCAG's formula with this colour as it is shown.
    var contrasting: FilterColor {
        let luminance = ColorValue(color).converted(to: .xyzD65).vector.y
        return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? FilterColor(rgb: 0xFF_FFFF) : .black
    }
}
