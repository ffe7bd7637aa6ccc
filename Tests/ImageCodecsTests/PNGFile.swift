import Foundation

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
