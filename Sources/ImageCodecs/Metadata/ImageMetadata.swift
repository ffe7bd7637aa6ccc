public import FoundationEssentials

/// What a file says about a photograph besides its pixels: EXIF, and XMP.
///
/// It is read by code in Swift that cannot leave the file's bounds, in the program also for files that are decoded in a helper
/// process. The compressed boxes of a JPEG XL are unpacked by libbrotlidec first. It is written anew from what it means. So what
/// would be wrong for the picture that was decoded is left out or set right:
///
/// - The orientation is upright, because it was applied.
/// - The colours are sRGB, because they were converted; a colour profile is never kept. A file without one means sRGB.
/// - Sizes, small pictures inside the metadata, and what cameras' makers wrote for themselves are left out, and so is what XMP
///   says of further parts of the file, such as gain maps and films.
/// - What names places in the picture by coordinates is left out: where the subject and faces are, crops of raw converters, sizes of
///   panoramas, and pixels of the focal plane.
///
/// Date, camera, lens, exposure, place (GPS), author, title, copyright and the like stay.
public struct ImageMetadata: Hashable, Sendable {
    /// The most bytes of either kind. What goes beyond is not kept: XMP as a whole, EXIF from the field that does.
    public static let mostBytes = 64_000

    /// EXIF: a TIFF structure, which begins with `II` or `MM`; nil for none.
    public var exif: Data?
    /// XMP: a packet of XML in UTF-8; nil for none.
    public var xmp: Data?

    /// Metadata of these parts, which are written as they are.
    public init(exif: Data? = nil, xmp: Data? = nil) {
        self.exif = exif
        self.xmp = xmp
    }

    /// Reads the metadata of a JPEG, PNG, WebP, TIFF, HEIF, AVIF or JPEG XL; nil for a file that has none, and for other kinds.
    ///
    /// XMP that a PNG has in compressed form, and the older IPTC records, are not read. Of what a JPEG XL has in compressed form at most
    /// 1 MiB is unpacked.
    ///
    /// - Parameter data: The whole file.
    public init?(of data: Data) {
        let found = data.withReader { MetadataParts($0) }
        guard let found else { return nil }
        (exif, xmp) = (found.exif.map { Data($0) }, found.xmp.map { Data($0) })
    }

    /// Bytes of both kinds.
    package var byteCount: Int { (exif?.count ?? 0) + (xmp?.count ?? 0) }
}

extension Data {
    fileprivate func withReader<Result>(_ body: (ByteReader) -> Result) -> Result {
        withUnsafeBytes { body(ByteReader($0)) }
    }
}
