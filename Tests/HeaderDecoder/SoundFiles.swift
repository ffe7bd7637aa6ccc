import Foundation
import ImageCodecs
import Pixels

/// Small sound files, whose headers are made to lie.
enum SoundFiles {
    static func all() throws -> [[UInt8]] {
        let picture = PixelBuffer(uninitialized: PixelSize(width: 40, height: 30), isOpaque: false) { bytes in
            for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index * 7 + index / 160) }
        }
        var progressive = ImageEncoder(format: .jpeg)
        progressive.isProgressive = true
        var lossless = ImageEncoder(format: .webp)
        lossless.isLossless = true
        let encoders = [
            ImageEncoder(format: .jpeg), progressive, ImageEncoder(format: .png), ImageEncoder(format: .webp), lossless,
            ImageEncoder(format: .avif),
        ]
        var files = try encoders.map { [UInt8](try $0.encode(picture)) }
        files += [heif(files[5]), gif, tiff, bigTIFF, jxl, svg]
        return files
    }

    /// The same boxes under another brand.
    private static func heif(_ avif: [UInt8]) -> [UInt8] {
        var file = avif
        for start in stride(from: 8, to: 32, by: 4) where Array(avif[start..<start + 4]) == Array("avif".utf8) {
            file.replaceSubrange(start..<start + 4, with: Array("heic".utf8))
        }
        return file
    }

    private static let gif =
        Array("GIF89a".utf8) + [4, 0, 4, 0, 0x80, 0, 0, 1, 2, 3, 4, 5, 6] + [0x21, 0xF9, 4, 1, 5, 0, 0, 0]
        + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x2C, 0, 0, 0, 0, 4, 0, 4, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// Tags of four bytes each: sizes, samples, places; strips, and the sizes of tiles.
    private static let fields = [
        (256, 16), (257, 16), (258, 8), (259, 1), (262, 2), (273, 8), (277, 3), (278, 16), (279, 768), (284, 1),
        (322, 16),
        (323, 16), (338, 0), (339, 1),
    ]

    private static let tiff =
        Array("II".utf8) + little(42, 2) + little(8, 4) + little(fields.count, 2)
        + fields.flatMap { little($0, 2) + little(4, 2) + little(1, 4) + little($1, 4) } + little(0, 4)
        + [UInt8](repeating: 9, count: 768)

    private static let bigTIFF =
        Array("II".utf8) + little(43, 2) + little(8, 2) + little(0, 2) + little(16, 8) + little(fields.count, 8)
        + fields.flatMap { little($0, 2) + little(4, 2) + little(1, 8) + little($1, 8) } + little(0, 8)
        + [UInt8](repeating: 9, count: 768)

    /// What follows the first two bytes the crafter makes up.
    private static let jxl: [UInt8] = [0xFF, 0x0A] + [UInt8](repeating: 0x5A, count: 200)

    private static let svg = Array(
        """
        <svg xmlns='http://www.w3.org/2000/svg' width='100' height='100' viewBox='0 0 100 100'><filter id='f'><feGaussianBlur \
        stdDeviation='10'/></filter><rect width='100' height='100' filter='url(#f)'/></svg>
        """.utf8)
}
