import Foundation

/// ICC profiles made by hand, and JPEG files that carry them.
enum TestProfiles {
    /// X, Y and Z of red, green and blue of Adobe RGB (1998), in 65,536ths, as its specification's profile has them.
    static let adobePrimaries: [[Int]] = [[39_960, 20_389, 1_276], [13_453, 41_004, 3_989], [9_777, 4_143, 48_797]]
    /// A gamma of 563 / 256, as cameras write it.
    static let adobeCurve = Array("curv".utf8) + number(0) + number(1) + [2, 0x33]

    static func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

    /// A profile of these tags, whose bodies follow each other; `edit` may falsify it.
    static func profile(
        _ tags: [(String, [UInt8])], space: String = "RGB ", edit: (inout [UInt8]) -> Void = { _ in }
    ) -> [UInt8] {
        var table = number(tags.count)
        var bodies: [UInt8] = []
        for (name, body) in tags {
            table += Array(name.utf8) + number(132 + 12 * tags.count + bodies.count) + number(body.count)
            bodies += body + [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
        }
        var profile =
            number(128 + table.count + bodies.count) + Array("ADBE".utf8) + number(0x0210_0000)
            + Array("mntr\(space)XYZ ".utf8) + [UInt8](repeating: 0, count: 12) + Array("acsp".utf8)
            + [UInt8](repeating: 0, count: 28) + number(0xF6D6) + number(0x1_0000) + number(0xD32D)
        profile += [UInt8](repeating: 0, count: 128 - profile.count) + table + bodies
        edit(&profile)
        return profile
    }

    static func primaries(_ values: [[Int]]) -> [(String, [UInt8])] {
        zip(["rXYZ", "gXYZ", "bXYZ"], values).map { ($0, Array("XYZ ".utf8) + number(0) + $1.flatMap(number)) }
    }

    static func curves(_ curve: [UInt8]) -> [(String, [UInt8])] { ["rTRC", "gTRC", "bTRC"].map { ($0, curve) } }

    /// IEC 61966-2-1.
    static var sRGB: [UInt8] {
        // 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92 and 0.04045.
        let places: [Int] = [157_286, 62_119, 3416, 5072, 2650]
        let numbers: [UInt8] = places.flatMap(number)
        let points = [[28_580, 14_582, 911], [25_238, 46_983, 6_364], [9_378, 3_971, 46_793]]
        let kind: [UInt8] = [0x70, 0x61, 0x72, 0x61, 0, 0, 0, 0, 0, 3, 0, 0]
        return profile(primaries(points) + curves(kind + numbers))
    }

    static var adobe: [UInt8] { profile(primaries(adobePrimaries) + curves(adobeCurve)) }

    /// A profile that has a table for the perceptual intent alone: sRGB, with red and blue in each other's place.
    static var perceptualTable: [UInt8] { perceptualTable(of: "RGB ") }

    /// The same, which says in its header that it is for other numbers.
    static func perceptualTable(of space: String) -> [UInt8] {
        func short(_ value: Double) -> [UInt8] { [UInt8](number(Int((value * 65_535).rounded())).suffix(2)) }
        let curve = (0..<256).flatMap { level in
            let x = Double(level) / 255
            return short(x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4))
        }
        // X, Y and Z of what blue, green and red are, whose sum is white.
        let primaries = [[0.1431, 0.0606, 0.7141], [0.3851, 0.7169, 0.0971], [0.4361, 0.2225, 0.0139]]
        let corners = (0..<8).flatMap { corner in
            (0..<3).flatMap { axis in
                // 1 is 32,768.
                short(primaries.indices.reduce(0) { $0 + (corner >> (2 - $1) & 1 == 1 ? primaries[$1][axis] : 0) } / 2)
            }
        }
        let identity = [1, 0, 0, 0, 1, 0, 0, 0, 1].flatMap { number($0 * 65_536) }
        let straight = [0, 0, 0xFF, 0xFF] as [UInt8]
        let table =
            Array("mft2".utf8) + number(0) + [3, 3, 2, 0] + identity + [1, 0, 0, 2] + curve + curve + curve + corners
            + straight + straight + straight
        return profile([("A2B0", table)], space: space)
    }

    /// The file with the profile in as many segments as it takes.
    static func jpeg(_ plain: Data, with profile: [UInt8]) -> Data {
        let pieces = stride(from: 0, to: profile.count, by: 65_000).map {
            Array(profile[$0..<min(profile.count, $0 + 65_000)])
        }
        let segments = pieces.enumerated().map { index, piece in
            let body = Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), UInt8(pieces.count)] + piece
            return Data([0xFF, 0xE2, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 255)] + body)
        }
        return plain.prefix(2) + segments.reduce(Data(), +) + plain.dropFirst(2)
    }
}
