import Pixels
import Testing

@Suite struct PixelSizeTests {
    @Test(arguments: [
        (4000, 3000, 1024, 1024, 768),
        (3000, 4000, 1024, 768, 1024),
        (100, 50, 1024, 100, 50),
        (1000, 1, 10, 10, 1),
        (1, 1000, 0, 1, 1),
        (5, 5, -3, 1, 1),
        // A half rounds up: 3 x 5 to 2 is 1.2 and 2; 2 x 4 to 1 is 0.5, which is 1; 3 x 2 to 2 is 1.33.
        (3, 5, 2, 1, 2),
        (3, 2, 2, 2, 1),
        (200, 150, 2, 2, 2),
        (0, 0, 10, 0, 0),
        (Int.max, Int.max / 2, 1000, 1000, 500),
    ])
    func fits(width: Int, height: Int, side: Int, expectedWidth: Int, expectedHeight: Int) {
        let result = PixelSize(width: width, height: height).fitting(longestSide: side)
        #expect(result == PixelSize(width: expectedWidth, height: expectedHeight))
    }

    @Test func negativeSidesAreEmpty() {
        #expect(PixelSize(width: -1, height: 5).isEmpty)
        #expect(PixelSize(width: 640, height: 480).description == "640 x 480")
    }
}
