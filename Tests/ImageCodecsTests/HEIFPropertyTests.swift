import Foundation
import ImageCodecs
import Pixels
import Testing

/// What a HEIF says of its picture besides the picture: how it is turned and cut, and what its numbers mean.
struct HEIFPropertyTests {
    private typealias Property = HEIFFile.Property

    /// The gradient's red grows to the right, and green downwards; alpha is the same in each quarter.
    private static let source = TestImages.gradient(96, 64) { x, y in
        x < 48 ? (y < 32 ? 250 : 200) : (y < 32 ? 150 : 100)
    }

    private func plain(bands: Int) throws -> Data {
        try TestVipsImage(Self.source, bands: bands).file("heifsave_buffer", ["lossless": "true"])
    }

    /// The picture as the properties make it, one after the other.
    private func expected(_ properties: [HEIFFile.Property], bands: Int) throws -> PixelBuffer {
        var picture = Self.source
        for property in properties {
            let size = picture.size
            picture =
                switch (property.kind, property.body.first) {
                case ("irot", 1):
                    moved(picture, PixelSize(width: size.height, height: size.width)) { (size.width - 1 - $1, $0) }
                case ("irot", _):
                    moved(picture, PixelSize(width: size.height, height: size.width)) { ($1, size.height - 1 - $0) }
                case ("imir", 1): moved(picture, size) { (size.width - 1 - $0, $1) }
                case ("imir", _): moved(picture, size) { ($0, size.height - 1 - $1) }
                // A cut to 40 x 20 whose middle is 4 to the right and 6 up.
                default:
                    moved(picture, PixelSize(width: 40, height: 20)) {
                        ($0 + (size.width - 40) / 2 + 4, $1 + (size.height - 20) / 2 - 6)
                    }
                }
        }
        return picture
    }

    private func moved(_ picture: PixelBuffer, _ size: PixelSize, from place: (Int, Int) -> (Int, Int)) -> PixelBuffer {
        PixelBuffer(uninitialized: size, isOpaque: picture.isOpaque) { bytes in
            picture.withUnsafeBytes { source in
                for y in 0..<size.height {
                    for x in 0..<size.width {
                        let (fromX, fromY) = place(x, y)
                        for channel in 0..<4 {
                            bytes[4 * (y * size.width + x) + channel] =
                                source[4 * (fromY * picture.size.width + fromX) + channel]
                        }
                    }
                }
            }
        }
    }

    private static let (left, right, upsideDown, aside, cut) = (
        Property.turn(1), Property.turn(3), Property.mirror(0), Property.mirror(1), Property.cut(40, 20, 8, -12)
    )

    private static let ways: [[HEIFFile.Property]] = [
        [upsideDown], [aside], [left, aside], [aside, left], [right, upsideDown], [cut], [cut, left], [left, cut],
        [aside, cut, right], [right, cut, upsideDown], [cut, aside, left],
    ]

    @Test(arguments: ways.indices, [3, 4])
    func turnsMirrorsAndCutsComeInTheOrderOfTheFile(way: Int, bands: Int) throws {
        let properties = Self.ways[way]
        var file = HEIFFile(try plain(bands: bands))
        try file.add(properties, to: file.picture)
        // Transparency has none of its own, or the same.
        if bands == 4, way % 2 == 0 { try file.add(properties, to: file.transparency) }
        let expected = try expected(properties, bands: bands)
        #expect(try ImageDecoder.probe(file.data).size == expected.size)
        let decoded = try ImageDecoder.decode(file.data, longestSide: nil)
        #expect(decoded.size == expected.size)
        for (x, y) in [(3, 3), (expected.size.width - 4, 3), (3, expected.size.height - 4)] {
            let (colour, wanted) = (TestImages.colour(decoded, x, y), TestImages.colour(expected, x, y))
            let near = zip(colour, wanted).prefix(bands).allSatisfy { abs($0 - $1) <= 12 }
            #expect(near, "\(properties.map(\.kind)) at \(x), \(y): \(colour) for \(wanted)")
        }
    }

    /// What is cut off is unpacked all the same.
    @Test func turnsMayStandInFrontOfAllOtherProperties() throws {
        var file = HEIFFile(try plain(bands: 3))
        try file.add([Self.left], to: file.picture, inFront: true)
        let seen = try ImageDecoder.decode(file.data, longestSide: nil)
        #expect(seen.size == PixelSize(width: 64, height: 96))
        let upright = try ImageDecoder.decode(try plain(bands: 3), longestSide: nil)
        let expected = moved(upright, seen.size) { (upright.size.width - 1 - $1, $0) }
        #expect(seen.withUnsafeBytes(Array.init) == expected.withUnsafeBytes(Array.init))
    }

    @Test func theLengthOfTheDescriptionMayBeLeftOpen() throws {
        let plain = try plain(bands: 4)
        var file = HEIFFile(plain)
        try file.leaveMetaOpen()
        #expect(try pixels(file.data) == pixels(plain))
    }

    @Test func theLengthOfTheDescriptionMayHave64Bits() throws {
        let plain = try plain(bands: 4)
        var file = HEIFFile(plain)
        try file.lengthenMeta()
        #expect(try pixels(file.data) == pixels(plain))
    }

    @Test func groupsOfPicturesChangeNothing() throws {
        let plain = try plain(bands: 3)
        var file = HEIFFile(plain)
        let group = [0, 9, 1, try file.picture].flatMap(PNGFile.bigEndian)
        try file.describe("grpl", HEIFFile.boxed("pymd", group))
        #expect(try pixels(file.data) == pixels(plain))
    }

    @Test func transparencyOfNoPictureIsUnsupported() throws {
        var file = HEIFFile(try plain(bands: 4))
        try file.loseTransparency()
        #expect(throws: ImageCodecError.unsupportedFormat("HEIF with transparency of no picture")) {
            try ImageDecoder.decode(file.data, longestSide: nil)
        }
    }

    private func pixels(_ file: Data) throws -> [UInt8] {
        try ImageDecoder.decode(file, longestSide: nil).withUnsafeBytes(Array.init)
    }

    @Test func limitsAreForTheWholePicture() throws {
        var file = HEIFFile(try plain(bands: 3))
        try file.add([Self.cut], to: file.picture)
        #expect(throws: ImageCodecError.tooManyPixels(width: 96, height: 64, limit: 6_000)) {
            try ImageDecoder.decode(file.data, longestSide: nil, limits: DecodeLimits(maxPixels: 6_000))
        }
    }

    @Test func aCutToNothingIsDamaged() throws {
        var file = HEIFFile(try plain(bands: 3))
        try file.add([.cut(10, 10, 400, 0)], to: file.picture)
        #expect(throws: ImageCodecError.damaged("it is cut to nothing")) {
            try ImageDecoder.decode(file.data, longestSide: nil)
        }
    }

    /// Less than such a property has in any file that is sound.
    @Test func aPropertyOfAV1WithoutItsLastByteIsDamage() throws {
        var file = HEIFFile(try plain(bands: 3))
        try file.add([Property(kind: "av1C", body: [0x81, 0, 0])], to: file.picture)
        #expect(throws: ImageCodecError.self) { try ImageDecoder.decode(file.data, longestSide: nil) }
    }

    /// From 16 to 235 of 8 bits: 200 is (200 - 16) * 255 / 219.
    @Test func transparencyThatDoesNotUseAllNumbersIsStretched() throws {
        let image = try TestVipsImage(TestImages.solid(64, 64, [200, 80, 60, 200]))
        var file = HEIFFile(try image.file("heifsave_buffer", ["lossless": "true"]))
        #expect(abs(TestImages.colour(try ImageDecoder.decode(file.data, longestSide: nil), 5, 5)[3] - 200) <= 1)
        try file.add([.colours(2, 2, isFullRange: false)], to: file.transparency)
        let colour = TestImages.colour(try ImageDecoder.decode(file.data, longestSide: nil), 5, 5)
        #expect(abs(colour[3] - 214) <= 1, "\(colour)")
    }

    @Test func coloursThatAreMultipliedByTransparencyAreDivided() throws {
        let image = try TestVipsImage(TestImages.solid(64, 64, [100, 40, 30, 128]))
        var file = HEIFFile(try image.file("heifsave_buffer", ["lossless": "true"]))
        try file.premultiply()
        let colour = TestImages.colour(try ImageDecoder.decode(file.data, longestSide: nil), 5, 5)
        #expect(zip(colour, [200, 80, 60, 128]).allSatisfy { abs($0 - $1) <= 6 }, "\(colour)")
    }

    private static let grey8 =
        "AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAPBtZXRhAAAAAAAAAChoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAbGliYXZpZgAAAA"
        + "AOcGl0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEAAAEUAAAAHwAAAChpaW5mAAAAAAABAAAAGmluZmUCAAAAAAEAAGF2MDFDb2xvcgAA"
        + "AABoaXBycAAAAElpcGNvAAAAFGlzcGUAAAAAAAAAEAAAABAAAAAOcGl4aQAAAAABCAAAAAxhdjFDgQAcAAAAABNjb2xybmNseAABAA0ABgAAAA"
        + "AXaXBtYQAAAAAAAAABAAEEAQKDBAAAACdtZGF0EgAKCBgM/9hgIaDEMhFEUAAAQL/Y6cuGCOXan4XYGA=="
    private static let grey10 =
        "AAAAHGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZgAAAPBtZXRhAAAAAAAAAChoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAbGliYXZpZgAAAA"
        + "AOcGl0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEAAAEUAAAAHwAAAChpaW5mAAAAAAABAAAAGmluZmUCAAAAAAEAAGF2MDFDb2xvcgAA"
        + "AABoaXBycAAAAElpcGNvAAAAFGlzcGUAAAAAAAAAEAAAABAAAAAOcGl4aQAAAAABCgAAAAxhdjFDgQBcAAAAABNjb2xybmNseAABAA0ABgAAAA"
        + "AXaXBtYQAAAAAAAAABAAEEAQKDBAAAACdtZGF0EgAKCBgM/9jgIaDEMhFEUAEEQL/Y6cuoUC3aqdz2GA=="

    /// Made of grey 60 and 128 by `avifenc --yuv 400 --range limited`, of 8 and 10 bits.
    @Test(arguments: [grey8, grey10])
    func greyThatDoesNotUseAllNumbersIsStretched(file: String) throws {
        let picture = try ImageDecoder.decode(#require(Data(base64Encoded: file)), longestSide: nil)
        let greys = [TestImages.colour(picture, 2, 2), TestImages.colour(picture, 13, 2)]
        #expect(zip(greys.map(\.[0]), [60, 128]).allSatisfy { abs($0 - $1) <= 1 }, "\(greys)")
    }

    /// sRGB 200, 80, 60 in Display P3 is about 187, 90, 69, and in BT.2020 168, 95, 68.
    @Test(arguments: [(12, [187, 90, 69]), (9, [168, 95, 68])] as [(UInt8, [UInt8])])
    func codePointsSayWhatColoursAre(primaries: UInt8, stored: [UInt8]) throws {
        let image = try TestVipsImage(TestImages.solid(64, 64, stored + [255]), bands: 3)
        for compression in ["hevc", "av1"] {
            let plain = try image.file("heifsave_buffer", ["compression": compression, "Q": "95"])
            let file = try HEIFFile.saying(primaries, 13, in: plain)
            let colour = TestImages.colour(try ImageDecoder.decode(file, longestSide: nil), 5, 5)
            #expect(zip(colour, [200, 80, 60]).allSatisfy { abs($0 - $1) <= 4 }, "\(compression): \(colour)")
        }
    }
}
