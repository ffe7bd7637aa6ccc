import CVips
import Foundation
import ImageCodecs
import Pixels
import Testing

struct FormatTests {
    /// A file of every kind, of one picture of 120 x 80.
    static func file(_ format: ImageFormat, _ image: PixelBuffer = TestImages.gradient(120, 80)) throws -> Data {
        let bands = image.isOpaque ? 3 : 4
        switch format {
        case .jpeg: return try ImageEncoder(format: .jpeg, quality: 95).encode(image)
        case .png: return try ImageEncoder(format: .png).encode(image)
        case .webp: return try ImageEncoder(format: .webp, quality: 95).encode(image)
        case .avif: return try ImageEncoder(format: .avif, quality: 90).encode(image)
        case .gif: return try TestVipsImage(image, bands: bands).file("gifsave_buffer")
        case .tiff: return try TestVipsImage(image, bands: bands).file("tiffsave_buffer")
        case .heif: return try TestVipsImage(image, bands: bands).file("heifsave_buffer", ["Q": "90"])
        case .jxl: return try TestVipsImage(image, bands: bands).file("jxlsave_buffer", ["Q": "95"])
        case .svg:
            let corners = [(0, 0, "0,0,200"), (60, 0, "255,0,0"), (0, 40, "0,255,200"), (60, 40, "255,255,0")]
            let shapes = corners.map { "<rect x='\($0.0)' y='\($0.1)' width='60' height='40' fill='rgb(\($0.2))'/>" }
            let head = "<svg xmlns='http://www.w3.org/2000/svg' width='120' height='80'>"
            return Data((head + shapes.joined() + "</svg>").utf8)
        }
    }

    @Test(arguments: ImageFormat.allCases)
    func everyKindIsRead(format: ImageFormat) throws {
        let file = try Self.file(format)
        #expect(ImageFormat(sniffing: file) == format)
        let info = try ImageDecoder.probe(file)
        #expect(info.format == format && info.size == PixelSize(width: 120, height: 80) && info.frames == 1)

        let full = try ImageDecoder.decode(file, longestSide: nil)
        #expect(full.size == info.size)
        if format != .svg { #expect(TestImages.difference(full, TestImages.gradient(120, 80)) < 4) }

        let small = try ImageDecoder.decode(file, longestSide: 30)
        #expect(small.size == PixelSize(width: 30, height: 20))
        #expect(TestImages.difference(small, TestImages.gradient(30, 20)) < 5 || format == .svg)
        for (x, y, expected) in [(1, 1, [4, 6, 195]), (28, 1, [250, 6, 8]), (1, 18, [4, 248, 195])] where format != .svg
        {
            let actual = TestImages.colour(small, x, y)
            #expect(zip(actual, expected + [255]).allSatisfy { abs($0 - $1) < 22 }, "\(format) \(x),\(y): \(actual)")
        }
        if format == .svg { #expect(TestImages.colour(small, 28, 1) == [255, 0, 0, 255]) }
    }

    @Test(arguments: ImageFormat.allCases)
    func aSmallImageIsNotEnlarged(format: ImageFormat) throws {
        let size = try ImageDecoder.decode(Self.file(format), longestSide: 1_000).size
        #expect(size == PixelSize(width: 120, height: 80))
    }

    @Test(arguments: [ImageFormat.jpeg, .png, .webp, .tiff, .svg], [1, 2, 7, 33, 59, 60, 61, 100, 119])
    func theLongestSideIsExact(format: ImageFormat, side: Int) throws {
        let size = try ImageDecoder.decode(Self.file(format), longestSide: side).size
        #expect(size == PixelSize(width: 120, height: 80).fitting(longestSide: side))
    }

    @Test(arguments: [ImageFormat.png, .webp, .gif, .tiff, .avif, .heif, .jxl])
    func transparencyIsStraight(format: ImageFormat) throws {
        // The right half is transparent black; the left must not darken at the border when it is reduced.
        var image = TestImages.gradient(120, 80) { x, _ in x < 60 ? 255 : 0 }
        image.withUnsafeMutableBytes { bytes in
            for index in bytes.indices where index % 4 < 3 { bytes[index] = bytes[index / 4 * 4 + 3] == 0 ? 0 : 240 }
        }
        let small = try ImageDecoder.decode(Self.file(format, image), longestSide: 24)
        #expect(!small.isOpaque)
        for x in 0..<24 {
            let colour = TestImages.colour(small, x, 8)
            if x < 10 { #expect(colour[3] > 240, "\(x): \(colour)") }
            if x > 13 { #expect(colour[3] < 15, "\(x): \(colour)") }
            if colour[3] > 60 { #expect(colour[0] > 215, "\(format) \(x): \(colour)") }
        }
    }

    @Test func deepImagesKeepTheirValues() throws {
        var wide: [UInt8] = []
        for _ in 0..<16 { for value in [25, 128, 200, 102] as [UInt8] { wide += [value, value] } }
        let colours = try TestVipsImage(
            wide, 4, 4, bands: 4, format: VIPS_FORMAT_USHORT, kind: VIPS_INTERPRETATION_RGB16)
        let decoded = try ImageDecoder.decode(colours.file("pngsave_buffer"), longestSide: nil)
        #expect(TestImages.colour(decoded, 1, 1) == [25, 128, 200, 102])
        let narrow = [UInt8](repeating: 25, count: 32)
        let grey = try TestVipsImage(
            narrow, 4, 4, bands: 1, format: VIPS_FORMAT_USHORT, kind: VIPS_INTERPRETATION_GREY16)
        for saver in ["pngsave_buffer", "tiffsave_buffer"] {
            let decodedGrey = try ImageDecoder.decode(grey.file(saver), longestSide: nil)
            #expect(TestImages.colour(decodedGrey, 1, 1) == [25, 25, 25, 255], "\(saver)")
        }
    }

    @Test(arguments: ["pngsave_buffer", "jpegsave_buffer", "tiffsave_buffer", "webpsave_buffer"])
    func greyWithoutAProfileStaysAsItIs(saver: String) throws {
        let grey = try TestVipsImage(
            [UInt8](repeating: 25, count: 256), 16, 16, bands: 1, kind: VIPS_INTERPRETATION_B_W)
        let decoded = try ImageDecoder.decode(grey.file(saver), longestSide: 8)
        let colour = TestImages.colour(decoded, 4, 4)
        let tolerance = saver.hasPrefix("webp") ? 1 : 0
        #expect(colour.prefix(3).allSatisfy { abs($0 - 25) <= tolerance }, "\(saver): \(colour)")
        #expect(decoded.isOpaque)
    }

    @Test func greyWithAlphaAndPalettesAreRead() throws {
        let bytes = (0..<256).flatMap { _ in [90, 128] as [UInt8] }
        let grey = try TestVipsImage(bytes, 16, 16, bands: 2, kind: VIPS_INTERPRETATION_B_W)
        let decoded = try ImageDecoder.decode(grey.file("pngsave_buffer"), longestSide: 8)
        #expect(TestImages.colour(decoded, 3, 3) == [90, 90, 90, 128])

        let flat = TestImages.solid(16, 16, [200, 30, 60, 255])
        let palette = try TestVipsImage(flat, bands: 3).file("pngsave_buffer", ["palette": "true"])
        #expect(TestImages.colour(try ImageDecoder.decode(palette, longestSide: 8), 3, 3) == [200, 30, 60, 255])
        let interlaced = try TestVipsImage(flat, bands: 3).file("pngsave_buffer", ["interlace": "true"])
        #expect(TestImages.colour(try ImageDecoder.decode(interlaced, longestSide: 8), 3, 3) == [200, 30, 60, 255])
    }

    @Test(arguments: [
        ["compression": "jpeg", "tile": "true"], ["bigtiff": "true"],
        ["compression": "deflate", "predictor": "horizontal"],
        ["compression": "lzw"], ["tile": "true", "pyramid": "true"],
    ])
    func kindsOfTIFF(options: [String: String]) throws {
        let image = TestImages.gradient(300, 200)
        let file = try TestVipsImage(image, bands: 3).file("tiffsave_buffer", options)
        #expect(ImageFormat(sniffing: file) == .tiff)
        let decoded = try ImageDecoder.decode(file, longestSide: nil)
        #expect(TestImages.difference(decoded, image) < 3)
    }

    @Test(arguments: ["gifsave_buffer", "webpsave_buffer", "tiffsave_buffer"])
    func theFirstFrameOfManyIsTaken(saver: String) throws {
        // Ten frames in one tall picture, as libvips wants them: the first is blue, the others are other colours.
        var tall = TestImages.solid(20, 100, [255, 200, 0, 255])
        tall.withUnsafeMutableBytes { bytes in
            for index in bytes.indices {
                let frame = index / (20 * 10 * 4)
                bytes[index] =
                    frame == 0 ? [0, 0, 255, 255][index % 4] : index % 4 == 1 ? UInt8(frame * 20) : bytes[index]
            }
        }
        let image = try TestVipsImage(tall, bands: 3)
        image.set("page-height", 10)
        let file = try image.file(saver)
        #expect(try ImageDecoder.probe(file).frames == 10)
        let first = try ImageDecoder.decode(file, longestSide: nil)
        #expect(first.size == PixelSize(width: 20, height: 10))
        let colour = TestImages.colour(first, 10, 5)
        #expect(colour[2] > 240 && colour[0] < 15)
        #expect(throws: ImageCodecError.tooManyFrames(limit: 9)) {
            try ImageDecoder.decode(file, longestSide: nil, limits: DecodeLimits(maxFrames: 9))
        }
    }

    @Test func aHugeVectorGraphicIsDrawnAtTheSizeThatIsWanted() throws {
        let text =
            "<svg xmlns='http://www.w3.org/2000/svg' width='1000000' height='500000'>"
            + "<rect width='1000000' height='500000' fill='#08f'/></svg>"
        let drawn = try ImageDecoder.decode(Data(text.utf8), longestSide: 100)
        #expect(drawn.size == PixelSize(width: 100, height: 50))
        #expect(TestImages.colour(drawn, 50, 25) == [0, 136, 255, 255])
        #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(Data(text.utf8), longestSide: nil) }
    }
}
