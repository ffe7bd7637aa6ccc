import Foundation

/// Builds TIFF files by hand, of one colour and 16 x 16 pixels, with any kind of samples.
enum TIFFFile {
    static let side = 16

    /// - Parameters:
    ///   - pixel: The bytes of one pixel, little-endian.
    ///   - samples: How many numbers that is.
    ///   - bits: Of each of them.
    ///   - tags: Others than the size and the place, or instead of those that follow from the samples; one of no values is left out.
    ///   - profile: An ICC profile.
    static func file(
        _ pixel: [UInt8], samples: Int, bits: Int, tags: [Int: [Int]] = [:], profile: [UInt8] = []
    ) -> Data {
        let pixels = (0..<side * side).flatMap { _ in pixel }
        var all = [
            256: [side], 257: [side], 258: Array(repeating: bits, count: samples), 259: [1],
            262: [samples < 3 ? 1 : 2], 273: [8], 277: [samples], 278: [side], 279: [pixels.count],
        ].merging(tags) { $1 }.filter { !$0.value.isEmpty }
        var data = pixels
        /// Where something lies that is put behind the pixels.
        func place(_ bytes: [UInt8]) -> Int {
            defer { data += bytes + [UInt8](repeating: 0, count: bytes.count % 2) }
            return 8 + data.count
        }
        if !profile.isEmpty { all[34_675] = [place(profile)] }
        var directory = number(all.count, 2)
        for (tag, values) in all.sorted(by: { $0.key < $1.key }) {
            if tag == 34_675 {
                directory += number(tag, 2) + number(7, 2) + number(profile.count, 4) + number(values[0], 4)
            } else {
                let shorts = values.flatMap { number($0, 2) }
                let field =
                    switch values.count {
                    case 1: number(values[0], 4)
                    case 2: shorts
                    default: number(place(shorts), 4)
                    }
                directory += number(tag, 2) + number(values.count == 1 ? 4 : 3, 2) + number(values.count, 4) + field
            }
        }
        let start = place(directory + number(0, 4))
        return Data(Array("II".utf8) + number(42, 2) + number(start, 4) + data)
    }

    static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// A number as the bytes of a fraction.
    static func fraction(_ value: Float) -> [UInt8] { number(Int(value.bitPattern), 4) }
}
