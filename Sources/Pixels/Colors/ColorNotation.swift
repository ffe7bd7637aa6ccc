/// How a function writes the channels of a colour.
struct ColorNotation {
    struct Channel {
        let name: String
        /// What 100% stands for; nil for a hue, which is an angle.
        let full: Double?
        /// What a number is cut to.
        var range = -Double.infinity...Double.infinity

        func cut(_ value: Double) -> Double { min(range.upperBound, max(range.lowerBound, value)) }
    }

    /// What the form with commas takes, beside a hue.
    enum OldForm { case numbersOrPercentages, percentages }

    let space: ColorSpace
    let channels: [Channel]
    /// What the numbers are multiplied by: 255 in `rgb()`.
    var scale = 1.0
    /// nil where there is none.
    var oldForm: OldForm?
    /// Whether the channels of a colour that is made from another are cut, too.
    var cutsRelative = true
}

extension ColorNotation {
    /// The functions that write three channels and alpha.
    static let named: [String: ColorNotation] = {
        let rgb = ColorNotation(
            space: .srgb, channels: ["r", "g", "b"].map { Channel(name: $0, full: 255, range: 0...255) }, scale: 255,
            oldForm: .numbersOrPercentages, cutsRelative: false)
        let hsl = byHue(.hsl, "s", "l", oldForm: .percentages)
        return [
            "rgb": rgb, "rgba": rgb, "hsl": hsl, "hsla": hsl, "hwb": byHue(.hwb, "w", "b", oldForm: nil),
            "lab": rectangular(.lab, lightness: 100, reach: 125),
            "oklab": rectangular(.oklab, lightness: 1, reach: 0.4),
            "lch": polar(.lch, lightness: 100, chroma: 150), "oklch": polar(.oklch, lightness: 1, chroma: 0.4),
        ]
    }()

    /// What `color()` takes after the name of a space.
    static func predefined(_ space: ColorSpace) -> ColorNotation {
        ColorNotation(space: space, channels: space.channelNames.map { Channel(name: $0, full: 1) })
    }

    private static let hue = Channel(name: "h", full: nil)

    private static func byHue(
        _ space: ColorSpace, _ second: String, _ third: String, oldForm: OldForm?
    ) -> ColorNotation {
        let rest = [second, third].map { Channel(name: $0, full: 100, range: 0...Double.infinity) }
        return ColorNotation(space: space, channels: [hue] + rest, oldForm: oldForm, cutsRelative: false)
    }

    private static func rectangular(_ space: ColorSpace, lightness: Double, reach: Double) -> ColorNotation {
        let first = Channel(name: "l", full: lightness, range: 0...lightness)
        return ColorNotation(space: space, channels: [first] + ["a", "b"].map { Channel(name: $0, full: reach) })
    }

    private static func polar(_ space: ColorSpace, lightness: Double, chroma: Double) -> ColorNotation {
        let first = Channel(name: "l", full: lightness, range: 0...lightness)
        return ColorNotation(
            space: space, channels: [first, Channel(name: "c", full: chroma, range: 0...Double.infinity), hue])
    }
}
