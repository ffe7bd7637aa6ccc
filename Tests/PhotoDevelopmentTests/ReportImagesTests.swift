import Foundation
import ImageCodecs
import Operations
import PhotoPipeline
import XCTest

@testable import PhotoDevelopment

/// The small pictures of the first rows.
final class ReportImagesTests: XCTestCase {
    private final class Stored: Sendable {
        let pairs = Lock<[Int: ReportImages.Pair]>([:])
        var rows: [Int] { pairs.withLock { $0.keys.sorted() } }
    }

    private let stored = Stored()
    private lazy var images = Self.images(into: stored)

    private static func images(into stored: Stored) -> ReportImages {
        ReportImages { row, pair in stored.pairs.withLock { $0[row] = pair } }
    }

    private static func buffer(_ width: Int, _ height: Int) -> PixelBuffer {
        PixelBuffer(uninitialized: PixelSize(width: width, height: height), isOpaque: true) { bytes in
            for index in bytes.indices {
                bytes[index] =
                    index % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: index / 4 % width &* 7 / 5 + index / 4 / width)
            }
        }
    }

    /// The pictures of a row, as a run makes them.
    static func pair() throws -> ReportImages.Pair {
        let stored = Stored()
        let images = images(into: stored)
        images.add(original: buffer(600, 400), at: [0])
        images.add(result: buffer(600, 400), at: [0])
        return try XCTUnwrap(stored.pairs.withLock { $0[0] })
    }

    func testAPairIsSmallJPEG() throws {
        let pair = try Self.pair()
        for image in [pair.original, pair.result] {
            XCTAssertEqual(try ImageDecoder.decode(image, longestSide: nil).size, PixelSize(width: 192, height: 128))
            XCTAssertLessThan(image.count, 20_000)
        }
    }

    func testOnlyWholePairsOfTheFirstRowsAreHandedOn() {
        let image = Self.buffer(40, 30)
        images.add(original: image, at: [1, 7, ReportImages.mostRows - 1, ReportImages.mostRows, 1_000])
        XCTAssertEqual(stored.rows, [])
        images.add(result: image, at: [1, ReportImages.mostRows - 1, ReportImages.mostRows])
        XCTAssertEqual(stored.rows, [1, ReportImages.mostRows - 1])
        images.add(result: image, at: [2])
        XCTAssertEqual(stored.rows, [1, ReportImages.mostRows - 1], "What has no original is not handed on.")
    }

    func testRowsOfOneAddressShareTheirPictures() {
        images.add(original: Self.buffer(40, 30), at: [3, 4])
        images.add(result: Self.buffer(30, 40), at: [3, 4])
        XCTAssertEqual(stored.rows, [3, 4])
        stored.pairs.withLock { XCTAssertEqual($0[3], $0[4]) }
    }
}
