import CVips
import Foundation
import ImageCodecs
import Pixels
import Testing

struct FormatTests {
    /// A file of every kind, of one picture of 120 x 80.
    static func file(_ format: ImageFormat, _ picture: PixelBuffer = TestPictures.gradient(120, 80)) throws -> Data {
        let bands = picture.isOpaque ? 3 : 4
        switch format {
        case .jpeg: return try ImageEncoder(format: .jpeg, quality: 95).encode(picture)
        case .png: return try ImageEncoder(format: .png).encode(picture)
        case .webp: return try ImageEncoder(format: .webp, quality: 95).encode(picture)
        case .avif: return try ImageEncoder(format: .avif, quality: 90).encode(picture)
        case .gif: return try VipsPicture(picture, bands: bands).file("gifsave_buffer")
        case .tiff: return try VipsPicture(picture, bands: bands).file("tiffsave_buffer")
        case .heif: return try VipsPicture(picture, bands: bands).file("heifsave_buffer", ["Q": "90"])
        case .jxl: return try VipsPicture(picture, bands: bands).file("jxlsave_buffer", ["Q": "95"])
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
        if format != .svg { #expect(TestPictures.difference(full, TestPictures.gradient(120, 80)) < 4) }

        let small = try ImageDecoder.decode(file, longestSide: 30)
        #expect(small.size == PixelSize(width: 30, height: 20))
        #expect(TestPictures.difference(small, TestPictures.gradient(30, 20)) < 5 || format == .svg)
        for (x, y, expected) in [(1, 1, [4, 6, 195]), (28, 1, [250, 6, 8]), (1, 18, [4, 248, 195])] where format != .svg
        {
            let actual = TestPictures.colour(small, x, y)
            #expect(zip(actual, expected + [255]).allSatisfy { abs($0 - $1) < 22 }, "\(format) \(x),\(y): \(actual)")
        }
        if format == .svg { #expect(TestPictures.colour(small, 28, 1) == [255, 0, 0, 255]) }
    }

    @Test(arguments: ImageFormat.allCases)
    func aSmallPictureIsNotEnlarged(format: ImageFormat) throws {
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
        var picture = TestPictures.gradient(120, 80) { x, _ in x < 60 ? 255 : 0 }
        picture.withUnsafeMutableBytes { bytes in
            for index in bytes.indices where index % 4 < 3 { bytes[index] = bytes[index / 4 * 4 + 3] == 0 ? 0 : 240 }
        }
        let small = try ImageDecoder.decode(Self.file(format, picture), longestSide: 24)
        #expect(!small.isOpaque)
        for x in 0..<24 {
            let colour = TestPictures.colour(small, x, 8)
            if x < 10 { #expect(colour[3] > 240, "\(x): \(colour)") }
            if x > 13 { #expect(colour[3] < 15, "\(x): \(colour)") }
            if colour[3] > 60 { #expect(colour[0] > 215, "\(format) \(x): \(colour)") }
        }
    }

    @Test func deepPicturesKeepTheirValues() throws {
        var wide: [UInt8] = []
        for _ in 0..<16 { for value in [25, 128, 200, 102] as [UInt8] { wide += [value, value] } }
        let colours = try VipsPicture(wide, 4, 4, bands: 4, format: VIPS_FORMAT_USHORT, kind: VIPS_INTERPRETATION_RGB16)
        let decoded = try ImageDecoder.decode(colours.file("pngsave_buffer"), longestSide: nil)
        #expect(TestPictures.colour(decoded, 1, 1) == [25, 128, 200, 102])
        let narrow = [UInt8](repeating: 25, count: 32)
        let grey = try VipsPicture(narrow, 4, 4, bands: 1, format: VIPS_FORMAT_USHORT, kind: VIPS_INTERPRETATION_GREY16)
        for saver in ["pngsave_buffer", "tiffsave_buffer"] {
            let decodedGrey = try ImageDecoder.decode(grey.file(saver), longestSide: nil)
            #expect(TestPictures.colour(decodedGrey, 1, 1) == [25, 25, 25, 255], "\(saver)")
        }
    }

    @Test(arguments: ["pngsave_buffer", "jpegsave_buffer", "tiffsave_buffer", "webpsave_buffer"])
    func greyWithoutAProfileStaysAsItIs(saver: String) throws {
        let grey = try VipsPicture([UInt8](repeating: 25, count: 256), 16, 16, bands: 1, kind: VIPS_INTERPRETATION_B_W)
        let decoded = try ImageDecoder.decode(grey.file(saver), longestSide: 8)
        let colour = TestPictures.colour(decoded, 4, 4)
        let tolerance = saver.hasPrefix("webp") ? 1 : 0
        #expect(colour.prefix(3).allSatisfy { abs($0 - 25) <= tolerance }, "\(saver): \(colour)")
        #expect(decoded.isOpaque)
    }

    @Test func greyWithAlphaAndPalettesAreRead() throws {
        let bytes = (0..<256).flatMap { _ in [90, 128] as [UInt8] }
        let grey = try VipsPicture(bytes, 16, 16, bands: 2, kind: VIPS_INTERPRETATION_B_W)
        let decoded = try ImageDecoder.decode(grey.file("pngsave_buffer"), longestSide: 8)
        #expect(TestPictures.colour(decoded, 3, 3) == [90, 90, 90, 128])

        let flat = TestPictures.solid(16, 16, [200, 30, 60, 255])
        let palette = try VipsPicture(flat, bands: 3).file("pngsave_buffer", ["palette": "true"])
        #expect(TestPictures.colour(try ImageDecoder.decode(palette, longestSide: 8), 3, 3) == [200, 30, 60, 255])
        let interlaced = try VipsPicture(flat, bands: 3).file("pngsave_buffer", ["interlace": "true"])
        #expect(TestPictures.colour(try ImageDecoder.decode(interlaced, longestSide: 8), 3, 3) == [200, 30, 60, 255])
    }

    @Test(arguments: [
        ["compression": "jpeg", "tile": "true"], ["bigtiff": "true"],
        ["compression": "deflate", "predictor": "horizontal"],
        ["compression": "lzw"], ["tile": "true", "pyramid": "true"],
    ])
    func kindsOfTIFF(options: [String: String]) throws {
        let picture = TestPictures.gradient(300, 200)
        let file = try VipsPicture(picture, bands: 3).file("tiffsave_buffer", options)
        #expect(ImageFormat(sniffing: file) == .tiff)
        let decoded = try ImageDecoder.decode(file, longestSide: nil)
        #expect(TestPictures.difference(decoded, picture) < 3)
    }

    @Test(arguments: ["gifsave_buffer", "webpsave_buffer", "tiffsave_buffer"])
    func theFirstFrameOfManyIsTaken(saver: String) throws {
        // Ten frames in one tall picture, as libvips wants them: the first is blue, the others are other colours.
        var tall = TestPictures.solid(20, 100, [255, 200, 0, 255])
        tall.withUnsafeMutableBytes { bytes in
            for index in bytes.indices {
                let frame = index / (20 * 10 * 4)
                bytes[index] =
                    frame == 0 ? [0, 0, 255, 255][index % 4] : index % 4 == 1 ? UInt8(frame * 20) : bytes[index]
            }
        }
        let picture = try VipsPicture(tall, bands: 3)
        picture.set("page-height", 10)
        let file = try picture.file(saver)
        #expect(try ImageDecoder.probe(file).frames == 10)
        let first = try ImageDecoder.decode(file, longestSide: nil)
        #expect(first.size == PixelSize(width: 20, height: 10))
        let colour = TestPictures.colour(first, 10, 5)
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
        #expect(TestPictures.colour(drawn, 50, 25) == [0, 136, 255, 255])
        #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(Data(text.utf8), longestSide: nil) }
    }
}
