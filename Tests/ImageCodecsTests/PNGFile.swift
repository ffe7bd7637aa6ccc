import Foundation
import ImageCodecs
import Pixels

/// Builds PNG files by hand, also ones that lie.
enum PNGFile {
    static func chunk(_ name: String, _ body: [UInt8]) -> Data {
        let content = Array(name.utf8) + body
        return Data(bigEndian(body.count) + content + bigEndian(Int(checksum(content))))
    }

    static func bigEndian(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    static func header(_ width: Int, _ height: Int, depth: UInt8, colour: UInt8, interlaced: Bool = false) -> Data {
        Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
            + chunk("IHDR", bigEndian(width) + bigEndian(height) + [depth, colour, 0, 0, interlaced ? 1 : 0])
    }

    /// Zeros as zlib packs them, at a thousandth of their size.
    static func zeros(_ count: Int) throws -> [UInt8] {
        let side = 2_048
        let black = PixelBuffer(size: PixelSize(width: side, height: count / side / 4 + 1))
        let file = try [UInt8](ImageEncoder(format: .png).encode(black))
        var (start, packed) = (8, [UInt8]())
        while start + 8 <= file.count {
            let length = file[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            let name = Array(file[start + 4..<start + 8])
            if name == Array("IDAT".utf8) { packed += file[start + 8..<start + 8 + length] }
            start += 12 + length
        }
        return packed
    }

    /// CRC-32 as the PNG standard defines it.
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var crc = ~UInt32(0)
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 {
                let isOdd = crc & 1 == 1
                crc >>= 1
                if isOdd { crc ^= 0xEDB8_8320 }
            }
        }
        return ~crc
    }
}
