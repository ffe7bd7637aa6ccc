internal import FoundationEssentials

#if canImport(Glibc)
    internal import Glibc
#endif

/// The colours that most profiles of photos stand for, under many names and in many bytes.
///
/// A profile is compared with them by its numbers alone, by code that cannot leave its bounds. Where it is one of them the
/// bytes of the file are not used any further: sRGB needs no conversion, and for the others there is a profile of our own.
/// So the library that interprets profiles never sees a stranger's bytes for the sake of these.
enum KnownColours: CaseIterable {
    /// IEC 61966-2-1.
    case sRGB
    /// What phones and screens of Apple write.
    case displayP3
    /// Adobe RGB (1998), what cameras write beside sRGB.
    case adobeRGB

    /// The colours of a profile whose primaries are those of one of them to a thousandth, as small profiles write them, and
    /// whose tone curves are to less than half a step of 8 bits; nil for every other, and for one with tables that would
    /// count instead.
    init?(ofProfile bytes: ByteReader) {
        guard let profile = ICCProfile(bytes), let match = Self.allCases.first(where: { profile.has($0) }) else {
            return nil
        }
        self = match
    }

    /// X, Y and Z of red, green and blue, adapted to D50 as the profile connection space wants it.
    fileprivate var primaries: [[Double]] {
        switch self {
        case .sRGB: [[0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7141]]
        case .displayP3: [[0.5151, 0.2412, -0.0011], [0.2920, 0.6922, 0.0419], [0.1571, 0.0666, 0.7841]]
        case .adobeRGB: [[0.6097, 0.3111, 0.0195], [0.2053, 0.6257, 0.0609], [0.1492, 0.0632, 0.7446]]
        }
    }

    /// g, a, b, c and d of the tone curve: (a x + b)^g from d on, c x below.
    var curve: [Double] {
        switch self {
        case .sRGB, .displayP3: [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
        case .adobeRGB: [563.0 / 256, 1, 0, 0, 0]
        }
    }

    /// A profile of these colours that we have written.
    var profile: [UInt8] { ICCProfileWriter.profile(ofPrimaries: primaries, curve: curve) }
}

/// As much of an ICC profile as tells which known colours it has.
private struct ICCProfile {
    private let tags: ICCTags

    /// nil for a profile that is not one of primaries and curves alone.
    init?(_ reader: ByteReader) {
        guard reader.has("RGB XYZ ", at: 16) else { return nil }
        tags = ICCTags(profile: reader)
        // Tables would count instead of primaries and curves.
        for name in ["A2B0", "A2B1", "A2B2", "D2B0", "D2B1", "D2B2", "D2B3"] as [StaticString]
        where tags.body(name) != nil {
            return nil
        }
    }

    func has(_ colours: KnownColours) -> Bool {
        for (name, expected) in zip(["rXYZ", "gXYZ", "bXYZ"] as [StaticString], colours.primaries) {
            guard let body = tags.body(name), body.has("XYZ ") else { return false }
            for (index, value) in expected.enumerated() {
                guard let fixed = fixed(body, 8 + 4 * index), abs(fixed - value) < 0.0012 else { return false }
            }
        }
        return (["rTRC", "gTRC", "bTRC"] as [StaticString]).allSatisfy { name in
            guard let body = tags.body(name) else { return false }
            // For each level, to less than half a step of 8 bits in sRGB.
            return (0...255).allSatisfy { level in
                let x = Double(level) / 255
                let expected = Self.encoded(Self.parametric(colours.curve, x))
                return value(of: body, at: x).map { abs(Self.encoded($0) - expected) < 0.5 / 255 } ?? false
            }
        }
    }

    /// A linear value as sRGB writes it (IEC 61966-2-1).
    private static func encoded(_ value: Double) -> Double {
        value > 0.0031308 ? 1.055 * pow(value, 1 / 2.4) - 0.055 : 12.92 * value
    }

    private func fixed(_ body: ByteReader, _ offset: Int) -> Double? {
        body.be32(offset).map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 }
    }

    private static func parametric(_ curve: [Double], _ x: Double) -> Double {
        x >= curve[4] ? pow(curve[1] * x + curve[2], curve[0]) : curve[3] * x
    }

    private func value(of body: ByteReader, at x: Double) -> Double? {
        if body.has("curv"), let count = body.be32(8) {
            if count == 0 { return x }
            // A gamma in 256ths.
            if count == 1 { return body.be16(12).map { pow(x, Double($0) / 256) } }
            let position = x * Double(count - 1)
            let below = min(Int(position), count - 2)
            guard let low = body.be16(12 + 2 * below), let high = body.be16(14 + 2 * below) else { return nil }
            return (Double(low) + (position - Double(below)) * Double(high - low)) / 65_535
        }
        guard body.has("para") else { return nil }
        switch body.be16(8) {
        case 0: return fixed(body, 12).map { pow(x, $0) }
        case 3:
            let curve = (0..<5).compactMap { fixed(body, 12 + 4 * $0) }
            return curve.count == 5 ? Self.parametric(curve, x) : nil
        default: return nil
        }
    }
}
