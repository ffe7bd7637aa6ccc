import Foundation

/// Metadata as a camera writes it, with all that must not be kept.
struct MetadataSample {
    /// Whether numbers begin with their highest byte.
    var bigEndian = false
    var orientation = 6

    /// What is expected to survive, and what is not.
    static let kept = ["ACME Camera", "Model 7", "2024:05:06 07:08:09", "Ansel", "GPSHERE"]
    static let dropped = ["MAKERNOTE", "THUMBNAIL", "R03", "COORDINATES"]

    private enum Value {
        case text(String)
        case short(Int)
        case long(Int)
        case blob(String)
    }

    private func number(_ value: Int, _ count: Int) -> [UInt8] {
        let low = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return bigEndian ? low.reversed() : low
    }

    private func directory(_ fields: [(Int, Value)], at start: Int, next: Int = 0) -> [UInt8] {
        var entries = number(fields.count, 2)
        var values: [UInt8] = []
        for (tag, value) in fields {
            let (type, count, bytes): (Int, Int, [UInt8]) =
                switch value {
                case .text(let text): (2, text.utf8.count + 1, Array(text.utf8) + [0])
                case .short(let value): (3, 1, number(value, 2))
                case .long(let value): (4, 1, number(value, 4))
                case .blob(let text): (7, text.utf8.count, Array(text.utf8))
                }
            entries += number(tag, 2) + number(type, 2) + number(count, 4)
            if bytes.count <= 4 {
                entries += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
            } else {
                entries += number(start + 2 + 12 * fields.count + 4 + values.count, 4)
                values += bytes
            }
        }
        return entries + number(next, 4) + values
    }

    /// A TIFF structure.
    var exif: [UInt8] {
        let (exifPlace, gpsPlace, interPlace, thumbPlace) = (400, 700, 900, 1_000)
        var file = (bigEndian ? Array("MM".utf8) : Array("II".utf8)) + number(42, 2) + number(8, 4)
        func put(_ part: [UInt8], at place: Int) {
            precondition(file.count <= place)
            file += [UInt8](repeating: 0, count: place - file.count) + part
        }
        put(
            directory(
                [
                    (271, .text("ACME Camera")), (272, .text("Model 7")), (274, .short(orientation)),
                    (306, .text("2024:05:06 07:08:09")), (315, .text("Ansel")), (34_665, .long(exifPlace)),
                    (34_853, .long(gpsPlace)),
                ], at: 8, next: thumbPlace), at: 8)
        put(
            directory(
                [
                    (36_867, .text("2024:05:06 07:08:09")), (37_396, .blob("COORDINATES 1")),
                    (37_500, .blob("MAKERNOTE MAKERNOTE")),
                    (40_961, .short(0xFFFF)), (40_962, .long(6_000)), (40_963, .long(4_000)),
                    (40_965, .long(interPlace)), (41_486, .blob("COORDINATES 2")), (41_487, .blob("COORDINATES 3")),
                    (41_488, .blob("COORDINATES 4")), (41_492, .blob("COORDINATES 5")),
                ], at: exifPlace), at: exifPlace)
        put(directory([(1, .text("N")), (27, .blob("GPSHERE"))], at: gpsPlace), at: gpsPlace)
        put(directory([(1, .text("R03"))], at: interPlace), at: interPlace)
        put(directory([(513, .long(1_100)), (514, .long(9))], at: thumbPlace), at: thumbPlace)
        put(Array("THUMBNAIL".utf8), at: 1_100)
        return file
    }

    static let xmp = """
        <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
        <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
          tiff:Orientation="6" exif:ColorSpace='65535' photoshop:ICCProfile="Adobe RGB (1998)" xmp:Rating="4"
          exif:PixelXDimension="6000" hdrgm:Version="1.0" exif:FocalPlaneXResolution="COORDINATES"
          crs:HasCrop="True" crs:CropTop="COORDINATES" crs:Exposure2012="+0.50" GPano:FullPanoWidthPixels="COORDINATES"
          GPano:ProjectionType="equirectangular">
        <dc:title>Dune</dc:title><tiff:Orientation>8</tiff:Orientation>
        <xmp:Thumbnails><rdf:Alt><rdf:li>THUMBNAIL</rdf:li></rdf:Alt></xmp:Thumbnails><exif:MakerNote/>
        <exif:SubjectArea><rdf:Seq><rdf:li>COORDINATES</rdf:li></rdf:Seq></exif:SubjectArea>
        <crs:CropAngle>COORDINATES</crs:CropAngle>
        <mwg-rs:Regions rdf:parseType="Resource"><mwg-rs:RegionList><rdf:Bag><rdf:li><rdf:Description mwg-rs:Name="Face">
        <mwg-rs:Area stArea:x="COORDINATES" stArea:unit="normalized"/></rdf:Description></rdf:li></rdf:Bag>
        </mwg-rs:RegionList></mwg-rs:Regions><Iptc4xmpExt:ImageRegion><rdf:Bag/></Iptc4xmpExt:ImageRegion>
        <MP:RegionInfo><rdf:Description><MPRI:Regions><rdf:Bag><rdf:li MPReg:Rectangle="COORDINATES"/></rdf:Bag>
        </MPRI:Regions></rdf:Description></MP:RegionInfo>
        </rdf:Description></rdf:RDF></x:xmpmeta>\n    \n<?xpacket end="w"?>
        """

    /// A JPEG with both.
    func jpeg(_ plain: Data) -> Data {
        func segment(_ name: String, _ body: [UInt8]) -> [UInt8] {
            let length = 2 + name.utf8.count + body.count
            return [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + Array(name.utf8) + body
        }
        return plain.prefix(2) + segment("Exif\0\0", exif)
            + segment("http://ns.adobe.com/xap/1.0/\0", Array(Self.xmp.utf8)) + plain.dropFirst(2)
    }
}
