import Foundation
import Pixels

/// A picture with the smooth areas and the grain of a photograph; the same every time.
func photograph(_ size: PixelSize) -> PixelBuffer {
    image(size) { x, y, noise in
        let grain = Double(noise & 15) - 8
        let (column, row) = (Double(x), Double(y))
        return (0..<3).map { channel in
            let tint = Double(channel)
            return UInt8(128 + 60 * sin(column * 0.003 + tint * 0.4) + 50 * cos(row * 0.002 + tint) + grain)
        }
    }
}

/// A picture of nothing but noise: the worst case for anything that looks up tables.
func noise(_ size: PixelSize) -> PixelBuffer {
    image(size) { _, _, noise in
        [
            UInt8(truncatingIfNeeded: noise), UInt8(truncatingIfNeeded: noise >> 8),
            UInt8(truncatingIfNeeded: noise >> 16),
        ]
    }
}

private func image(_ size: PixelSize, color: (Int, Int, UInt64) -> [UInt8]) -> PixelBuffer {
    PixelBuffer(uninitialized: size, isOpaque: true) { bytes in
        var state: UInt64 = 1
        for y in 0..<size.height {
            for x in 0..<size.width {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let at = (y * size.width + x) * 4
                for (channel, value) in color(x, y, state >> 33).enumerated() { bytes[at + channel] = value }
                bytes[at + 3] = 255
            }
        }
    }
}
