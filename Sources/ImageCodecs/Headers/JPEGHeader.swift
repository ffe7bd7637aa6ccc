internal import CJPEG
internal import Pixels

/// What a JPEG says before its first scan, as libjpeg reads it.
struct JPEGHeader {
    let size: PixelSize
    let components: Int
    let isProgressive: Bool
    let orientation: Orientation
    /// Adobe's programs store inks inverted and mark that with a segment.
    let hasAdobeMarker: Bool
    /// The embedded profile; empty if there is none or a part is missing.
    let profile: [UInt8]
    /// The colours of the profile, if they are known well enough to do without its bytes.
    let knownColours: KnownColours?
    /// Where the first scan's data begins.
    let scanOffset: Int
    /// What a file in several scans keeps as coefficients.
    private let coefficientBytes: Int

    init(_ header: cjpeg_header) {
        size = PixelSize(width: Int(header.width), height: Int(header.height))
        components = Int(header.components)
        isProgressive = header.is_progressive != 0
        var tags = OrientationTags()
        tags.take(exif: ByteReader(UnsafeRawBufferPointer(start: header.exif, count: header.exif_size)))
        tags.take(xmp: ByteReader(UnsafeRawBufferPointer(start: header.xmp, count: header.xmp_size)))
        orientation = tags.orientation
        hasAdobeMarker = header.has_adobe_marker != 0
        let profile = UnsafeRawBufferPointer(start: header.profile, count: Int(header.profile_size))
        self.profile = Array(profile)
        knownColours = KnownColours(ofProfile: ByteReader(profile))
        scanOffset = header.scan_offset
        // libjpeg keeps two bytes for each coefficient.
        coefficientBytes =
            header.has_multiple_scans == 0 ? 0 : saturatingProduct(Int(clamping: header.block_samples), 2)
    }

    /// Whether its pixels need nothing but libjpeg and what this library knows of colours: inks, and profiles that are not
    /// known, take an interpreter of a stranger's bytes.
    var isPlain: Bool { components != 4 && (profile.isEmpty || knownColours != nil) }

    var image: ImageHeader {
        var image = ImageHeader(size: size)
        image.orientation = orientation
        image.fixedBytes = coefficientBytes.saturatingSum(saturatingProduct(size.width, 64))
        return image
    }
}
