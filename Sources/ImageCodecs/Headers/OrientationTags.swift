/// Where files say how a picture is turned: EXIF, and XMP in files whose EXIF says nothing.
///
/// TIFF has a tag of its own, and HEIF, AVIF and JPEG XL turn pictures by their own properties: there, neither counts.
struct OrientationTags {
    private var exif: Orientation?
    private var xmp: Orientation?

    /// EXIF's counts, wherever the two stand in the file.
    var orientation: Orientation { exif ?? xmp ?? .upright }

    /// The first block that says it counts. A library for EXIF would read all of it, cameras' own notes too, and this is
    /// done in the program.
    mutating func take(exif block: ByteReader) {
        guard exif == nil else { return }
        let reader = block.has("Exif\0\0") ? block.slice(6..<block.count) : block
        exif = TIFFDirectories(reader)?.first?.value(274).flatMap(Orientation.init(known:))
    }

    mutating func take(xmp packet: ByteReader) {
        if xmp == nil { xmp = XMPPacket.orientation(in: packet).flatMap(Orientation.init(known:)) }
    }
}
