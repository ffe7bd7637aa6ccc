/// A colour in a filter: sRGB with straight alpha, into which all colours of CSS are turned.
public struct FilterColor: Hashable, Sendable {
    /// Red, from 0 to 255.
    public let red: UInt8
    /// Green, from 0 to 255.
    public let green: UInt8
    /// Blue, from 0 to 255.
    public let blue: UInt8
    /// Opacity, from 0 (transparent) to 1.
    public let alpha: Double

    /// Makes a colour.
    ///
    /// - Parameters:
    ///   - red: Red, from 0 to 255.
    ///   - green: Green, from 0 to 255.
    ///   - blue: Blue, from 0 to 255.
    ///   - alpha: Opacity, from 0 to 1; a value outside is cut, and what is no number at all counts as 0. Default: 1.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        // Adding 0 turns -0 into 0, which prints without a sign.
        self.alpha = alpha.isNaN ? 0 : min(1, max(0, alpha)) + 0
    }

    /// Opaque black, the colour of a shadow where no other is named.
    public static let black = FilterColor(red: 0, green: 0, blue: 0)

    /// The colour `0xRRGGBB`.
    init(rgb: UInt32, alpha: Double = 1) {
        self.init(
            red: UInt8(rgb >> 16 & 255), green: UInt8(rgb >> 8 & 255), blue: UInt8(rgb & 255), alpha: alpha)
    }

    /// Three, four, six or eight digits: red, green, blue and alpha, with one or two digits each.
    init?(hexadecimalDigits digits: String) {
        guard digits.utf8.allSatisfy({ UInt8($0).isHexadecimalDigit }), let value = UInt32(digits, radix: 16) else {
            return nil
        }
        func doubled(_ shift: UInt32) -> UInt32 { (value >> shift & 15) * 17 }
        switch digits.utf8.count {
        case 3: self.init(rgb: doubled(8) << 16 | doubled(4) << 8 | doubled(0))
        case 4: self.init(rgb: doubled(12) << 16 | doubled(8) << 8 | doubled(4), alpha: Double(doubled(0)) / 255)
        case 6: self.init(rgb: value)
        case 8: self.init(rgb: value >> 8, alpha: Double(value & 255) / 255)
        default: return nil
        }
    }
}

extension UInt8 {
    fileprivate var isHexadecimalDigit: Bool { Character(Unicode.Scalar(self)).isHexDigit }
}

extension FilterColor: CustomStringConvertible {
    /// The colour as CSS text, for example `#ff0000` or `rgba(255, 0, 0, 0.5)`.
    public var description: String {
        guard alpha == 1 else { return "rgba(\(red), \(green), \(blue), \(FilterFunction.text(alpha)))" }
        let digits = String(UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue), radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }
}
