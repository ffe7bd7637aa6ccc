import XCTest

@testable import PhotoApp

/// The places of a photo in all looks beside each other.
final class LookGridTests: XCTestCase {
    func testTheLooksAreAsLargeAsTheWindowLetsThem() {
        for (width, height) in [(360, 500), (800, 600), (1_240, 640), (1_900, 1_000), (3_800, 2_000)] {
            for shape in [0.3, 0.67, 1, 1.5, 5] {
                for count in [1, 5, 21, 60] {
                    let grid = LookGrid(count, shape: shape, width: width, height: height)
                    let last = grid.place(of: count - 1)
                    XCTAssertLessThanOrEqual(last.y + grid.height, grid.totalHeight)
                    XCTAssertLessThanOrEqual(grid.place(of: grid.columns - 1).x + grid.width, width)
                    XCTAssertGreaterThanOrEqual(grid.width, min(width - 20, LookGrid.leastWidth))
                    XCTAssertLessThanOrEqual(grid.pictureSide(shape: shape), max(grid.width, grid.height))
                }
            }
        }
        XCTAssertEqual(LookGrid(21, shape: 1.5, width: 360, height: 500).columns, 2)
        let large = LookGrid(21, shape: 1.5, width: 1_240, height: 640)
        XCTAssertLessThanOrEqual(large.totalHeight, 640, "all are seen at once where there is room")
    }
}
