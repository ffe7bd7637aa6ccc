import CJPEG
import CVips
import Foundation
import Testing

@testable import ImageCodecs
@testable import Pixels

/// Boxes, as decoders fill them.
struct ResizeTests {
    private static let modes = Resize.Mode.allCases

    private func decode(
        _ file: Data, _ resize: Resize, limits: DecodeLimits = DecodeLimits()
    ) throws -> PixelBuffer {
        try ImageDecoder.decodeWithInfo(file, DecodeOptions(resize: resize), limits: limits).pixels
    }

    @Test(arguments: ImageFormat.allCases)
    func everyKindFillsItsBox(format: ImageFormat) throws {
        let file = try FormatTests.file(format)
        let full = try ImageDecoder.probe(file).size
        for resize in [
            Resize.fit(width: 20, height: 12), .fill(width: 20, height: 12), .crop(width: 20, height: 12),
            .crop(width: 12, height: 20, gravity: .attention), .exact(width: 9, height: 31),
            .exact(width: 150, height: 7, enlarges: true), .crop(width: 150, height: 160, enlarges: true),
            .crop(width: 150, height: 110, gravity: .attention, enlarges: true), .crop(width: 1, height: 1),
        ] {
            for isolation in DecodeIsolation.allCases {
                let image = try decode(file, resize, limits: DecodeLimits(isolation: isolation))
                #expect(image.size == resize.size(of: full), "\(resize) \(isolation)")
            }
        }
    }

    /// Each way through the file's orientation and the cut must show the same part, upright.
    @Test(arguments: 1...8 as ClosedRange<UInt8>)
    func theBoxCountsForTheUprightImage(orientation: UInt8) throws {
        let plain = try ImageEncoder(format: .png).encode(TestImages.gradient(96, 61))
        let exif = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
        let turned = plain.prefix(33) + PNGFile.chunk("eXIf", exif) + plain.dropFirst(33)
        let upright = try ImageDecoder.decode(turned, longestSide: nil)
        let file = try ImageEncoder(format: .png).encode(upright)
        for resize in [
            Resize.fit(width: 40, height: 20), .fill(width: 41, height: 20), .crop(width: 40, height: 25),
            .crop(width: 17, height: 60), .exact(width: 30, height: 50), .crop(width: 10, height: 60),
            .crop(width: 200, height: 90, enlarges: true),
        ] {
            let difference = TestImages.difference(try decode(turned, resize), try decode(file, resize))
            #expect(difference < 0.1, "\(resize)")
        }
    }

    /// A gradient says from where in the picture a pixel is.
    @Test func theMiddleStays() throws {
        let file = try ImageEncoder(format: .png).encode(TestImages.gradient(400, 200))
        let cut = try decode(file, .crop(width: 50, height: 50))
        #expect(cut.size == PixelSize(width: 50, height: 50))
        // The middle half, 100 to 300 of 400.
        let (first, last) = (TestImages.colour(cut, 0, 25)[0], TestImages.colour(cut, 49, 25)[0])
        #expect(abs(first - 255 * 102 / 400) <= 2 && abs(last - 255 * 298 / 400) <= 2, "\(first) \(last)")
        #expect(TestImages.colour(cut, 25, 0)[1] <= 3 && TestImages.colour(cut, 25, 49)[1] >= 252)
    }

    @Test func enlargingIsLanczos() throws {
        for (width, height, resize) in [
            (7, 5, Resize.exact(width: 23, height: 11, enlarges: true)),
            (40, 3, .exact(width: 13, height: 10, enlarges: true)),
            (9, 6, .crop(width: 30, height: 8, enlarges: true)), (31, 20, .crop(width: 9, height: 13)),
            (1, 1, .exact(width: 5, height: 4, enlarges: true)), (2, 300, .crop(width: 40, height: 10, enlarges: true)),
        ] {
            var random: UInt32 = 4_711
            let image = PixelBuffer(uninitialized: PixelSize(width: width, height: height), isOpaque: true) { bytes in
                for index in bytes.indices {
                    random = random &* 1_664_525 &+ 1_013_904_223
                    bytes[index] = index % 4 == 3 ? 255 : UInt8(random >> 24)
                }
            }
            let result = try decode(ImageEncoder(format: .png).encode(image), resize)
            let wanted = Self.resampled(image, resize.layout(of: image.size))
            let furthest = result.withUnsafeBytes { bytes in
                zip(bytes, wanted).map { abs(Double($0) - $1) }.max() ?? 256
            }
            #expect(furthest < 0.51, "\(resize)")
        }
    }

    /// The definition, without haste: a lobe is as wide as an input or as a result, whichever is wider.
    private static func resampled(_ image: PixelBuffer, _ layout: Resize.Layout) -> [Double] {
        func weights(_ count: Int, _ whole: Int, _ first: Int, _ results: Int) -> [[(Int, Double)]] {
            let ratio = Double(count) / Double(whole)
            return (first..<first + results).map { result in
                let centre = (Double(result) + 0.5) * ratio - 0.5
                let raw = (0..<count).map { ($0, lanczos((Double($0) - centre) / max(1, ratio))) }
                let sum = raw.reduce(0) { $0 + $1.1 }
                return raw.filter { $0.1 != 0 }.map { ($0.0, $0.1 / sum) }
            }
        }
        let across = weights(image.size.width, layout.whole.width, layout.left, layout.size.width)
        let down = weights(image.size.height, layout.whole.height, layout.top, layout.size.height)
        let pixels = image.withUnsafeBytes { $0.map(Double.init) }
        let stride = image.size.width * 4
        var rows: [[Double]] = []
        for y in 0..<image.size.height {
            rows.append(
                across.flatMap { taps in
                    (0..<4).map { channel in taps.reduce(0) { $0 + $1.1 * pixels[y * stride + $1.0 * 4 + channel] } }
                })
        }
        return down.flatMap { taps in
            (0..<layout.size.width * 4).map { column in
                min(255, max(0, taps.reduce(0) { $0 + $1.1 * rows[$1.0][column] }))
            }
        }
    }

    private static func lanczos(_ x: Double) -> Double {
        guard abs(x) < 3 else { return 0 }
        func sinc(_ x: Double) -> Double { abs(x) < 1e-12 ? 1 : sin(.pi * x) / (.pi * x) }
        return sinc(x) * sinc(x / 3)
    }

    @Test(arguments: [(0, 0), (320, 0), (160, 0)], [false, true])
    func attentionKeepsWhatPeopleLookAt(place: (x: Int, y: Int), enlarges: Bool) throws {
        // A bright patch of many edges in a calm grey.
        var image = TestImages.solid(400, 80, [120, 120, 120, 255])
        image.draw(Self.checks(80), at: place)
        for format in [ImageEncoder.Format.png, .jpeg] {
            let file = try ImageEncoder(format: format).encode(image)
            let side = enlarges ? 100 : 40
            let cut = try decode(
                file, .crop(width: side, height: side, gravity: .attention, enlarges: enlarges),
                limits: DecodeLimits(isolation: format == .jpeg ? .standard : .nothing))
            #expect(cut.size == PixelSize(width: side, height: side))
            let isSeen = (0..<side).count { TestImages.colour(cut, $0, side / 2)[0] > 180 }
            #expect(isSeen > side / 4, "\(place) \(format): \(isSeen)")
        }
        if place.x != 160 {
            let centre = try decode(ImageEncoder(format: .png).encode(image), .crop(width: 40, height: 40))
            #expect((0..<40).allSatisfy { TestImages.colour(centre, $0, 20)[0] == 120 })
        }
    }

    private static func checks(_ side: Int) -> PixelBuffer {
        PixelBuffer(uninitialized: PixelSize(width: side, height: side), isOpaque: true) { bytes in
            for index in bytes.indices {
                let (x, y) = (index / 4 % side, index / 4 / side)
                let colour: [UInt8] = (x / 8 + y / 8) % 2 == 0 ? [250, 60, 40, 255] : [255, 200, 160, 255]
                bytes[index] = colour[index % 4]
            }
        }
    }

    @Test func thinImagesAndSmallBoxes() throws {
        let thin = try ImageEncoder(format: .png).encode(TestImages.gradient(1, 10_000))
        for (resize, expected) in [
            (Resize.fit(width: 100, height: 100), (1, 100)), (.crop(width: 1, height: 1), (1, 1)),
            (.fit(width: 1, height: 1), (1, 1)), (.crop(width: 100, height: 50, enlarges: true), (100, 50)),
            (.crop(width: 100, height: 50, gravity: .attention, enlarges: true), (100, 50)),
            (.crop(width: 100, height: 50, gravity: .attention), (1, 50)), (.exact(width: 1, height: 1), (1, 1)),
        ] {
            #expect(try decode(thin, resize).size == PixelSize(width: expected.0, height: expected.1), "\(resize)")
        }
        // All of it would be 100 x 1,000,000; half a pixel of it is seen, and that is of one green.
        let cut = try decode(thin, .crop(width: 100, height: 50, enlarges: true))
        #expect((0..<50).allSatisfy { abs(TestImages.colour(cut, 50, $0)[1] - 127) <= 1 })
    }

    @Test func alphaStays() throws {
        let image = TestImages.gradient(60, 40) { x, _ in UInt8(x * 4) }
        let file = try ImageEncoder(format: .png).encode(image)
        for resize in [
            Resize.crop(width: 20, height: 20), .crop(width: 20, height: 20, gravity: .attention),
            .exact(width: 90, height: 90, enlarges: true),
        ] {
            let result = try decode(file, resize)
            #expect(!result.isOpaque)
            let (first, last) = (
                TestImages.colour(result, 0, 5)[3], TestImages.colour(result, result.size.width - 1, 5)[3]
            )
            #expect(first < last, "\(resize)")
        }
    }

    @Test func framesAreAllCutInTheirMiddle() throws {
        for format in [ImageFormat.gif, .webp] {
            let tall = try TestVipsImage(TestImages.gradient(60, 120), bands: 3)
            tall.set("page-height", 40)
            let file = try tall.file(format == .gif ? "gifsave_buffer" : "webpsave_buffer")
            for isolation in [DecodeIsolation.nothing, .standard] {
                for resize in [
                    Resize.crop(width: 20, height: 20, gravity: .attention), .fill(width: 20, height: 20),
                    .exact(width: 70, height: 90, enlarges: true),
                ] {
                    let animation = try Animation(
                        file, DecodeOptions(resize: resize), limits: DecodeLimits(isolation: isolation))
                    #expect(animation.frameCount == 3)
                    for frame in 0..<3 {
                        let size = try animation.frame(frame).image.size
                        #expect(size == resize.size(of: PixelSize(width: 60, height: 40)), "\(resize)")
                    }
                }
            }
        }
    }

    @Test(arguments: DecodeIsolation.allCases)
    func limitsHoldForWhatIsEnlarged(isolation: DecodeIsolation) throws {
        let limits = DecodeLimits(maxPixels: 1_000_000, isolation: isolation)
        for format in [ImageFormat.jpeg, .png, .svg, .webp] {
            let file = try FormatTests.file(format)
            for resize in [
                Resize.exact(width: 65_535, height: 65_535, enlarges: true),
                .fill(width: 2, height: .max, enlarges: true), .fit(width: 5_000, height: 5_000, enlarges: true),
                .crop(width: .max, height: .max, gravity: .attention, enlarges: true),
            ] {
                do {
                    _ = try decode(file, resize, limits: limits)
                    Issue.record("\(format) \(resize) was made")
                } catch ImageCodecError.tooManyPixels(_, _, let limit) {
                    #expect(limit == 1_000_000)
                }
                #expect(
                    ImageDecoder.mostBytes(of: file, DecodeOptions(resize: resize), limits: limits) ?? 0 <= 4_000_000)
            }
        }
        let small = DecodeLimits(maxMemory: 1_000_000, isolation: isolation)
        #expect(throws: ImageCodecError.self) {
            try decode(FormatTests.file(.png), .exact(width: 1_000, height: 1_000, enlarges: true), limits: small)
        }
    }

    @Test func memoryIsAskedForAsMuchAsIsTaken() throws {
        let file = try ImageEncoder(format: .png).encode(TestImages.gradient(400, 100))
        let limits = DecodeLimits()
        func most(_ resize: Resize) -> Int {
            ImageDecoder.mostBytes(of: file, DecodeOptions(resize: resize), limits: limits) ?? 0
        }
        #expect(most(.crop(width: 50, height: 50)) >= 50 * 50 * 4)
        #expect(most(.crop(width: 50, height: 50)) < 200 * 50 * 4)
        // All that covers the box, and the cut.
        #expect(most(.crop(width: 50, height: 50, gravity: .attention)) >= (200 * 50 + 50 * 50) * 4)
        #expect(most(.exact(width: 500, height: 700, enlarges: true)) >= 500 * 700 * 4)
    }

    @Test func aJPEGIsUnpackedAtTheSmallestScaleThatServes() throws {
        let file = try TestImages.jpeg(TestImages.gradient(800, 400), orientation: 6)
        for (resize, eighths) in [
            (Resize.fit(width: 50, height: 50), 1), (.fit(width: 50, height: 100), 1),
            (.fit(width: 100, height: 200), 2),
            (.crop(width: 50, height: 50), 1), (.crop(width: 100, height: 30), 2), (.fill(width: 201, height: 10), 8),
            (.exact(width: 50, height: 400), 4), (.exact(width: 900, height: 10, enlarges: true), 8),
        ] {
            let output = try file.withUnsafeBytes { bytes in
                let jpeg = try #require(try JPEGFile(ByteReader(bytes), limits: DecodeLimits()))
                let plan = jpeg.header.image.plan(DecodeOptions(resize: resize))
                return try JPEGRows(header: jpeg.header, plan: plan).output.eighths
            }
            #expect(output == eighths, "\(resize)")
        }
    }

    @Test(arguments: [
        Resize.crop(width: 50, height: 50), .crop(width: 50, height: 50, gravity: .attention),
        .fill(width: 60, height: 60),
        .exact(width: 400, height: 90, enlarges: true),
    ])
    func thePassesOfAProgressiveFileAreLikeTheImage(resize: Resize) throws {
        let file = try TestVipsImage(TestImages.gradient(320, 240), bands: 3).file(
            "jpegsave_buffer", ["interlace": "true"])
        let turned = try TestImages.turned(file, orientation: 8)
        let decoder = ProgressiveDecoder(DecodeOptions(resize: resize))
        #expect(decoder.append(turned))
        #expect(try decoder.nextPass() == decode(turned, resize))
    }

    /// It is scaled as it is stored, and turned as it is written.
    @Test func theMemoryOfATurnedPictureIsThatOfScalingItAsItIsStored() throws {
        let plain = try ImageEncoder(format: .jpeg).encode(TestImages.solid(1_000, 1_000, [9, 9, 9, 255]))
        let turned = try TestImages.turned(plain, orientation: 6)
        func most(_ file: Data, _ width: Int, _ height: Int) throws -> Int {
            try #require(
                ImageDecoder.mostBytes(
                    of: file, DecodeOptions(resize: .exact(width: width, height: height)), limits: DecodeLimits()))
        }
        // All rows as they come, of whole length.
        #expect(try most(plain, 1_000, 10) > 600 * 1_000 * 16)
        #expect(try most(plain, 10, 1_000) < 1_000_000)
        #expect(try most(turned, 10, 1_000) == most(plain, 1_000, 10))
        #expect(try most(turned, 1_000, 10) == most(plain, 10, 1_000))
    }
}
