public import FoundationEssentials

/// The kinds of pictures that are read.
public enum ImageFormat: String, CaseIterable, Sendable {
    /// JPEG, baseline and progressive.
    case jpeg
    /// PNG.
    case png
    /// WebP, lossy and lossless.
    case webp
    /// GIF.
    case gif
    /// TIFF.
    case tiff
    /// HEIF with HEVC, the format of many phones.
    case heif
    /// AVIF.
    case avif
    /// JPEG XL.
    case jxl
    /// SVG, rendered to pixels, at 72 to the inch. A drawing that has neither a size nor `viewBox` is 300 pixels wide and 150 high, as in
    /// CSS, and one that gives one side has the other one of these.
    case svg

    /// Tells the kind by the first bytes, never by a name; nil for everything that is not read.
    ///
    /// - Parameter data: a file or its beginning; 4,096 bytes are enough except for an SVG with long comments first.
    public init?(sniffing data: Data) {
        guard case .image(let format) = data.withUnsafeBytes({ ContentKind(sniffing: ByteReader($0)) }) else {
            return nil
        }
        self = format
    }

    /// The media types that files of this kind are known by, the registered one first.
    public var mediaTypes: [String] {
        switch self {
        case .heif: ["image/heif", "image/heic"]
        case .svg: ["image/svg+xml"]
        default: ["image/" + rawValue]
        }
    }

    /// The usual ending of file names, without a dot.
    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .heif: "heic"
        default: rawValue
        }
    }
}
