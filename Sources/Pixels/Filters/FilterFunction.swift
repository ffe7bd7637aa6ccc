/// One function of a filter chain, as CSS defines it.
///
/// Amounts are fractions: 1 is what CSS also writes as `100%`. All shorthand functions work on gamma-encoded sRGB,
/// on values that are not multiplied by alpha, and clamp to the range of a channel. Source: W3C Filter Effects
/// Module Level 1, as browsers implement it.
public enum FilterFunction: Hashable, Sendable {
    /// CSS `sepia()`: from 0 (unchanged) to 1 (full).
    case sepia(Double)
    /// CSS `grayscale()`: from 0 (unchanged) to 1 (no colour left).
    case grayscale(Double)
    /// CSS `saturate()`: 0 leaves no colour, 1 changes nothing, more saturates.
    case saturate(Double)
    /// CSS `hue-rotate()`: turns the hue by an angle in degrees.
    case hueRotate(degrees: Double)
    /// CSS `brightness()`: multiplies; 0 is black, 1 changes nothing.
    case brightness(Double)
    /// CSS `contrast()`: moves away from or towards the middle; 0 is grey, 1 changes nothing.
    case contrast(Double)
    /// CSS `invert()`: from 0 (unchanged) to 1 (the negative).
    case invert(Double)
    /// CSS `opacity()`: multiplies alpha, from 0 (transparent) to 1 (unchanged).
    case opacity(Double)
    /// The sepia of the classic photo apps, from 0 (unchanged) to 1 (full); not part of CSS.
    ///
    /// It is another look than CSS `sepia()`: in linear light the pixel is mixed with a tone that depends on its
    /// Rec. 709 luminance only. The curves of the tone are a fit to published pictures of the phone apps' sepia
    /// (Core Image's `CISepiaTone`), not Apple's code.
    case sepiaTone(Double)
    /// CSS `blur()`: a Gaussian blur by a standard deviation in pixels of the full picture.
    ///
    /// Outside the picture is transparent, so that the borders fade. From 2 pixels as shown on three boxes stand for
    /// the Gaussian, as in browsers; below, where boxes of whole pixels are coarse, it is a Gaussian that ends at three
    /// deviations. No deviation is above 532 pixels as shown.
    case blur(deviation: Double)
    /// CSS `drop-shadow()`: a blurred silhouette in one colour under the picture, seen where that is not opaque.
    ///
    /// The offsets to the right and down, and the standard deviation of the blur, are pixels of the full picture.
    case dropShadow(x: Double, y: Double, deviation: Double, color: FilterColor)
    /// A named look, `look(NAME)`: colour layers over the picture, and then functions; not part of CSS.
    case look(Look)
}

extension FilterFunction {
    /// The function's name in a chain.
    public var name: String {
        switch self {
        case .sepia: "sepia"
        case .grayscale: "grayscale"
        case .saturate: "saturate"
        case .hueRotate: "hue-rotate"
        case .brightness: "brightness"
        case .contrast: "contrast"
        case .invert: "invert"
        case .opacity: "opacity"
        case .sepiaTone: "sepia-tone"
        case .blur: "blur"
        case .dropShadow: "drop-shadow"
        case .look: "look"
        }
    }

    /// The same function with its amount in the range that it has in CSS.
    ///
    /// Amounts that saturate are cut at 1, negative ones at 0. What is no number at all counts as 0, and an
    /// infinite amount as the greatest number, so that every chain can be printed and read back.
    var normalized: FilterFunction {
        switch self {
        case .sepia(let amount): .sepia(Self.fraction(amount))
        case .grayscale(let amount): .grayscale(Self.fraction(amount))
        case .saturate(let amount): .saturate(Self.positive(amount))
        case .hueRotate(let degrees): .hueRotate(degrees: Self.finite(degrees))
        case .brightness(let amount): .brightness(Self.positive(amount))
        case .contrast(let amount): .contrast(Self.positive(amount))
        case .invert(let amount): .invert(Self.fraction(amount))
        case .opacity(let amount): .opacity(Self.fraction(amount))
        case .sepiaTone(let amount): .sepiaTone(Self.fraction(amount))
        case .blur(let deviation): .blur(deviation: Self.positive(deviation))
        case .dropShadow(let x, let y, let deviation, let color):
            .dropShadow(x: Self.finite(x), y: Self.finite(y), deviation: Self.positive(deviation), color: color)
        case .look: self
        }
    }

    private static func finite(_ value: Double) -> Double {
        guard !value.isNaN else { return 0 }
        let limit = Double.greatestFiniteMagnitude
        // Adding 0 turns -0 into 0, which prints without a sign.
        return min(max(value, -limit), limit) + 0
    }

    private static func positive(_ value: Double) -> Double {
        max(0, finite(value))
    }

    private static func fraction(_ value: Double) -> Double {
        min(1, positive(value))
    }
}

extension FilterFunction: CustomStringConvertible {
    /// The function as CSS text, for example `sepia(0.8)` or `hue-rotate(90deg)`.
    public var description: String {
        switch self {
        case .sepia(let amount), .grayscale(let amount), .saturate(let amount), .brightness(let amount),
            .contrast(let amount), .invert(let amount), .opacity(let amount), .sepiaTone(let amount):
            "\(name)(\(Self.text(amount)))"
        case .hueRotate(let degrees):
            "\(name)(\(Self.text(degrees))deg)"
        case .blur(let deviation):
            "\(name)(\(Self.text(deviation))px)"
        case .dropShadow(let x, let y, let deviation, let color):
            "\(name)(\(Self.text(x))px \(Self.text(y))px \(Self.text(deviation))px \(color))"
        case .look(let look):
            "\(name)(\(look.rawValue))"
        }
    }

    /// The shortest text that reads back as the same number, without the `.0` of whole ones.
    static func text(_ value: Double) -> String {
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
