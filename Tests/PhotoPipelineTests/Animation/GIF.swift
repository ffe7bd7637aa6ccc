import Foundation

/// Animations made by arithmetic.
enum GIF {
    /// Frames of one colour each, whose red is 20 times their number, shown for so many hundredths of a second and as many
    /// more as their number.
    static func frames(_ count: Int, width: Int = 12, height: Int = 9, delay: Int = 4) -> Data {
        var bytes = start(width, height)
        for frame in 0..<count {
            bytes += control(delay + frame)
            bytes += [0x2C] + two(0) + two(0) + two(width) + two(height)
            // A table of two colours for this frame alone.
            bytes += [0x80, UInt8(frame * 20 % 256), 100, 200, 0, 0, 0]
            bytes += [2] + blocks(solid(pixels: width * height)) + [0]
        }
        return Data(bytes + [0x3B])
    }

    /// Frames of which each changes one pixel: a few bytes each, however large the picture is.
    static func tinyChanges(_ count: Int, width: Int, height: Int) -> Data {
        var bytes = start(width, height)
        for _ in 0..<count {
            bytes += control(4) + [0x2C] + two(0) + two(0) + two(1) + two(1) + [0, 2, 2, 0x4C, 1, 0]
        }
        return Data(bytes + [0x3B])
    }

    private static func start(_ width: Int, _ height: Int) -> [UInt8] {
        Array("GIF89a".utf8) + two(width) + two(height) + [0x80, 0, 0, 10, 20, 30, 200, 100, 50]
    }

    private static func control(_ delay: Int) -> [UInt8] { [0x21, 0xF9, 4, 4] + two(delay) + [0, 0] }

    private static func two(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }

    /// Codes of three bits: a clear code before every second pixel, so that they never become longer.
    private static func solid(pixels: Int) -> [UInt8] {
        var codes: [Int] = []
        for pixel in 0..<pixels {
            if pixel % 2 == 0 { codes.append(4) }
            codes.append(0)
        }
        codes.append(5)
        var bits = 0
        var count = 0
        var bytes: [UInt8] = []
        for code in codes {
            bits |= code << count
            count += 3
            while count >= 8 {
                bytes.append(UInt8(bits & 255))
                bits >>= 8
                count -= 8
            }
        }
        return count > 0 ? bytes + [UInt8(bits)] : bytes
    }

    private static func blocks(_ bytes: [UInt8]) -> [UInt8] {
        stride(from: 0, to: bytes.count, by: 255).flatMap { start in
            let block = bytes[start..<min(start + 255, bytes.count)]
            return [UInt8(block.count)] + block
        }
    }
}
