import OperationsTesting
import Pixels
import Testing

@Suite struct DrawingTests {
    private func filled(_ width: Int, _ height: Int, _ pixel: [UInt8]) -> PixelBuffer {
        PixelBuffer(width: width, pixels: Array(repeating: pixel, count: width * height))
    }

    @Test(arguments: [
        (0, 0), (1, 1), (-1, -2), (3, 2), (4, 0), (0, 3), (-2, 0), (0, -3), (2, -1),
        (Int.max, 0), (Int.min, Int.min), (0, Int.max), (-1, 1),
    ])
    func copiesWhatFallsInside(x: Int, y: Int) {
        var generator = SeededRandom(seed: 51)
        let sheet = PixelBuffer.random(width: 4, height: 3, using: &generator)
        let other = PixelBuffer.random(width: 2, height: 3, using: &generator)
        var result = sheet
        result.draw(other, at: (x: x, y: y))
        for row in 0..<3 {
            for column in 0..<4 {
                let (fromX, xFar) = column.subtractingReportingOverflow(x)
                let (fromY, yFar) = row.subtractingReportingOverflow(y)
                let inside = !xFar && !yFar && (0..<2).contains(fromX) && (0..<3).contains(fromY)
                let expected = inside ? other.pixels[fromY * 2 + fromX] : sheet.pixels[row * 4 + column]
                #expect(result.pixels[row * 4 + column] == expected)
            }
        }
    }

    @Test func opacityStaysTruthful() {
        let opaque = filled(2, 2, [1, 2, 3, 255])
        let clear = filled(2, 2, [1, 2, 3, 9])
        var result = opaque
        result.draw(opaque, at: (x: 1, y: 1))
        #expect(result.isOpaque)
        result.draw(clear, at: (x: 5, y: 5))
        #expect(result.isOpaque)
        result.draw(clear, at: (x: 1, y: 1))
        #expect(!result.isOpaque)
        result.draw(opaque, at: (x: 1, y: 0))
        #expect(!result.isOpaque)
        result.draw(opaque, at: (x: 0, y: 0))
        #expect(result.isOpaque)
        #expect(result == opaque)
    }
}
