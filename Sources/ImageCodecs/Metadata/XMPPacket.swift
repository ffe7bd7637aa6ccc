/// XMP without what would be wrong for the picture that was decoded.
///
/// It is changed as a text, by the names that programs give these properties; nothing interprets it. One that calls them otherwise,
/// which XML allows, is left out.
struct XMPPacket {
    /// At most `ImageMetadata.mostBytes` of UTF-8.
    let bytes: [UInt8]

    /// Properties that get another value: the orientation was applied, the colours were converted.
    private static let changed = [
        ("tiff:Orientation", "1"), ("exif:ColorSpace", "1"), ("photoshop:ICCProfile", "sRGB IEC61966-2.1"),
    ]
    /// Properties that are left out: small pictures, sizes, and what points to further parts of the file.
    private static let dropped =
        Self.coordinates + [
            "xmp:Thumbnails", "xap:Thumbnails", "xmpNote:HasExtendedXMP", "tiff:ImageWidth", "tiff:ImageLength",
            "exif:PixelXDimension", "exif:PixelYDimension", "exif:MakerNote", "photoshop:LegacyIPTCDigest",
            "Container:Directory",
            "GContainer:Directory", "GCamera:MicroVideo", "GCamera:MicroVideoVersion", "GCamera:MicroVideoOffset",
            "GCamera:MicroVideoPresentationTimestampUs", "GCamera:MotionPhoto", "GCamera:MotionPhotoVersion",
            "GCamera:MotionPhotoPresentationTimestampUs", "Camera:MotionPhoto", "Camera:MotionPhotoVersion",
            "Camera:MotionPhotoPresentationTimestampUs", "hdrgm:Version", "GDepth:Data", "GImage:Data", "GImage:Mime",
        ]

    /// Properties that hold coordinates in the picture as it was: they are wrong once it is scaled, turned or cut.
    private static let coordinates =
        [
            "exif:SubjectArea", "exif:SubjectLocation", "exif:FocalPlaneXResolution", "exif:FocalPlaneYResolution",
            "exif:FocalPlaneResolutionUnit", "mwg-rs:Regions", "MP:RegionInfo", "Iptc4xmpExt:ImageRegion",
            "iptcExt:ImageRegion", "acdsee-rs:Regions",
        ]
        + [
            "CroppedAreaImageWidthPixels", "CroppedAreaImageHeightPixels", "FullPanoWidthPixels",
            "FullPanoHeightPixels", "CroppedAreaLeftPixels", "CroppedAreaTopPixels", "LargestValidInteriorRectLeft",
            "LargestValidInteriorRectTop", "LargestValidInteriorRectWidth", "LargestValidInteriorRectHeight",
        ].map { "GPano:" + $0 }
        + [
            "HasCrop", "CropTop", "CropLeft", "CropBottom", "CropRight", "CropAngle", "CropWidth", "CropHeight",
            "CropUnit", "CropUnits", "CropConstrainToWarp", "CropConstrainToUnitSquare",
        ].map { "crs:" + $0 }

    /// XMP in a file; nil where it is too long or no XMP.
    init?(_ packet: ByteReader) {
        guard packet.count <= ImageMetadata.mostBytes * 2 else { return nil }
        guard String(validating: packet.bytes, as: UTF8.self) != nil, var bytes = XMPText.plain(packet.bytes) else {
            return nil
        }
        guard XMPNamespaces.haveUsualPrefixes(in: bytes) else { return nil }
        Self.edit(&bytes)
        guard Self.find(Array("<rdf:RDF".utf8), in: bytes, from: 0) != nil, bytes.count <= ImageMetadata.mostBytes
        else {
            return nil
        }
        // In what is no XML, taking one property out can put another together.
        var again = bytes
        Self.edit(&again)
        guard again == bytes else { return nil }
        self.bytes = bytes
    }

    private static func edit(_ text: inout [UInt8]) {
        for (name, value) in changed { edit(&text, name, to: value) }
        for name in dropped { edit(&text, name, to: nil) }
        // Padding, for programs that change it in its place.
        while let last = text.last, last == 0 || isSpace(last) { text.removeLast() }
    }

    /// Gives a property another value, or takes it out, in each of its two forms: ` name="value"` and `<name>value</name>`.
    private static func edit(_ text: inout [UInt8], _ name: String, to value: String?) {
        let name = Array(name.utf8)
        let closing = [0x3C, 0x2F] + name
        var at = 0
        // Whether ends of elements are still to come: looked for once in vain, not again for each element.
        var hasEnds = true
        while let place = find(name, in: text, from: at) {
            at = place + name.count
            guard place > 0, at < text.count else { continue }
            let (before, after) = (text[place - 1], text[at])
            if isSpace(before), let quoted = quotedValue(behind: at, in: text) {
                if let value {
                    text.replaceSubrange(quoted, with: value.utf8)
                } else {
                    text.removeSubrange(place - 1...quoted.upperBound)
                    at = place - 1
                }
            } else if before == 0x3C, hasEnds, isSpace(after) || after == 0x3E || after == 0x2F {
                let head = text[at...].firstIndex(of: 0x3E)
                let isEmpty = head.map { text[$0 - 1] == 0x2F } ?? false
                guard let head, let tail = isEmpty ? head + 1 : find(closing, in: text, from: head) else {
                    hasEnds = false
                    continue
                }
                if let value {
                    if !isEmpty { text.replaceSubrange(head + 1..<tail, with: value.utf8) }
                    // No element begins inside a tag.
                    at = head + 1
                } else {
                    let end = isEmpty ? head : text[tail...].firstIndex(of: 0x3E) ?? text.count - 1
                    text.removeSubrange(place - 1...end)
                    at = place - 1
                }
            }
        }
    }

    /// Where the value of an attribute stands, between quotation marks, when its name ends at `end`; nil for what is no attribute.
    private static func quotedValue<Text: RandomAccessCollection<UInt8>>(
        behind end: Int, in text: Text
    ) -> Range<Int>? where Text.Index == Int {
        func behindSpace(_ start: Int) -> Int? { text[start...].firstIndex { !isSpace($0) } }
        guard let sign = behindSpace(end), text[sign] == 0x3D, let open = behindSpace(sign + 1),
            text[open] == 0x22 || text[open] == 0x27, let close = text[(open + 1)...].firstIndex(of: text[open])
        else { return nil }
        return open + 1..<close
    }

    private static func find<Text: RandomAccessCollection<UInt8>>(
        _ wanted: [UInt8], in text: Text, from start: Int
    ) -> Int? where Text.Index == Int {
        guard let first = wanted.first, start < text.count else { return nil }
        var at = start
        while let place = text[at...].firstIndex(of: first), place + wanted.count <= text.count {
            if text[place..<place + wanted.count].elementsEqual(wanted) { return place }
            at = place + 1
        }
        return nil
    }

    /// The orientation that a packet says, in one of the two forms in which `edit` finds and changes it; nil if it says none.
    static func orientation(in packet: ByteReader) -> Int? {
        guard packet.count <= ImageMetadata.mostBytes * 2 else { return nil }
        guard let text = XMPText.plain(packet.bytes) else { return orientation(inPlain: packet) }
        return text.withUnsafeBytes { orientation(inPlain: ByteReader($0)) }
    }

    private static func orientation(inPlain packet: ByteReader) -> Int? {
        let name = Array("tiff:Orientation".utf8)
        var at = 0
        while let place = find(name, in: packet.bytes, from: at) {
            at = place + name.count
            guard let before = packet.u8(place - 1) else { continue }
            if before == 0x3C, packet.has(">", at: at), packet.has("</", at: at + 2) {
                return packet.u8(at + 1).map { $0 - 0x30 }
            }
            if isSpace(UInt8(before)), at < packet.count, let quoted = quotedValue(behind: at, in: packet.bytes),
                quoted.count == 1
            {
                return packet.u8(quoted.lowerBound).map { $0 - 0x30 }
            }
        }
        return nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
