import Foundation
import ImageCodecs
import Pixels
import Testing

struct EncoderTests {
    @Test(arguments: ImageEncoder.Format.allCases, [40, 85, 89, 90, 100])
    func anImageComesBack(format: ImageEncoder.Format, quality: Int) throws {
        let image = TestImages.gradient(97, 61)
        let file = try ImageEncoder(format: format, quality: quality).encode(image)
        let decoded = try ImageDecoder.decode(file, longestSide: nil)
        #expect(TestImages.difference(decoded, image) < (format == .png ? 0.001 : 6))
        #expect(decoded.isOpaque)
    }

    @Test func everyPNGKeepsEveryTransparentPixel() throws {
        let image = TestImages.gradient(50, 40) { x, y in UInt8(truncatingIfNeeded: x * 7 + y) }
        let decoded = try ImageDecoder.decode(ImageEncoder(format: .png).encode(image), longestSide: nil)
        #expect(TestImages.difference(decoded, image) == 0)
    }

    @Test func transparencyInJPEGIsLaidOverTheBackground() throws {
        let image = TestImages.solid(16, 16, [255, 0, 0, 128])
        let encoder = ImageEncoder(format: .jpeg, quality: 100, background: .init(red: 0, green: 0, blue: 255))
        let colour = TestImages.colour(try ImageDecoder.decode(encoder.encode(image), longestSide: nil), 8, 8)
        #expect(zip(colour, [128, 0, 127, 255]).allSatisfy { abs($0 - $1) <= 3 }, "\(colour)")
        let white = try ImageEncoder(format: .jpeg).encode(TestImages.solid(16, 16, [9, 9, 9, 0]))
        #expect(TestImages.colour(try ImageDecoder.decode(white, longestSide: nil), 8, 8) == [255, 255, 255, 255])
    }

    @Test func coloursAreSubsampledBelowNinety() throws {
        func factors(_ quality: Int) throws -> UInt8? {
            let file = try ImageEncoder(format: .jpeg, quality: quality).encode(TestImages.gradient(32, 32))
            guard let frame = file.range(of: Data([0xFF, 0xC0])) else { return nil }
            return file[frame.lowerBound + 11]
        }
        #expect(try factors(89) == 0x22)
        #expect(try factors(90) == 0x11)
    }

    /// The byte behind a frame's first marker of these kinds, at an offset from it.
    private func byte(_ file: Data, behind markers: [UInt8], at offset: Int) -> UInt8? {
        markers.lazy.compactMap { file.range(of: Data([0xFF, $0])) }.first.map { file[$0.lowerBound + offset] }
    }

    @Test func aProgressiveJPEGHasItsMarkerAndTheSamePixels() throws {
        let image = TestImages.gradient(397, 261)
        var encoder = ImageEncoder(format: .jpeg)
        let plain = try encoder.encode(image)
        encoder.isProgressive = true
        let progressive = try encoder.encode(image)
        #expect(plain.range(of: Data([0xFF, 0xC0])) != nil && plain.range(of: Data([0xFF, 0xC2])) == nil)
        #expect(progressive.range(of: Data([0xFF, 0xC2])) != nil && progressive.range(of: Data([0xFF, 0xC0])) == nil)
        #expect(try ImageDecoder.decode(progressive, longestSide: nil) == ImageDecoder.decode(plain, longestSide: nil))
        let decoder = ProgressiveDecoder(longestSide: nil)
        #expect(decoder.append(progressive))
        #expect(try decoder.nextPass()?.size == image.size)
    }

    @Test func optimisedCodingIsSmallerAndTheSamePixels() throws {
        let image = TestImages.gradient(300, 200)
        var encoder = ImageEncoder(format: .jpeg)
        let plain = try encoder.encode(image)
        encoder.optimizesCoding = true
        let optimised = try encoder.encode(image)
        #expect(optimised.count < plain.count)
        #expect(optimised.range(of: Data([0xFF, 0xC0])) != nil)
        #expect(try ImageDecoder.decode(optimised, longestSide: nil) == ImageDecoder.decode(plain, longestSide: nil))
    }

    @Test(arguments: [20, 85, 95], [false, true])
    func coloursOfJPEGAreStoredAsWanted(quality: Int, isProgressive: Bool) throws {
        var encoder = ImageEncoder(format: .jpeg, quality: quality)
        encoder.isProgressive = isProgressive
        for (chroma, factors) in [
            (nil, quality < 90 ? 0x22 : 0x11), (.half, 0x22), (ImageEncoder.ChromaSubsampling.none, 0x11),
        ] {
            encoder.chromaSubsampling = chroma
            let file = try encoder.encode(TestImages.gradient(32, 32))
            #expect(byte(file, behind: [0xC0, 0xC2], at: 11) == UInt8(factors))
        }
    }

    @Test(arguments: [85, 95])
    func coloursOfAVIFAreStoredAsWanted(quality: Int) throws {
        var encoder = ImageEncoder(format: .avif, quality: quality)
        for (chroma, isHalf) in [(nil, quality < 90), (.half, true), (ImageEncoder.ChromaSubsampling.none, false)] {
            encoder.chromaSubsampling = chroma
            let file = try encoder.encode(TestImages.gradient(32, 32))
            let box = try #require(file.range(of: Data("av1C".utf8)))
            #expect((file[box.upperBound + 2] & 0x0C == 0x0C) == isHalf)
        }
    }

    @Test func aLosslessWebPKeepsEachPixel() throws {
        var encoder = ImageEncoder(format: .webp)
        func kinds(_ file: Data) -> (lossy: Bool, lossless: Bool) {
            (file.range(of: Data("VP8 ".utf8)) != nil, file.range(of: Data("VP8L".utf8)) != nil)
        }
        #expect(try kinds(encoder.encode(TestImages.gradient(97, 61))) == (true, false))
        encoder.isLossless = true
        for image in [
            TestImages.gradient(97, 61), TestImages.gradient(50, 40) { x, y in UInt8(20 + (x * 5 + y) % 200) },
        ] {
            let file = try encoder.encode(image)
            #expect(kinds(file) == (false, true))
            #expect(try ImageDecoder.decode(file, longestSide: nil) == image)
        }
    }

    @Test func theSpeedOfAVIFHasBoundsAndAnEffect() throws {
        let image = TestImages.gradient(64, 64)
        var encoder = ImageEncoder(format: .avif)
        let usual = try encoder.encode(image)
        encoder.avifSpeed = 4
        #expect(try encoder.encode(image) != usual)
        encoder.avifSpeed = 9
        #expect(try ImageDecoder.decode(encoder.encode(image), longestSide: nil).size == image.size)
        for speed in [-1, 10] {
            encoder.avifSpeed = speed
            #expect(throws: ImageCodecError.self) { try encoder.encode(image) }
        }
    }

    @Test func whatAFormatCannotDoIsAnError() throws {
        let image = TestImages.gradient(8, 8)
        for format in [ImageEncoder.Format.jpeg, .avif] {
            var encoder = ImageEncoder(format: format)
            encoder.isLossless = true
            #expect(throws: ImageCodecError.self) { try encoder.encode(image) }
        }
        var encoder = ImageEncoder(format: .webp)
        encoder.chromaSubsampling = ImageEncoder.ChromaSubsampling.none
        #expect(throws: ImageCodecError.self) { try encoder.encode(image) }
        encoder.isLossless = true
        #expect(try encoder.encode(image).count > 0)
    }

    @Test(arguments: [0, 101, -5, Int.max])
    func qualityHasBounds(quality: Int) {
        #expect(throws: ImageCodecError.self) {
            try ImageEncoder(format: .jpeg, quality: quality).encode(TestImages.gradient(8, 8))
        }
    }

    @Test func sizesBeyondAFormatAreRefused() {
        let wide = TestImages.solid(70_000, 1, [1, 2, 3, 255])
        for format in [ImageEncoder.Format.jpeg, .webp, .avif] {
            #expect(throws: ImageCodecError.self) { try ImageEncoder(format: format).encode(wide) }
        }
        #expect(throws: ImageCodecError.self) {
            try ImageEncoder(format: .png).encode(PixelBuffer(size: PixelSize(width: 0, height: 5)))
        }
    }
}
