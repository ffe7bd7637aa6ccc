internal import CVips

/// libvips as a whole: its start, and its messages.
enum Vips {
    /// Swift runs this once, whichever thread comes first.
    private static let hasStarted = cvips_start() == 0

    /// Makes sure that libvips runs.
    static func start() throws(ImageCodecError) {
        guard hasStarted else { throw .unsupportedFormat("libvips cannot be started") }
    }

    /// Takes what libvips has to say, and clears it. The messages of all threads stand in one place, so each line
    /// may be another decode's; see `error(for:)`.
    static func takeErrors() -> String {
        guard let text = vips_error_buffer_copy() else { return "" }
        defer { g_free(text) }
        return String(cString: text)
    }

    /// The error for a file of this kind that libvips would not read.
    ///
    /// Only a line that begins with the name of this kind's decoder is believed, because other threads' messages are
    /// there as well.
    static func error(for format: ImageFormat) -> ImageCodecError {
        let names: [String] =
            switch format {
            case .png: ["pngload", "vipspng", "vips_foreign_load_png"]
            case .webp: ["webp"]
            case .gif: ["gifload"]
            case .tiff: ["tiff", "TIFF"]
            case .heif, .avif: ["heifload"]
            case .jxl: ["jxlload"]
            case .svg: ["svgload"]
            case .jpeg: []
            }
        let line = takeErrors().split(separator: "\n").first { line in names.contains { line.hasPrefix($0) } }
        guard let line else { return .damaged("its data cannot be decoded") }
        // libvips writes "name of the operation: what happened".
        let parts = line.split(separator: ":", maxSplits: 1)
        let text = ErrorText.clean((parts.count == 2 ? parts[1] : line).drop { $0 == " " })
        let isUnsupported = text.contains("nsupported") || text.contains("not configured")
        return isUnsupported ? .unsupportedFormat("\(format.rawValue.uppercased()): \(text)") : .damaged(text)
    }
}

/// The pictures of one pipeline, released together.
struct VipsImages {
    private var images: [UnsafeMutablePointer<VipsImage>] = []

    mutating func keep(_ image: UnsafeMutablePointer<VipsImage>?) -> UnsafeMutablePointer<VipsImage>? {
        if let image { images.append(image) }
        return image
    }

    /// What an operation gives, nil if it fails.
    mutating func made(
        by operation: (UnsafeMutablePointer<UnsafeMutablePointer<VipsImage>?>) -> Int32
    ) -> UnsafeMutablePointer<VipsImage>? {
        var image: UnsafeMutablePointer<VipsImage>?
        guard operation(&image) == 0 else {
            cvips_release(image)
            return nil
        }
        return keep(image)
    }

    mutating func release() {
        for image in images.reversed() { cvips_release(image) }
        images = []
    }
}
