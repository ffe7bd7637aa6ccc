internal import CVips

/// libvips as a whole.
enum Vips {
    /// Swift runs this once, whichever thread comes first.
    private static let hasStarted = cvips_start() == 0

    /// Makes sure that libvips runs.
    static func start() throws(ImageCodecError) {
        guard hasStarted else { throw .unsupportedFormat("libvips cannot be started") }
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
