import Foundation
import ImageCodecs
import Pixels
import Testing

/// The reduction beside its definition, Lanczos' window of three lobes, worked out without haste in doubles.
struct ReductionTests {
    /// Ratios of all kinds: hardly any, whole ones, just beyond them, and different ones for width and height.
    @Test(arguments: [
        (97, 61, 96), (64, 64, 32), (64, 40, 31), (500, 313, 256), (333, 7, 12), (30, 211, 17), (90, 3, 1),
    ])
    func itIsLanczos(width: Int, height: Int, side: Int) throws {
        // Noise, so that every weight shows; PNG, because it changes nothing.
        var random: UInt32 = 12_345
        let image = PixelBuffer(uninitialized: PixelSize(width: width, height: height), isOpaque: true) { bytes in
            for index in bytes.indices {
                random = random &* 1_664_525 &+ 1_013_904_223
                bytes[index] = index % 4 == 3 ? 255 : UInt8(random >> 24)
            }
        }
        let file = try ImageEncoder(format: .png).encode(image)
        let small = try ImageDecoder.decode(file, longestSide: side)
        #expect(small.size == image.size.fitting(longestSide: side))
        let wanted = Self.reduced(image, to: small.size)
        let furthest = small.withUnsafeBytes { bytes in zip(bytes, wanted).map { abs(Double($0) - $1) }.max() ?? 256 }
        // Half a level for rounding to whole ones.
        #expect(furthest < 0.51)
    }

    /// libjpeg reduces by blocks, and the last ones are filled up. What it gives is nowhere else for that: beside the same picture
    /// as PNG, whatever is left of the last block.
    @Test(arguments: [(1_000, 126), (1_001, 126), (1_001, 100), (1_003, 125), (721, 180), (722, 180), (1_007, 251)])
    func aJPEGOfAnySideHasEverythingInItsPlace(width: Int, side: Int) throws {
        let image = PixelBuffer(uninitialized: PixelSize(width: width, height: width * 5 / 8 + 1), isOpaque: true) {
            bytes in
            for index in bytes.indices {
                // Waves that the smallest result can still show, so that what is moved has other levels.
                let (x, y) = (Double(index / 4 % width), Double(index / 4 / width))
                let level = 128 + 50 * sin(x / 20) + 50 * sin(y / 20)
                bytes[index] = index % 4 == 3 ? 255 : UInt8(level)
            }
        }
        let jpeg = try ImageEncoder(format: .jpeg, quality: 100).encode(image)
        let png = try ImageEncoder(format: .png).encode(image)
        let (small, wanted) = (
            try ImageDecoder.decode(jpeg, longestSide: side), try ImageDecoder.decode(png, longestSide: side)
        )
        #expect(small.size == wanted.size)
        let differences = small.withUnsafeBytes { small in
            wanted.withUnsafeBytes { wanted in zip(small, wanted).map { abs(Int($0) - Int($1)) } }
        }
        #expect(differences.max() ?? 256 <= 6)
        #expect(Double(differences.reduce(0, +)) / Double(differences.count) < 1)
    }

    private static func reduced(_ image: PixelBuffer, to size: PixelSize) -> [Double] {
        let across = weights(from: image.size.width, to: size.width)
        let down = weights(from: image.size.height, to: size.height)
        let pixels = image.withUnsafeBytes { $0.map(Double.init) }
        let stride = image.size.width * 4
        var rows: [[Double]] = []
        for y in 0..<image.size.height {
            rows.append(
                across.flatMap { taps in
                    (0..<4).map { channel in taps.reduce(0) { $0 + $1.1 * pixels[y * stride + $1.0 * 4 + channel] } }
                })
        }
        return down.flatMap { taps in
            (0..<size.width * 4).map { column in
                min(255, max(0, taps.reduce(0) { $0 + $1.1 * rows[$1.0][column] }))
            }
        }
    }

    /// For each result its inputs and their weights.
    private static func weights(from count: Int, to results: Int) -> [[(Int, Double)]] {
        let ratio = Double(count) / Double(results)
        return (0..<results).map { result in
            let centre = (Double(result) + 0.5) * ratio - 0.5
            let raw = (0..<count).map { ($0, lanczos((Double($0) - centre) / ratio)) }
            let sum = raw.reduce(0) { $0 + $1.1 }
            return raw.filter { $0.1 != 0 }.map { ($0.0, $0.1 / sum) }
        }
    }

    private static func lanczos(_ x: Double) -> Double {
        guard abs(x) < 3 else { return 0 }
        func sinc(_ x: Double) -> Double { abs(x) < 1e-12 ? 1 : sin(.pi * x) / (.pi * x) }
        return sinc(x) * sinc(x / 3)
    }
}
