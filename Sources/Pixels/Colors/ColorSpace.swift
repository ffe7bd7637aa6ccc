/// The colour spaces of CSS Color Module Level 4, under their names there.
enum ColorSpace: String {
    case srgb
    case srgbLinear = "srgb-linear"
    case displayP3 = "display-p3"
    case displayP3Linear = "display-p3-linear"
    case a98 = "a98-rgb"
    case proPhoto = "prophoto-rgb"
    case rec2020
    case xyzD50 = "xyz-d50"
    case xyzD65 = "xyz-d65"
    case lab, lch, oklab, oklch, hsl, hwb

    init?(name: String) {
        self.init(rawValue: name == "xyz" ? "xyz-d65" : name)
    }

    /// The letters of its three channels, as relative colours name them.
    var channelNames: [String] {
        switch self {
        case .srgb, .srgbLinear, .displayP3, .displayP3Linear, .a98, .proPhoto, .rec2020: ["r", "g", "b"]
        case .xyzD50, .xyzD65: ["x", "y", "z"]
        case .lab, .oklab: ["l", "a", "b"]
        case .lch, .oklch: ["l", "c", "h"]
        case .hsl: ["h", "s", "l"]
        case .hwb: ["h", "w", "b"]
        }
    }

    /// Whether `color()` takes it.
    var isPredefined: Bool {
        switch self {
        case .lab, .lch, .oklab, .oklch, .hsl, .hwb: false
        default: true
        }
    }

    /// Which channel is an angle.
    var hueIndex: Int? { channelNames.firstIndex(of: "h") }

    /// Which channels of the space of another colour say the same as this one's, so that a missing one stays missing.
    func analogue(of index: Int, in other: ColorSpace) -> Int? {
        let role = role(of: index)
        return role.flatMap { role in (0..<3).first { other.role(of: $0) == role } }
    }

    private enum Role { case red, green, blue, lightness, colourfulness, hue, greenToRed, blueToYellow }

    private func role(of index: Int) -> Role? {
        switch (self, channelNames[index]) {
        case (_, "r"), (_, "x"): .red
        case (_, "g"), (_, "y"): .green
        case (.lab, "b"), (.oklab, "b"): .blueToYellow
        case (.hwb, "b"): nil
        case (_, "b"), (_, "z"): .blue
        case (_, "l"): .lightness
        case (_, "c"), (_, "s"): .colourfulness
        case (_, "h"): .hue
        case (_, "a"): .greenToRed
        default: nil
        }
    }
}
