/// Writes ICC profiles of primaries and curves (ICC.1, sections 7.2, 10.18 and 10.31).
enum ICCProfileWriter {
    /// X, Y and Z of the white that profiles are about.
    static let d50 = [0.9642, 1, 0.8249]

    /// A profile of colours.
    ///
    /// - Parameters:
    ///   - primaries: X, Y and Z of red, green and blue, adapted to D50.
    ///   - curve: g, a, b, c and d of the tone curve: (a x + b)^g from d on, c x below.
    static func profile(ofPrimaries primaries: [[Double]], curve: [Double]) -> [UInt8] {
        let points = zip(["rXYZ", "gXYZ", "bXYZ", "wtpt"], primaries + [d50]).map { ($0, point($1)) }
        let curve = tone(curve)
        return profile(of: "RGB ", points + ["rTRC", "gTRC", "bTRC"].map { ($0, curve) })
    }

    /// A profile of grey.
    static func greyProfile(curve: [Double]) -> [UInt8] {
        profile(of: "GRAY", [("wtpt", point(d50)), ("kTRC", tone(curve))])
    }

    private static func profile(of space: String, _ tags: [(name: String, body: [UInt8])]) -> [UInt8] {
        var table = number(tags.count)
        var data: [UInt8] = []
        for (name, body) in tags {
            // From the beginning of the profile.
            table += Array(name.utf8) + number(128 + 4 + 12 * tags.count + data.count) + number(body.count)
            data += body
        }
        let head =
            number(128 + table.count + data.count) + number(0) + number(0x0420_0000) + Array("mntr\(space)XYZ ".utf8)
            + [UInt8](repeating: 0, count: 12) + Array("acsp".utf8) + [UInt8](repeating: 0, count: 28) + fixed(d50)
        return head + [UInt8](repeating: 0, count: 128 - head.count) + table + data
    }

    private static func point(_ values: [Double]) -> [UInt8] { Array("XYZ ".utf8) + number(0) + fixed(values) }

    private static func tone(_ curve: [Double]) -> [UInt8] {
        Array("para".utf8) + number(0) + [0, 3, 0, 0] + fixed(curve)
    }

    private static func fixed(_ values: [Double]) -> [UInt8] {
        values.flatMap { number(Int(($0 * 65_536).rounded())) }
    }

    private static func number(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
}
