import CVips
import Foundation
import FoundationXML
import OperationsTesting
import Testing

@testable import ImageCodecs
@testable import Pixels

struct MetadataTests {
    private func has(_ file: Data?, _ text: String) -> Bool { file?.range(of: Data(text.utf8)) != nil }

    /// EXIF that says what it should: numbers by tag, of the first directory and of EXIF's.
    private func numbers(_ exif: Data) throws -> (orientation: Int?, colours: Int?, next: Int?, width: Int?) {
        try exif.withUnsafeBytes { bytes in
            let directories = try #require(TIFFDirectories(ByteReader(bytes)))
            let first = try #require(directories.first)
            let own = try #require(first.value(34_665).flatMap { directories.directory(at: $0) })
            return (first.value(274), own.value(40_961), directories.count(upTo: 9), own.value(40_962))
        }
    }

    private func check(_ metadata: ImageMetadata?) throws {
        let exif = try #require(metadata?.exif)
        for text in MetadataSample.kept { #expect(has(exif, text), "\(text)") }
        for text in MetadataSample.dropped { #expect(!has(exif, text), "\(text)") }
        let numbers = try numbers(exif)
        #expect(numbers.orientation == 1 && numbers.colours == 1 && numbers.next == 1 && numbers.width == nil)
        let xmp = try #require(metadata?.xmp)
        for text in [
            "tiff:Orientation=\"1\"", "<tiff:Orientation>1<", "exif:ColorSpace='1'", "sRGB IEC61966-2.1",
            "<dc:title>Dune<",
            "xmp:Rating=\"4\"", "<?xpacket end", "crs:Exposure2012", "GPano:ProjectionType",
        ] { #expect(has(xmp, text), "\(text)") }
        for text in [
            "THUMBNAIL", "xmp:Thumbnails", "Adobe RGB", "6000", "hdrgm:Version", "MakerNote", "65535", "COORDINATES",
            "Region", "Crop", "FocalPlane", "SubjectArea", "FullPano",
        ] {
            #expect(!has(xmp, text), "\(text)")
        }
        #expect(XMLParser(data: xmp).isWellFormed)
    }

    @Test(arguments: ImageEncoder.Format.allCases, [false, true])
    func whatACameraSaysSurvives(format: ImageEncoder.Format, bigEndian: Bool) throws {
        let plain = try ImageEncoder(format: .jpeg).encode(TestImages.gradient(60, 40))
        let file = MetadataSample(bigEndian: bigEndian).jpeg(plain)
        for isolation in [DecodeIsolation.standard, .everything] {
            let image = try ImageDecoder.decodeWithInfo(
                file, DecodeOptions(keepsMetadata: true), limits: DecodeLimits(isolation: isolation))
            try check(image.metadata)
            // Turned by the orientation, once.
            #expect(image.pixels.size == PixelSize(width: 40, height: 60))
            let written = try ImageEncoder(format: format).encode(image.pixels, metadata: image.metadata)
            let again = try ImageDecoder.decodeWithInfo(written, DecodeOptions(keepsMetadata: true))
            #expect(again.pixels.size == image.pixels.size, "turned twice")
            try check(again.metadata)
            #expect(again.info.size == image.pixels.size)
        }
    }

    @Test(arguments: ImageEncoder.Format.allCases)
    func nothingIsLeftUnlessItIsAskedFor(format: ImageEncoder.Format) throws {
        let file = MetadataSample().jpeg(try ImageEncoder(format: .jpeg).encode(TestImages.gradient(60, 40)))
        let image = try ImageDecoder.decodeWithInfo(file, DecodeOptions())
        #expect(image.metadata == nil)
        let written = try ImageEncoder(format: format).encode(image.pixels, metadata: image.metadata)
        #expect(ImageMetadata(of: written) == nil)
        for text in ["Exif", "EXIF", "eXIf", "XMP ", "xap/1.0", "iTXt", "tEXt", "rdf", "ICC", "iCCP", "GPS"]
            + MetadataSample.kept
        {
            #expect(!has(written, text), "\(text)")
        }
    }

    /// libvips would say 1,000 pixels per metre in a PNG, and libheif 72 to the inch in EXIF of its own.
    @Test(arguments: ImageEncoder.Format.allCases)
    func nothingIsAddedToWhatIsGiven(format: ImageEncoder.Format) throws {
        let exif = Data(MetadataSample().exif)
        let xmp = Data(MetadataSample.xmp.utf8)
        let (opaque, clear) = (TestImages.gradient(33, 21), TestImages.gradient(33, 21) { x, y in UInt8(x * 7 + y) })
        for metadata in [
            ImageMetadata(exif: exif, xmp: xmp), ImageMetadata(exif: exif), ImageMetadata(xmp: xmp), ImageMetadata(),
        ] {
            for picture in [opaque, clear] {
                let file = try ImageEncoder(format: format).encode(picture, metadata: metadata)
                let rest = Data(file.ranges(of: exif).reversed().reduce(into: file) { $0.removeSubrange($1) })
                #expect(file.count - rest.count == (metadata.exif?.count ?? 0))
                #expect(has(file, MetadataSample.xmp) == (metadata.xmp != nil))
                #expect(!has(file, "pHYs") && !has(rest, "II*") && !has(rest, "MM\0*"))
            }
        }
    }

    /// The items of an AVIF, byte by byte, and what they are said to describe.
    @Test func anAVIFHasItsMetadataAsItIs() throws {
        let metadata = ImageMetadata(exif: Data(MetadataSample().exif), xmp: Data(MetadataSample.xmp.utf8))
        for picture in [TestImages.gradient(33, 21), TestImages.gradient(33, 21) { x, y in UInt8(x * 7 + y) }] {
            let plain = try ImageEncoder(format: .avif).encode(picture)
            let file = try ImageEncoder(format: .avif).encode(picture, metadata: metadata)
            try file.withUnsafeBytes { bytes in
                let items = try #require(HEIFItems(ByteReader(bytes)))
                let exif = Array("\0\0\0\u{6}Exif\0\0".utf8) + MetadataSample().exif
                #expect(items.bytes(ofFirst: "Exif") == exif)
                #expect(
                    items.bytes(ofFirst: "mime", contentType: "application/rdf+xml") == Array(MetadataSample.xmp.utf8))
                let picture = try #require(items.primary)
                let described = items.references("cdsc")
                #expect(described.map { items.type(of: $0.from) } == ["Exif", "mime"])
                #expect(described.allSatisfy { $0.to == [picture] })
                try plain.withUnsafeBytes { bytes in
                    let before = try #require(HEIFItems(ByteReader(bytes)))
                    for number in before.numbers { #expect(items.content(of: number) == before.content(of: number)) }
                    #expect(items.numbers.count == before.numbers.count + 2)
                }
            }
        }
    }

    @Test func transparencyAndLosslessWebPKeepTheirPixelsBesideMetadata() throws {
        let metadata = try #require(
            ImageMetadata(of: MetadataSample().jpeg(ImageEncoder(format: .jpeg).encode(TestImages.gradient(60, 40)))))
        let picture = TestImages.gradient(33, 21) { x, y in UInt8(20 + x * 6 + y) }
        var lossless = ImageEncoder(format: .webp)
        lossless.isLossless = true
        for encoder in [lossless, ImageEncoder(format: .webp), ImageEncoder(format: .png), ImageEncoder(format: .avif)]
        {
            let with = try ImageDecoder.decode(encoder.encode(picture, metadata: metadata), longestSide: nil)
            #expect(with == (try ImageDecoder.decode(encoder.encode(picture), longestSide: nil)), "\(encoder.format)")
            #expect(!with.isOpaque)
        }
    }

    @Test func allKindsAreRead() throws {
        let sample = MetadataSample()
        let picture = try TestVipsImage(TestImages.gradient(60, 40), bands: 3)
        let exif = Array("Exif\0\0".utf8) + sample.exif
        vips_image_set_blob_copy(picture.image, VIPS_META_EXIF_NAME, exif, exif.count)
        let xmp = Array(MetadataSample.xmp.utf8)
        vips_image_set_blob_copy(picture.image, VIPS_META_XMP_NAME, xmp, xmp.count)
        for saver in ["jpegsave_buffer", "webpsave_buffer", "heifsave_buffer", "tiffsave_buffer"] {
            let metadata = try #require(ImageMetadata(of: picture.file(saver)), "\(saver)")
            #expect(has(metadata.xmp, "Dune"), "\(saver)")
            if saver != "tiffsave_buffer" { #expect(has(metadata.exif, "ACME Camera"), "\(saver)") }
        }
        // A TIFF's own directory is EXIF's first.
        let tiff = try #require(ImageMetadata(of: Data(sample.exif)))
        #expect(has(tiff.exif, "GPSHERE"))
        for format in [ImageFormat.gif, .svg] { #expect(ImageMetadata(of: try FormatTests.file(format)) == nil) }
    }

    /// `cjxl` packs what it finds in a JPEG.
    @Test func packedBoxesOfAJPEGXLAreRead() throws {
        let sample = MetadataSample()
        let parts = [("Exif", [0, 0, 0, 0] + sample.exif), ("xml ", Array(MetadataSample.xmp.utf8))]
        let packed = parts.flatMap { JXLBoxes.box("brob", Array($0.0.utf8) + JXLBoxes.packed($0.1)) }
        try check(ImageMetadata(of: Data(JXLBoxes.start + packed)))
        // What is not packed comes first, wherever it stands.
        let other = JXLBoxes.box("Exif", [0, 0, 0, 0] + "nothing".utf8)
        #expect(ImageMetadata(of: Data(JXLBoxes.start + packed + other))?.exif == nil)
    }

    @Test func packedBoxesThatAreDamagedOrTooLongAreLeftOut() {
        func metadata(_ exif: [UInt8]) -> ImageMetadata? {
            ImageMetadata(of: Data(JXLBoxes.start + JXLBoxes.box("brob", Array("Exif".utf8) + exif)))
        }
        let exif = [0, 0, 0, 0] + MetadataSample().exif
        func padded(_ count: Int) -> [UInt8] {
            JXLBoxes.packed(exif + [UInt8](repeating: 0, count: count - exif.count))
        }
        #expect(metadata(padded(BrotliBoxes.mostBytes)) != nil)
        #expect(metadata(padded(BrotliBoxes.mostBytes + 1)) == nil)
        #expect(metadata(JXLBoxes.packed(exif).dropLast()) == nil)
        #expect(metadata([]) == nil)
        #expect(ImageMetadata(of: Data(JXLBoxes.start + JXLBoxes.box("brob", [0x45]))) == nil)
    }

    @Test func whatIsTooLongIsLeftOut() throws {
        let plain = try ImageEncoder(format: .png).encode(TestImages.gradient(8, 8))
        let long = Data(MetadataSample.xmp.utf8).replacing("Dune", with: String(repeating: "D", count: 70_000))
        let text = PNGFile.chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + long)
        let exif = PNGFile.chunk("eXIf", MetadataSample().exif)
        let metadata = try #require(ImageMetadata(of: plain.prefix(33) + text + exif + plain.dropFirst(33)))
        #expect(metadata.xmp == nil && has(metadata.exif, "ACME Camera"))
        for metadata in [ImageMetadata(exif: long), ImageMetadata(xmp: long)] {
            #expect(throws: ImageCodecError.self) {
                try ImageEncoder(format: .jpeg).encode(TestImages.gradient(8, 8), metadata: metadata)
            }
        }
    }

    /// In what is no XML, taking one property out can put another together, or take the whole along.
    @Test func xmpThatEditingDoesNotSetRightIsLeftOut() throws {
        func kept(_ description: String) -> Data? {
            let text = Data("<rdf:RDF>\(description)</rdf:RDF>".utf8)
            let named = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + text
            let length = [UInt8((named.count + 2) >> 8), UInt8((named.count + 2) & 255)]
            return ImageMetadata(of: Data([0xFF, 0xD8, 0xFF, 0xE1] + length + named))?.xmp
        }
        #expect(kept("<dc:title/>") != nil)
        for text in [
            #"<a exif:MakerNo GDepth:Data=""te="x">"#, "<exif:Maker<xmp:Thumbnails/>Note>x</exif:MakerNote>",
            "<a>\n xmp:Thumb hdrgm:Version='1'nails='x'>",
        ] {
            let found = kept(text)
            #expect(!has(found, "MakerNote") && !has(found, "xmp:Thumbnails"), "\(text)")
        }
        #expect(kept("</rdf:RDF><xmp:Thumbnails><rdf:RDF></xmp:Thumbnails>") != nil)
        let long = String(repeating: "<exif:MakerNote>", count: 3_900)
        #expect(has(kept(long), "<exif:MakerNote><exif:MakerNote>"))
        #expect(has(kept(String(repeating: "<xmp:Thumbnails ", count: 3_900)), "<xmp:Thumbnails <xmp"))
    }

    @Test func commentsInXMPAreTakenOutAndCDATABecomesText() throws {
        func packet(_ text: String) -> [UInt8] { Array("<rdf:RDF xmlns:rdf='rdf'>\(text)</rdf:RDF>".utf8) }
        func kept(_ text: String) -> String? {
            packet(text).withUnsafeBytes { XMPPacket(ByteReader($0)) }.map {
                String(decoding: $0.bytes, as: UTF8.self)
            }
        }
        #expect(kept("<!-- made by us --><a/><!----><b/>") == "<rdf:RDF xmlns:rdf='rdf'><a/><b/></rdf:RDF>")
        let text = try #require(kept("<dc:title><![CDATA[<a> & ]] -->]]></dc:title>"))
        #expect(text.contains("<dc:title>&lt;a&gt; &amp; ]] --&gt;</dc:title>"))
        let orientation = "<tiff:Orientation><!-- 1 -->6<![CDATA[]]></tiff:Orientation>"
        #expect(kept(orientation)?.contains("<tiff:Orientation>1</") == true)
        #expect(packet(orientation).withUnsafeBytes { XMPPacket.orientation(in: ByteReader($0)) } == 6)
        let hidden = packet("<!-- <tiff:Orientation>6</tiff:Orientation> -->")
        #expect(hidden.withUnsafeBytes { XMPPacket.orientation(in: ByteReader($0)) } == nil)
        for text in [
            "<!DOCTYPE a>", "<!ENTITY a 'b'>", "<!-- a ->", "<![CDATA[ a ]>", "<!", "<<!-- -->!ENTITY a 'b'>",
            "<exif:Maker<!-- -->Note>x</exif:MakerNote>",
        ] {
            let found = kept(text)
            #expect(found?.contains("<!") != true && found?.contains("MakerNote") != true, "\(text)")
            #expect(found == nil || text.contains("Maker"), "\(text)")
        }
        // Each section becomes five times as long, which counts for the limit.
        #expect(kept("<a><![CDATA[\(String(repeating: "&", count: 20_000))]]></a>") == nil)
    }

    /// Entries may all name the same bytes, however many: what is said once is not taken a thousand times.
    @Test func valuesThatOverlapTakeNoMemory() throws {
        let count = 400
        var file = [UInt8]("II".utf8) + [42, 0, 8, 0, 0, 0, UInt8(count & 255), UInt8(count >> 8)]
        let length = [UInt8](repeating: 0, count: 2) + [0x40, 0]
        for tag in 0..<count { file += [UInt8(tag & 255), UInt8(tag >> 8), 7, 0] + length + [0, 0, 0, 0] }
        file += [UInt8](repeating: 1, count: 0x40_0100)
        let before = ProcessStatus.peakMemory
        #expect((ImageMetadata(of: Data(file))?.byteCount ?? 0) <= ImageMetadata.mostBytes)
        #expect(ProcessStatus.peakMemory - before < 100 << 20)
    }

    /// Whatever stands in a file, reading it ends, in bounds, with what can be written and read again.
    @Test func brokenMetadataIsReadWithoutHarm() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededRandom(seed: seed)
        let plain = try ImageEncoder(format: .jpeg).encode(TestImages.gradient(8, 8))
        let picture = try ImageDecoder.decode(plain, longestSide: nil)
        let metadata = try #require(ImageMetadata(of: MetadataSample().jpeg(plain)))
        let files =
            try ImageEncoder.Format.allCases.map { try ImageEncoder(format: $0).encode(picture, metadata: metadata) }
            + [MetadataSample().jpeg(plain), MetadataSample(bigEndian: true).jpeg(plain), Data(MetadataSample().exif)]
        for round in 0..<4_000 {
            var file = [UInt8](files[round % files.count])
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                file[Int.random(in: 0..<min(file.count, 2_000), using: &random)] = .random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { file.removeLast(Int.random(in: 0..<file.count, using: &random)) }
            guard let found = ImageMetadata(of: Data(file)) else { continue }
            #expect(found.byteCount <= 2 * ImageMetadata.mostBytes, "seed \(seed)")
            let written = try ImageEncoder(format: .png).encode(picture, metadata: found)
            #expect(ImageMetadata(of: written) == found, "seed \(seed), round \(round)")
        }
    }
}

extension XMLParser {
    fileprivate var isWellFormed: Bool { parse() }
}

extension Data {
    fileprivate func replacing(_ text: String, with other: String) -> Data {
        Data(String(decoding: self, as: UTF8.self).replacingOccurrences(of: text, with: other).utf8)
    }

    /// XML allows white space around the sign, and any prefix.
    @Test func otherSpellingsOfAnOrientationAreChangedOrLeftOut() throws {
        func packet(_ attributes: String) -> [UInt8] {
            Array("<rdf:RDF xmlns:rdf='rdf'><rdf:Description \(attributes)/></rdf:RDF>".utf8)
        }
        func kept(_ attributes: String) -> String? {
            packet(attributes).withUnsafeBytes { XMPPacket(ByteReader($0)) }.map {
                String(decoding: $0.bytes, as: UTF8.self)
            }
        }
        let spaced = try #require(kept("tiff:Orientation = \n '6' xmp:Rating='4'"))
        #expect(spaced.contains("tiff:Orientation = \n '1' xmp:Rating='4'"))
        let orientation = packet("a='' tiff:Orientation = '6'").withUnsafeBytes {
            XMPPacket.orientation(in: ByteReader($0))
        }
        #expect(orientation == 6)
        let tiff = "http://ns.adobe.com/tiff/1.0/"
        #expect(kept("xmlns:tiff='\(tiff)' tiff:Orientation='6'")?.contains("tiff:Orientation='1'") == true)
        for other in [
            "xmlns:t='\(tiff)' t:Orientation='6'", "xmlns:t = \"\(tiff)\" t:Orientation='6'", "xmlns='\(tiff)'",
            "xmlns:t='http&#x3A;//ns.adobe.com/tiff/1.0/'", "xmlns:r='http://ns.microsoft.com/photo/1.2/'",
            "xmlns:r='http://www.metadataworkinggroup.com/schemas/regions/'",
        ] { #expect(kept(other) == nil, "\(other)") }
    }

    @Test func ofSeveralBlocksTheFirstCounts() throws {
        let sample = MetadataSample().exif
        let chunks = [Array("nothing".utf8), sample].map { PNGFile.chunk("eXIf", $0) }
        let file = PNGFile.header(1, 1, depth: 8, colour: 2) + chunks[0] + chunks[1]
        #expect(file.withUnsafeBytes { MetadataParts(ByteReader($0)) == nil })
        let other = PNGFile.header(1, 1, depth: 8, colour: 2) + chunks[1] + chunks[0]
        #expect(other.withUnsafeBytes { MetadataParts(ByteReader($0))?.exif } != nil)
    }
}
