import Foundation
import Pixels
import Transfers
import XCTest

@testable import PhotoPipeline

/// What pictures in memory count for.
final class ImageCacheTests: XCTestCase {
    private func key(_ number: Int, path: String = "", headers: RequestHeaders = RequestHeaders()) throws -> ImageKey {
        let address = try XCTUnwrap(URL(string: "https://example.org/pictures/\(path)\(number).png"))
        return ImageKey(ImageRequest(address: address, longestSide: 64), headers)
    }

    private func image(_ side: Int) -> ScaledImage {
        ScaledImage(pixels: PixelBuffer(size: PixelSize(width: side, height: side)), scale: 1)
    }

    /// A million pictures of one pixel have 4 MB of pixels, and take 1.5 GB.
    func testSmallPicturesCountForWhatTheyTakeBesides() throws {
        let cache = ImageCache(limit: 2_000_000)
        for number in 0..<2_000 { cache.insert(image(1), for: try key(number)) }
        XCTAssertLessThanOrEqual(cache.byteCount, cache.limit)
        XCTAssertLessThan(cache.count, 1_000)
        XCTAssertGreaterThan(cache.count, 500)
    }

    func testSmallPicturesTakeNoMoreMemoryThanTheyCountFor() throws {
        let cache = ImageCache(limit: 100_000_000)
        let before = try residentBytes()
        for number in 0..<100_000 { cache.insert(image(1), for: try key(number)) }
        XCTAssertLessThan(try residentBytes() - before, cache.limit + 20_000_000)
        XCTAssertGreaterThan(cache.count, 40_000)
    }

    func testLongAddressesAndHeadersCount() throws {
        let cache = ImageCache(limit: 100_000_000)
        func cost(_ key: ImageKey) -> Int {
            cache.removeAll()
            cache.insert(image(1), for: key)
            return cache.byteCount
        }
        let plain = cost(try key(1))
        XCTAssertGreaterThan(plain, 1_000)
        XCTAssertEqual(cost(try key(1, path: String(repeating: "a", count: 500))), plain + 500)
        let headers = try RequestHeaders(["X-Token": String(repeating: "b", count: 300)])
        XCTAssertEqual(cost(try key(1, headers: headers)), plain + 307)
    }

    /// Others need them at this size: what they take besides has no say.
    func testLargeImagesGoByTheirPixels() throws {
        let cache = ImageCache(limit: 100_000_000)
        for side in [10, 100, 101] { cache.insert(image(side), for: try key(side)) }
        cache.removeImages(largerThan: 100 * 100 * 4)
        XCTAssertEqual(cache.count, 2)
        XCTAssertNil(cache.entry(for: try key(101)))
    }
}
