import OperationsTesting
import Pixels
import Testing

@Suite struct ScalingTests {
    @Test func averagesWholeBlocks() {
        let picture = PixelBuffer(
            width: 4,
            pixels: [
                [0, 0, 0, 255], [100, 0, 0, 255], [10, 20, 30, 255], [10, 20, 30, 255],
                [0, 40, 0, 255], [100, 0, 8, 255], [10, 20, 30, 255], [12, 20, 30, 255],
            ])
        let result = picture.scaled(longestSide: 2)
        #expect(result.pixels == [[50, 10, 2, 255], [11, 20, 30, 255]])
        #expect(result.isOpaque)
    }

    /// 3 pixels to 2: each target covers one and a half.
    @Test func sharesStraddlingPixelsByArea() {
        let picture = PixelBuffer(width: 3, pixels: [[30, 0, 0, 255], [90, 0, 0, 255], [240, 0, 0, 255]])
        #expect(picture.scaled(longestSide: 2).pixels == [[50, 0, 0, 255], [190, 0, 0, 255]])
    }

    @Test func transparentColorDoesNotBleed() {
        let picture = PixelBuffer(width: 2, pixels: [[200, 100, 50, 255], [255, 255, 255, 0]])
        let result = picture.scaled(longestSide: 1)
        #expect(result.pixels == [[200, 100, 50, 128]])
        #expect(!result.isOpaque)
        let nothing = PixelBuffer(width: 2, pixels: [[200, 100, 50, 0], [255, 255, 255, 0]])
        #expect(nothing.scaled(longestSide: 1).pixels == [[0, 0, 0, 0]])
    }

    @Test func neverEnlarges() {
        var generator = SeededRandom(seed: 41)
        let picture = PixelBuffer.random(width: 5, height: 3, using: &generator)
        #expect(picture.scaled(longestSide: 5) == picture)
        #expect(picture.scaled(longestSide: 500) == picture)
        let empty = PixelBuffer(size: PixelSize(width: 0, height: 0))
        #expect(empty.scaled(longestSide: 3) == empty)
    }

    /// Against sums in double precision over the exact overlaps.
    @Test func matchesTheDefinition() {
        let seed: UInt64 = 42
        var generator = SeededRandom(seed: seed)
        for (width, height, side) in [(7, 5, 3), (5, 13, 4), (16, 9, 7), (1, 9, 2), (31, 2, 30)] {
            let picture = PixelBuffer.random(width: width, height: height, using: &generator)
            let result = picture.scaled(longestSide: side)
            #expect(max(result.size.width, result.size.height) == side)
            for y in 0..<result.size.height {
                for x in 0..<result.size.width {
                    let expected = average(picture, column: x, row: y, of: result.size)
                    let actual = result.pixels[y * result.size.width + x]
                    let difference = zip(actual, expected).map { abs(Double($0) - $1) }.max() ?? 0
                    #expect(difference <= 0.501, "seed \(seed), \(width) x \(height) at \(x), \(y)")
                }
            }
        }
    }

    private func average(_ picture: PixelBuffer, column: Int, row: Int, of target: PixelSize) -> [Double] {
        func overlap(_ index: Int, _ cell: Int, _ from: Int, _ to: Int) -> Double {
            let size = Double(from) / Double(to)
            return max(0, min(Double(index + 1), Double(cell + 1) * size) - max(Double(index), Double(cell) * size))
        }
        var sums = [0.0, 0, 0, 0]
        var area = 0.0
        for (index, pixel) in picture.pixels.enumerated() {
            let (x, y) = (index % picture.size.width, index / picture.size.width)
            let weight =
                overlap(x, column, picture.size.width, target.width)
                * overlap(y, row, picture.size.height, target.height)
            area += weight
            for channel in 0..<3 { sums[channel] += weight * Double(pixel[channel]) * Double(pixel[3]) }
            sums[3] += weight * Double(pixel[3])
        }
        return sums[3] == 0 ? [0, 0, 0, 0] : sums[0..<3].map { $0 / sums[3] } + [sums[3] / area]
    }
}
