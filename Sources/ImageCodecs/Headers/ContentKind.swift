/// What some bytes are, by their beginning.
enum ContentKind: Equatable {
    case empty
    case image(ImageFormat)
    /// A picture of a known kind that is not read.
    case unsupported(String)
    case notAnImage

    init(sniffing reader: ByteReader) {
        if reader.count == 0 {
            self = .empty
        } else if let format = Self.binaryFormat(reader) {
            self = format
        } else if let name = Self.unsupportedName(reader) {
            self = .unsupported(name)
        } else if SVGSniffer(reader: reader).isSVG {
            self = .image(.svg)
        } else {
            self = .notAnImage
        }
    }

    /// The format of a picture that is read.
    var format: ImageFormat {
        get throws(ImageCodecError) {
            switch self {
            case .empty: throw .empty
            case .notAnImage: throw .notAnImage
            case .unsupported(let name): throw .unsupportedFormat(name)
            case .image(let format): format
            }
        }
    }

    private static func binaryFormat(_ reader: ByteReader) -> ContentKind? {
        if reader.has([0xFF, 0xD8, 0xFF]) { return .image(.jpeg) }
        if reader.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .image(.png) }
        if reader.has("RIFF"), reader.has("WEBP", at: 8) { return .image(.webp) }
        if reader.has("GIF87a") || reader.has("GIF89a") { return .image(.gif) }
        if reader.has([0xFF, 0x0A]) { return .image(.jxl) }
        if reader.has([0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]) { return .image(.jxl) }
        if reader.has([0x49, 0x49, 42, 0]), reader.has([0x43, 0x52, 2], at: 8) {
            return .unsupported("Canon raw (CR2)")
        }
        if reader.has([0x49, 0x49, 42, 0]) || reader.has([0x4D, 0x4D, 0, 42])
            || reader.has([0x49, 0x49, 43, 0]) || reader.has([0x4D, 0x4D, 0, 43])
        {
            return .image(.tiff)
        }
        if reader.has("ftyp", at: 4) { return brandedFormat(reader) }
        return nil
    }

    /// The file-type box of ISO base media: a major brand, a version, and brands that the file is compatible with.
    private static func brandedFormat(_ reader: ByteReader) -> ContentKind {
        let end = min(reader.be32(0) ?? 0, reader.count, 4_096)
        let offsets = [8] + stride(from: 16, through: end - 4, by: 4)
        func names(_ brands: [StaticString]) -> Bool {
            offsets.contains { offset in brands.contains { reader.has($0, at: offset) } }
        }
        if reader.has("crx ", at: 8) { return .unsupported("Canon raw (CR3)") }
        if names(["avif", "avis"]) { return .image(.avif) }
        if names(["heic", "heix", "hevc", "hevx", "heim", "heis", "hevm", "hevs", "mif1", "msf1", "mif2"]) {
            return .image(.heif)
        }
        return .notAnImage
    }

    /// Whether a header is one of Truevision's TGA 2.0, which begins with no signature: kind, palette, size and depth fit.
    private static func isTarga(_ reader: ByteReader) -> Bool {
        guard let palette = reader.u8(1), let kind = reader.u8(2), let depth = reader.u8(16),
            let width = reader.le16(12), let height = reader.le16(14), width > 0, height > 0
        else { return false }
        let hasNoPalette = palette == 0 && reader.has([0, 0, 0, 0, 0], at: 3)
        return switch kind {
        case 1, 9: palette == 1 && reader.u8(3) == 0 && reader.u8(4) == 0 && [8, 16].contains(depth)
        case 2, 10: hasNoPalette && [15, 16, 24, 32].contains(depth)
        case 3, 11: hasNoPalette && [8, 16].contains(depth)
        default: false
        }
    }

    private static func unsupportedName(_ reader: ByteReader) -> String? {
        let signatures: [(StaticString, String)] = [
            ("8BPS", "Photoshop document"), ("%PDF-", "PDF document"), ("%!PS", "PostScript"), ("qoif", "QOI"),
            ("DDS ", "DirectDraw surface"), ("#?RADIANCE", "Radiance HDR"), ("#?RGBE", "Radiance HDR"),
            ("SIMPLE  =", "FITS"), ("gimp xcf", "GIMP document"), ("AT&TFORM", "DjVu"), ("IIRO", "Olympus raw"),
            ("FUJIFILMCCD-RAW", "Fuji raw"), ("FOVb", "Sigma raw"), ("farbfeld", "farbfeld"), ("/* XPM */", "XPM"),
        ]
        if let match = signatures.first(where: { reader.has($0.0) }) { return match.1 }
        let binary: [([UInt8], String)] = [
            ([0, 0, 1, 0], "Windows icon"), ([0xC5, 0xD0, 0xD3, 0xC6], "EPS"),
            ([0x76, 0x2F, 0x31, 0x01], "OpenEXR"), ([0x49, 0x49, 0xBC], "JPEG XR"),
            ([0x49, 0x49, 0x55, 0], "Panasonic raw"),
            ([0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20], "JPEG 2000"), ([0xFF, 0x4F, 0xFF, 0x51], "JPEG 2000"),
            ([0x8A, 0x4D, 0x4E, 0x47], "MNG"), ([0x8B, 0x4A, 0x4E, 0x47], "JNG"),
            ([0x1F, 0x8B], "gzip-compressed data (SVGZ is not read)"), ([0xD7, 0xCD, 0xC6, 0x9A], "Windows metafile"),
        ]
        if let match = binary.first(where: { reader.has($0.0) }) { return match.1 }
        if isTarga(reader) { return "TGA" }
        // Behind it stands how many there are, where a TGA without a palette has zeros.
        if reader.has([0, 0, 2, 0]), reader.le16(4) ?? 0 > 0 { return "Windows cursor" }
        if reader.has("BM"), let header = reader.le32(14), [12, 40, 52, 56, 64, 108, 124].contains(header) {
            return "Windows bitmap"
        }
        if reader.u8(0) == 0x50, let digit = reader.u8(1), (0x31...0x37).contains(digit),
            let space = reader.u8(2), [0x20, 0x09, 0x0A, 0x0D].contains(space)
        {
            return "Netpbm"
        }
        return nil
    }
}
