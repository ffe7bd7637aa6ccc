import Foundation
import ImageCodecs
import Pixels
import Testing

struct EncoderTests {
    @Test(arguments: ImageEncoder.Format.allCases, [40, 85, 89, 90, 100])
    func aPictureComesBack(format: ImageEncoder.Format, quality: Int) throws {
        let picture = TestPictures.gradient(97, 61)
        let file = try ImageEncoder(format: format, quality: quality).encode(picture)
        let decoded = try ImageDecoder.decode(file, longestSide: nil)
        #expect(TestPictures.difference(decoded, picture) < (format == .png ? 0.001 : 6))
        #expect(decoded.isOpaque)
    }

    @Test func everyPNGKeepsEveryTransparentPixel() throws {
        let picture = TestPictures.gradient(50, 40) { x, y in UInt8(truncatingIfNeeded: x * 7 + y) }
        let decoded = try ImageDecoder.decode(ImageEncoder(format: .png).encode(picture), longestSide: nil)
        #expect(TestPictures.difference(decoded, picture) == 0)
    }

    @Test func transparencyInJPEGIsLaidOverTheBackground() throws {
        let picture = TestPictures.solid(16, 16, [255, 0, 0, 128])
        let encoder = ImageEncoder(format: .jpeg, quality: 100, background: .init(red: 0, green: 0, blue: 255))
        let colour = TestPictures.colour(try ImageDecoder.decode(encoder.encode(picture), longestSide: nil), 8, 8)
        #expect(zip(colour, [128, 0, 127, 255]).allSatisfy { abs($0 - $1) <= 3 }, "\(colour)")
        let white = try ImageEncoder(format: .jpeg).encode(TestPictures.solid(16, 16, [9, 9, 9, 0]))
        #expect(TestPictures.colour(try ImageDecoder.decode(white, longestSide: nil), 8, 8) == [255, 255, 255, 255])
    }

    @Test func coloursAreSubsampledBelowNinety() throws {
        func factors(_ quality: Int) throws -> UInt8? {
            let file = try ImageEncoder(format: .jpeg, quality: quality).encode(TestPictures.gradient(32, 32))
            guard let frame = file.range(of: Data([0xFF, 0xC0])) else { return nil }
            return file[frame.lowerBound + 11]
        }
        #expect(try factors(89) == 0x22)
        #expect(try factors(90) == 0x11)
    }

    @Test(arguments: [0, 101, -5, Int.max])
    func qualityHasBounds(quality: Int) {
        #expect(throws: ImageCodecError.self) {
            try ImageEncoder(format: .jpeg, quality: quality).encode(TestPictures.gradient(8, 8))
        }
    }

    @Test func sizesBeyondAFormatAreRefused() {
        let wide = TestPictures.solid(70_000, 1, [1, 2, 3, 255])
        for format in [ImageEncoder.Format.jpeg, .webp, .avif] {
            #expect(throws: ImageCodecError.self) { try ImageEncoder(format: format).encode(wide) }
        }
        #expect(throws: ImageCodecError.self) {
            try ImageEncoder(format: .png).encode(PixelBuffer(size: PixelSize(width: 0, height: 5)))
        }
    }
}
