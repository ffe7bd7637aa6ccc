import OperationsTesting
import Pixels

extension PixelBuffer {
    /// A picture of the given pixels, row by row.
    init(width: Int, pixels: [[UInt8]], isOpaque: Bool? = nil) {
        let size = PixelSize(width: width, height: width == 0 ? 0 : pixels.count / width)
        let opaque = isOpaque ?? pixels.allSatisfy { $0[3] == 255 }
        self.init(uninitialized: size, isOpaque: opaque) { $0.copyBytes(from: pixels.joined()) }
    }

    static func random(
        width: Int, height: Int, isOpaque: Bool = false, using generator: inout SeededRandom
    ) -> PixelBuffer {
        var pixels: [[UInt8]] = []
        for _ in 0..<width * height {
            var pixel = (0..<4).map { _ in UInt8.random(in: 0...255, using: &generator) }
            if isOpaque { pixel[3] = 255 }
            pixels.append(pixel)
        }
        return PixelBuffer(width: width, pixels: pixels, isOpaque: isOpaque)
    }

    var pixels: [[UInt8]] {
        withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 4).map { Array(bytes[$0..<$0 + 4]) }
        }
    }
}

extension FilterChain {
    /// The chain's result for one opaque colour.
    func applied(to color: [UInt8]) -> [UInt8] {
        var image = PixelBuffer(width: 1, pixels: [color.count == 3 ? color + [255] : color])
        apply(to: &image)
        return image.pixels[0]
    }
}
