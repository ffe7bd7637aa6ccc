import Foundation
import ImageCodecs
import Pixels
import Testing

struct OrientationTests {
    /// Where the stored picture's top left and top right corners are seen, as fractions of the upright picture:
    /// the table of the EXIF standard, 2.3, 4.6.4 A.
    private static let corners: [UInt8: (first: (Int, Int), second: (Int, Int))] = [
        1: ((0, 0), (1, 0)), 2: ((1, 0), (0, 0)), 3: ((1, 1), (0, 1)), 4: ((0, 1), (1, 1)),
        5: ((0, 0), (0, 1)), 6: ((1, 0), (1, 1)), 7: ((1, 1), (1, 0)), 8: ((0, 1), (0, 0)),
    ]

    private func check(_ file: Data, _ orientation: UInt8, longestSide: Int?) throws {
        let expected = try #require(Self.corners[orientation])
        let info = try ImageDecoder.probe(file)
        #expect(info.size == (orientation < 5 ? PixelSize(width: 96, height: 64) : PixelSize(width: 64, height: 96)))
        let decoded = try ImageDecoder.decode(file, longestSide: longestSide)
        #expect(decoded.size == longestSide.map { info.size.fitting(longestSide: $0) } ?? info.size)
        func colour(_ corner: (Int, Int)) -> [Int] {
            TestImages.colour(
                decoded, corner.0 * (decoded.size.width - 1), corner.1 * (decoded.size.height - 1))
        }
        // The gradient's first corner is blue, its second is red, both without green.
        let (first, second) = (colour(expected.first), colour(expected.second))
        #expect(first[0] < 50 && first[1] < 50 && first[2] > 150, "\(orientation): \(first)")
        #expect(second[0] > 200 && second[1] < 50 && second[2] < 50, "\(orientation): \(second)")
    }

    @Test(arguments: 1...8 as ClosedRange<UInt8>, [nil, 96, 40, 24, 11])
    func ofJPEG(orientation: UInt8, longestSide: Int?) throws {
        let file = try TestImages.jpeg(TestImages.gradient(96, 64), orientation: orientation)
        try check(file, orientation, longestSide: longestSide)
    }

    @Test(arguments: 1...8, ["tiffsave_buffer", "webpsave_buffer"])
    func ofOtherKinds(orientation: Int, saver: String) throws {
        let image = try TestVipsImage(TestImages.gradient(96, 64), bands: 3)
        image.set("orientation", orientation)
        try check(image.file(saver), UInt8(orientation), longestSide: 24)
        try check(image.file(saver), UInt8(orientation), longestSide: nil)
    }

    /// libvips writes no `eXIf` chunk into PNG; phones do.
    @Test(arguments: 1...8 as ClosedRange<UInt8>)
    func ofPNG(orientation: UInt8) throws {
        let plain = try ImageEncoder(format: .png).encode(TestImages.gradient(96, 64))
        let exif = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
        try check(plain.prefix(33) + PNGFile.chunk("eXIf", exif) + plain.dropFirst(33), orientation, longestSide: 24)
    }

    /// libheif and libjxl turn pictures themselves: done once more by us it would be wrong.
    @Test(arguments: [1, 3, 6, 8], ["heifsave_buffer", "jxlsave_buffer"])
    func ofKindsThatTurnThemselves(orientation: Int, saver: String) throws {
        let image = try TestVipsImage(TestImages.gradient(96, 64), bands: 3)
        image.set("orientation", orientation)
        let file = try image.file(saver)
        let info = try ImageDecoder.probe(file)
        let decoded = try ImageDecoder.decode(file, longestSide: nil)
        #expect(decoded.size == info.size)
    }

    /// Phones write it twice into HEIF: as a property, which libheif goes by, and into EXIF, for others.
    @Test(arguments: [(3, 2), (6, 3), (8, 1)] as [(UInt8, UInt8)], [nil, 24])
    func theOrientationIsNotAppliedTwice(_ kinds: (exif: UInt8, quarterTurns: UInt8), longestSide: Int?) throws {
        let image = try TestVipsImage(TestImages.gradient(96, 64), bands: 3)
        image.set("orientation", Int(kinds.exif))
        let file = try HEIFFile.turned(image.file("heifsave_buffer"), quarterTurns: kinds.quarterTurns)
        try check(file, kinds.exif, longestSide: longestSide)
    }

    @Test(arguments: [0, 9, 255] as [UInt8])
    func nonsenseMeansUpright(orientation: UInt8) throws {
        try check(TestImages.jpeg(TestImages.gradient(96, 64), orientation: orientation), 1, longestSide: 24)
    }
}

extension OrientationTests {
    private static let xmp = [
        ##"<rdf:RDF><rdf:Description tiff:Make="A" tiff:Orientation="#" tiff:Orientation="9"/></rdf:RDF>"##,
        "<rdf:RDF><rdf:Description tiff:Orientation='#'/></rdf:RDF>",
        "<rdf:RDF><rdf:Description><tiff:Orientation>#</tiff:Orientation></rdf:Description></rdf:RDF>",
    ]

    private static func segment(_ packet: String) -> [UInt8] {
        let body = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet.utf8
        return [0xFF, 0xE1, 0, UInt8(body.count + 2)] + body
    }

    /// A file without EXIF; libvips would add some to it.
    private func file(_ format: ImageEncoder.Format, xmp: String) throws -> Data {
        let plain = try ImageEncoder(format: format).encode(TestImages.gradient(96, 64))
        switch format {
        case .jpeg: return plain.prefix(2) + Self.segment(xmp) + plain.dropFirst(2)
        case .png:
            let text = Array("XML:com.adobe.xmp\0\0\0en\0XMP\0".utf8) + xmp.utf8
            return plain.prefix(33) + PNGFile.chunk("iTXt", text) + plain.dropFirst(33)
        default:
            // With a canvas of 96 x 64 and the sign that XMP follows.
            let canvas = Array("VP8X".utf8) + [10, 0, 0, 0, 4, 0, 0, 0, 95, 0, 0, 63, 0, 0]
            let padding: [UInt8] = xmp.utf8.count % 2 == 0 ? [] : [0]
            let packet = Array("XMP ".utf8) + [UInt8(xmp.utf8.count), 0, 0, 0] + xmp.utf8 + padding
            let body = Data("WEBP".utf8) + canvas + plain.dropFirst(12) + packet
            return Data("RIFF".utf8) + PNGFile.bigEndian(body.count).reversed() + body
        }
    }

    /// Photo editors write it only there.
    @Test(arguments: 1...8, [.jpeg, .png, .webp] as [ImageEncoder.Format])
    func ofXMPWhereEXIFSaysNothing(orientation: Int, format: ImageEncoder.Format) throws {
        for packet in Self.xmp {
            let file = try file(format, xmp: packet.replacing("#", with: "\(orientation)"))
            try check(file, orientation, longestSide: 24)
            try check(file, orientation, longestSide: nil)
        }
    }

    @Test(arguments: [
        "<rdf:RDF tiff:Orientation='0'/>", "<rdf:RDF tiff:Orientation='66'/>", "<rdf:RDF atiff:Orientation='6'/>",
        "<rdf:RDF tiff:Orientations='6'/>", "<rdf:RDF><tiff:Orientation>", "tiff:Orientation", "tiff:Orientation='6'",
        "",
    ])
    func nonsenseInXMPMeansUpright(packet: String) throws {
        for format in [.jpeg, .png, .webp] as [ImageEncoder.Format] {
            try check(file(format, xmp: packet), 1, longestSide: 24)
        }
    }

    /// In either order in the file; EXIF that says 1 means it.
    @Test(arguments: [1, 3, 8] as [UInt8])
    func ofEXIFWhereBothSayOne(orientation: UInt8) throws {
        let packet = Self.xmp[0].replacing("#", with: "6")
        let plain = try TestImages.jpeg(TestImages.gradient(96, 64), orientation: orientation)
        let segment = Self.segment(packet)
        try check(plain.prefix(2) + segment + plain.dropFirst(2), orientation, longestSide: 24)
        let last = try #require(plain.range(of: Data([0xFF, 0xDB]))).lowerBound
        try check(plain.prefix(last) + segment + plain.dropFirst(last), orientation, longestSide: 24)
    }

    private func check(_ file: Data, _ orientation: Int, longestSide: Int?) throws {
        try check(file, UInt8(orientation), longestSide: longestSide)
    }
}
