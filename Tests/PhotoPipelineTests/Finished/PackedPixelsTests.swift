import Foundation
import OperationsTesting
import Pixels
import XCTest

@testable import PhotoPipeline

/// Pixels come back as they were, or not at all.
final class PackedPixelsTests: XCTestCase {
    func testWhatIsPackedComesBack() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        let sizes = [(1, 1), (1, 700), (700, 1), (257, 129)]
        for (width, height) in sizes + (0..<20).map({ _ in (Int.random(in: 1...90, using: &random), 31) }) {
            for isOpaque in [true, false] {
                let pixels = FinishedTestCase.noise(
                    width, height, seed: .random(in: 0...UInt64.max, using: &random), isOpaque: isOpaque)
                let packed = try XCTUnwrap(PackedPixels.pack(pixels, limit: .max))
                let back = PackedPixels.unpack(packed, size: pixels.size, isOpaque: isOpaque)
                XCTAssertEqual(back, pixels)
                XCTAssertEqual(back?.isOpaque, isOpaque)
                XCTAssertNil(PackedPixels.pack(pixels, limit: packed.count - 1))
                // Neither more nor less.
                XCTAssertNil(PackedPixels.unpack(packed.dropLast(), size: pixels.size, isOpaque: isOpaque))
                XCTAssertNil(PackedPixels.unpack(packed + [0], size: pixels.size, isOpaque: isOpaque))
                XCTAssertNil(PackedPixels.unpack(packed + packed, size: pixels.size, isOpaque: isOpaque))
                for (wide, high) in [(width + 1, height), (width, height + 1), (width, max(height, 2) - 1)]
                where (wide, high) != (width, height) {
                    let other = PixelSize(width: wide, height: high)
                    XCTAssertNil(PackedPixels.unpack(packed, size: other, isOpaque: isOpaque))
                }
            }
        }
    }

    func testPhotographsTakeLess() throws {
        let gradient = PixelBuffer(uninitialized: PixelSize(width: 512, height: 512), isOpaque: true) { bytes in
            for index in bytes.indices {
                bytes[index] = index % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: index / 16 + index / 9_000)
            }
        }
        let packed = try XCTUnwrap(PackedPixels.pack(gradient, limit: .max))
        XCTAssertLessThan(packed.count, gradient.byteCount / 10)
    }

    func testForeignBytesAreNoPicture() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        let pixels = FinishedTestCase.noise(40, 30, seed: 9)
        let packed = try XCTUnwrap(PackedPixels.pack(pixels, limit: .max))
        for _ in 0..<2_000 {
            var bytes = packed
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            // Its checksum tells; here it has to give a picture of that size or none, and no more.
            let back = PackedPixels.unpack(bytes, size: pixels.size, isOpaque: true)
            XCTAssert(back == nil || back?.size == pixels.size)
        }
        for bytes in [Data(), Data([0x28, 0xB5, 0x2F, 0xFD]), Data(repeating: 0xFF, count: 100)] {
            XCTAssertNil(PackedPixels.unpack(bytes, size: pixels.size, isOpaque: true))
        }
    }

    func testRecordsThatClaimTooMuchAreNone() throws {
        let image = ScaledImage(pixels: FinishedTestCase.noise(4, 4, seed: 1), scale: 0.5)
        let packed = try XCTUnwrap(PackedPixels.pack(image.pixels, limit: .max))
        let record = StoredImage(image, packed: packed, madeAt: 1_000)
        XCTAssertEqual(StoredImage(try XCTUnwrap(record.bytes)), record)
        XCTAssertEqual(record.image(packed)?.pixels, image.pixels)
        let text = String(decoding: try XCTUnwrap(record.bytes), as: UTF8.self)
        for (old, new) in [
            ("\"width\":4", "\"width\":4000000"), ("\"width\":4", "\"width\":9223372036854775807"),
            ("\"height\":4", "\"height\":-4"), ("\"height\":4", "\"height\":0"), ("\"scale\":0.5", "\"scale\":-1"),
            ("\"madeAt\":1000", "\"madeAt\":9223372036854775807"),
            ("\"bodyCount\":\(packed.count)", "\"bodyCount\":-1"),
        ] {
            let changed = text.replacingOccurrences(of: old, with: new)
            XCTAssertNotEqual(changed, text)
            XCTAssertNil(StoredImage(Data(changed.utf8)), new)
        }
    }
}
