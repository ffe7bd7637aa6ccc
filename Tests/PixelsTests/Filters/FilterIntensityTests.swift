import Pixels
import XCTest

/// Filters of which only a part shows.
final class FilterIntensityTests: XCTestCase {
    private let invert = FilterChain([.invert(1)])

    /// Two pixels wide, one high.
    private func picture(isOpaque: Bool = true) -> PixelBuffer {
        PixelBuffer(uninitialized: PixelSize(width: 2, height: 1), isOpaque: isOpaque) {
            $0.copyBytes(from: [0, 100, 255, 255, 10, 20, 30, isOpaque ? 255 : 0])
        }
    }

    private func bytes(_ image: PixelBuffer?) -> [UInt8] { image?.withUnsafeBytes { Array($0) } ?? [] }

    func testEveryByteIsMixedWithThatOfThePictureAsItWas() throws {
        let before = picture()
        // Of the negative, [255, 155, 0], a quarter.
        let mixed = invert.applied(to: before, intensity: 0.25)
        XCTAssertEqual(bytes(mixed), [64, 114, 191, 255, 69, 74, 79, 255])
        XCTAssertEqual(mixed?.isOpaque, true)
        XCTAssertEqual(before, picture())
    }

    func testAtItsEndsItIsThePictureAndTheFiltersPicture() throws {
        var whole = picture()
        invert.apply(to: &whole)
        for intensity: Double in [1, 2, .infinity, .nan] {
            XCTAssertEqual(invert.applied(to: picture(), intensity: intensity), whole, "\(intensity)")
        }
        for intensity: Double in [0, -1, -.infinity] {
            XCTAssertEqual(invert.applied(to: picture(), intensity: intensity), picture(), "\(intensity)")
        }
    }

    func testAFilterThatMakesAPictureTransparentDoesSoInPart() throws {
        let faint = FilterChain([.opacity(0)])
        let half = faint.applied(to: picture(), intensity: 0.5)
        XCTAssertEqual(half?.isOpaque, false)
        XCTAssertEqual(bytes(half)[3], 128)
    }

    func testWhatIsTransparentHasNoSayInTheColour() throws {
        let white: [UInt8] = [255, 255, 255, 255]
        var square = PixelBuffer(size: PixelSize(width: 16, height: 16))
        square.withUnsafeMutableBytes {
            for pixel in 0..<256 where (4..<8).contains(pixel % 16) && (4..<8).contains(pixel / 16) {
                UnsafeMutableRawBufferPointer(rebasing: $0[4 * pixel..<4 * pixel + 4]).copyBytes(from: white)
            }
        }
        let shadow = try FilterChain(parsing: "drop-shadow(6px 6px red)").applied(to: square, intensity: 0.5)
        XCTAssertEqual(Array(bytes(shadow)[4 * (12 * 16 + 12)..<4 * (12 * 16 + 13)]), [255, 0, 0, 128])
        // The halo of white is white.
        let halo = bytes(try FilterChain(parsing: "blur(2px)").applied(to: square, intensity: 0.5))
        for pixel in 0..<256 where halo[4 * pixel + 3] > 8 { XCTAssertGreaterThan(halo[4 * pixel], 250, "\(pixel)") }
        XCTAssertGreaterThan(halo[4 * (9 * 16 + 5) + 3], 8)
    }

    func testWhatIsCancelledIsNoPicture() {
        // Who filters asks about once for each megapixel.
        let large = PixelBuffer(size: PixelSize(width: 2_000, height: 1_000))
        XCTAssertNil(invert.applied(to: large, intensity: 0.5, isCancelled: { true }))
        XCTAssertNil(invert.applied(to: large, intensity: 1, isCancelled: { true }))
    }

    /// The filter asks once, and so does what mixes its picture with the one before.
    func testWhatIsCancelledWhenItIsMixedIsNoPicture() {
        let large = PixelBuffer(size: PixelSize(width: 2_000, height: 1_000))
        var asked = 0
        let isCancelled = {
            asked += 1
            return asked > 1
        }
        XCTAssertNil(invert.applied(to: large, intensity: 0.5, isCancelled: isCancelled))
        XCTAssertEqual(asked, 2)
    }
}
