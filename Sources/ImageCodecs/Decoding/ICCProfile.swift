internal import FoundationEssentials

#if canImport(Glibc)
    internal import Glibc
#endif

/// Enough of an ICC profile to see whether it is sRGB under one of its many names, so that the usual photo is spared
/// a conversion that changes nothing.
struct ICCProfile {
    private let reader: ByteReader

    init(_ reader: ByteReader) {
        self.reader = reader
    }

    /// Whether the primaries and the tone curves are those of sRGB (IEC 61966-2-1), adapted to D50 as the profile
    /// connection space wants it.
    var isSRGB: Bool {
        guard reader.has("RGB XYZ ", at: 16), tag("A2B0") == nil else { return false }
        let primaries: [(StaticString, [Double])] = [
            ("rXYZ", [0.4361, 0.2225, 0.0139]), ("gXYZ", [0.3851, 0.7169, 0.0971]),
            ("bXYZ", [0.1431, 0.0606, 0.7141]),
        ]
        for (name, expected) in primaries {
            guard let body = tag(name), body.has("XYZ ") else { return false }
            for (index, value) in expected.enumerated() {
                guard let fixed = body.be32(8 + 4 * index) else { return false }
                guard abs(Double(Int32(truncatingIfNeeded: fixed)) / 65_536 - value) < 0.002 else { return false }
            }
        }
        let curves: [StaticString] = ["rTRC", "gTRC", "bTRC"]
        return curves.allSatisfy { tag($0).map(isSRGBCurve) ?? false }
    }

    private func tag(_ name: StaticString) -> ByteReader? {
        guard let count = reader.be32(128) else { return nil }
        for index in 0..<min(count, 100) where reader.has(name, at: 132 + 12 * index) {
            guard let offset = reader.be32(136 + 12 * index), let length = reader.be32(140 + 12 * index) else {
                return nil
            }
            return reader.slice(offset..<offset + length)
        }
        return nil
    }

    /// Compares a curve at 33 places, to less than half a step of 8 bits.
    private func isSRGBCurve(_ body: ByteReader) -> Bool {
        (0...32).allSatisfy { step in
            let x = Double(step) / 32
            let expected = x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4)
            return value(of: body, at: x).map { abs($0 - expected) < 0.002 } ?? false
        }
    }

    private func value(of body: ByteReader, at x: Double) -> Double? {
        if body.has("curv"), let count = body.be32(8), count > 1 {
            let position = x * Double(count - 1)
            let below = min(Int(position), count - 2)
            guard let low = body.be16(12 + 2 * below), let high = body.be16(14 + 2 * below) else { return nil }
            return (Double(low) + (position - Double(below)) * Double(high - low)) / 65_535
        }
        // Type 3 of a parametric curve: (a x + b)^g from d on, c x below.
        guard body.has("para"), body.be16(8) == 3 else { return nil }
        let parameters = (0..<5).compactMap { body.be32(12 + 4 * $0) }
            .map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 }
        guard parameters.count == 5 else { return nil }
        let (g, a, b, c, d) = (parameters[0], parameters[1], parameters[2], parameters[3], parameters[4])
        return x >= d ? pow(a * x + b, g) : c * x
    }
}
