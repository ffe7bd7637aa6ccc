import Foundation
import OperationsTesting
import Pixels
import Testing

/// The reduction beside its definition: Lanczos' window of three lobes over colours weighted by alpha, in doubles.
@Suite struct ScalingTests {
    @Test func onePlaceOfOneColourStaysThatColour() {
        let image = PixelBuffer(width: 8, pixels: Array(repeating: [10, 20, 30, 255], count: 64))
        let result = image.scaled(longestSide: 3)
        #expect(result.pixels == Array(repeating: [10, 20, 30, 255], count: 9))
        #expect(result.isOpaque)
    }

    @Test func transparentColorDoesNotBleed() {
        let image = PixelBuffer(width: 2, pixels: [[200, 100, 50, 255], [255, 255, 255, 0]])
        let result = image.scaled(longestSide: 1)
        #expect(result.pixels == [[200, 100, 50, 128]])
        #expect(!result.isOpaque)
        let nothing = PixelBuffer(width: 2, pixels: [[200, 100, 50, 0], [255, 255, 255, 0]])
        #expect(nothing.scaled(longestSide: 1).pixels == [[0, 0, 0, 0]])
    }

    @Test func neverEnlarges() {
        var generator = SeededRandom(seed: 41)
        let image = PixelBuffer.random(width: 5, height: 3, using: &generator)
        #expect(image.scaled(longestSide: 5) == image)
        #expect(image.scaled(longestSide: 500) == image)
        let empty = PixelBuffer(size: PixelSize(width: 0, height: 0))
        #expect(empty.scaled(longestSide: 3) == empty)
    }

    @Test func matchesTheDefinition() {
        let seed: UInt64 = 42
        var generator = SeededRandom(seed: seed)
        for (width, height, side) in [(7, 5, 3), (5, 13, 4), (16, 9, 7), (1, 9, 2), (31, 2, 30), (90, 61, 11)] {
            let image = PixelBuffer.random(width: width, height: height, using: &generator)
            let result = image.scaled(longestSide: side)
            #expect(max(result.size.width, result.size.height) == side)
            let across = Self.weights(from: width, to: result.size.width)
            let down = Self.weights(from: height, to: result.size.height)
            for y in 0..<result.size.height {
                for x in 0..<result.size.width {
                    let sums = Self.sums(image, across[x], down[y])
                    let actual = result.pixels[y * result.size.width + x].map(Double.init)
                    let place = "seed \(seed), \(width) x \(height) at \(x), \(y)"
                    #expect(abs(actual[3] - min(255, max(0, sums[3]))) <= 0.51, "\(place)")
                    // Where hardly anything is left of alpha, the colour is a quotient of rounding errors.
                    guard sums[3] > 4 else { continue }
                    for channel in 0..<3 {
                        let expected = min(255, max(0, sums[channel] / sums[3] * 255))
                        #expect(abs(actual[channel] - expected) <= 0.52, "\(place)")
                    }
                }
            }
        }
    }

    /// Premultiplied colours and alpha under the window.
    private static func sums(_ image: PixelBuffer, _ across: [Double], _ down: [Double]) -> [Double] {
        var sums = [0.0, 0, 0, 0]
        for (index, pixel) in image.pixels.enumerated() {
            let weight = across[index % image.size.width] * down[index / image.size.width]
            for channel in 0..<3 { sums[channel] += weight * Double(pixel[channel]) * Double(pixel[3]) / 255 }
            sums[3] += weight * Double(pixel[3])
        }
        return sums
    }

    /// For each result the weights of all inputs.
    private static func weights(from count: Int, to results: Int) -> [[Double]] {
        let ratio = Double(count) / Double(results)
        return (0..<results).map { result in
            let centre = (Double(result) + 0.5) * ratio - 0.5
            let raw = (0..<count).map { lanczos((Double($0) - centre) / ratio) }
            let sum = raw.reduce(0, +)
            return raw.map { $0 / sum }
        }
    }

    private static func lanczos(_ x: Double) -> Double {
        guard abs(x) < 3 else { return 0 }
        func sinc(_ x: Double) -> Double { abs(x) < 1e-12 ? 1 : sin(.pi * x) / (.pi * x) }
        return sinc(x) * sinc(x / 3)
    }
}
