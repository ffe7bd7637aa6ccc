internal import CJPEG
internal import CVips
public import FoundationEssentials
public import Pixels

#if canImport(Glibc)
    internal import Glibc
#endif

/// Writes pictures in sRGB, without a colour profile, and without metadata unless it is given.
///
/// A value that may be used on any thread, many at once.
public struct ImageEncoder: Hashable, Sendable {
    /// The kinds of files that are written.
    public enum Format: String, CaseIterable, Hashable, Sendable {
        /// JPEG: lossy, without transparency.
        case jpeg
        /// PNG: lossless.
        case png
        /// WebP: lossy, or lossless on request.
        case webp
        /// AVIF, lossy: smaller than WebP, and much slower to write.
        case avif

        /// Whether transparent pixels stay so; without it they are laid over the background.
        public var keepsAlpha: Bool { self != .jpeg }

        /// The usual ending of file names, without a dot.
        public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
    }

    /// At what size colours are stored beside brightness, in which people see finer detail.
    public enum ChromaSubsampling: String, CaseIterable, Hashable, Sendable {
        /// 4:4:4, at full size: for text, drawings and what is edited further.
        case none = "4:4:4"
        /// 4:2:0, at half the width and height: smaller, and in photographs seldom seen.
        case half = "4:2:0"
    }

    /// A colour of R, G and B.
    public struct Background: Hashable, Sendable {
        /// The red part, 0 to 255 in sRGB.
        public var red: UInt8
        /// The green part, 0 to 255 in sRGB.
        public var green: UInt8
        /// The blue part, 0 to 255 in sRGB.
        public var blue: UInt8

        /// A colour of these parts, 0 to 255 each.
        public init(red: UInt8, green: UInt8, blue: UInt8) {
            self.red = red
            self.green = green
            self.blue = blue
        }

        /// White, the default.
        public static let white = Background(red: 255, green: 255, blue: 255)
        /// Black.
        public static let black = Background(red: 0, green: 0, blue: 0)
    }

    /// The kind of file.
    public var format: Format
    /// 1 (small) to 100 (best); PNG is lossless whatever it says. Values outside are an error when encoding.
    public var quality: Int
    /// What shows through transparent pixels in a format without alpha.
    public var background: Background
    /// Whether a JPEG is written in several scans, so that it shows coarsely at first while it arrives, and is a few percent
    /// smaller; writing it takes several times as long, and memory for all of its coefficients (6 bytes a pixel at most). Without
    /// effect on other formats. Default: false.
    public var isProgressive = false
    /// Whether a JPEG is written with code tables made for it, a few percent smaller; a progressive one always is. Without
    /// effect on other formats. Default: false.
    public var optimizesCoding = false
    /// At what size JPEG and AVIF store colours; nil, the default, for half below a quality of 90 and full from there. A lossy
    /// WebP has them at half, and `none` is an error when encoding one.
    public var chromaSubsampling: ChromaSubsampling?
    /// Whether a WebP keeps each pixel that can be seen, as PNG does, and mostly smaller; what lies under wholly transparent pixels
    /// may change. An error when encoding JPEG or AVIF. Default: false.
    public var isLossless = false
    /// How fast an AVIF is written, from 0 (small) to 9 (fast), each step up to twice as fast. Values outside are an error when
    /// encoding one. Without effect on other formats. Default: 7.
    public var avifSpeed = 7

    /// An encoder.
    ///
    /// - Parameters:
    ///   - format: The kind of file.
    ///   - quality: 1 (small) to 100 (best), without effect on PNG. Default: 85. It is checked when encoding.
    ///   - background: What shows through transparent pixels of a JPEG. Default: white.
    public init(format: Format, quality: Int = 85, background: Background = .white) {
        self.format = format
        self.quality = quality
        self.background = background
    }

    /// Encodes a picture.
    ///
    /// - Parameters:
    ///   - buffer: The pixels.
    ///   - metadata: What is written with them; all formats can carry it. Default: nothing.
    /// - Throws: `encodingFailed` when the quality or the speed is out of bounds, when the format cannot be written as it is
    ///   wanted, when the picture is empty or larger than the format allows (65,500 pixels a side for JPEG, 16,383 for WebP,
    ///   16,384 for AVIF), when the metadata has more than ``ImageMetadata/mostBytes``, or when memory is lacking.
    public func encode(_ buffer: PixelBuffer, metadata: ImageMetadata? = nil) throws(ImageCodecError) -> Data {
        guard (1...100).contains(quality) else {
            throw .encodingFailed("the quality is \(quality), and must be 1 to 100")
        }
        try checkWishes()
        guard buffer.size.width > 0, buffer.size.height > 0 else { throw .encodingFailed("it has no pixels") }
        let longest = max(buffer.size.width, buffer.size.height)
        guard longest <= largestSide else {
            throw .encodingFailed("\(format.rawValue) allows \(largestSide) pixels a side, and it has \(longest)")
        }
        if let metadata, max(metadata.exif?.count ?? 0, metadata.xmp?.count ?? 0) > ImageMetadata.mostBytes {
            throw .encodingFailed("its metadata has more than \(ImageMetadata.mostBytes) bytes")
        }
        let outcome: Result<Data, ImageCodecError> = buffer.withUnsafeBytes { pixels in
            do throws(ImageCodecError) {
                return .success(
                    format == .jpeg ? try jpeg(pixels, of: buffer) : try throughVips(pixels, of: buffer))
            } catch {
                return .failure(error)
            }
        }
        let file = try outcome.get()
        let writer = MetadataWriter(metadata: metadata ?? ImageMetadata())
        return switch format {
        case .jpeg: writer.jpeg(file)
        case .png: writer.png(file)
        case .webp: writer.webp(file, of: buffer)
        case .avif: try writer.avif(file)
        }
    }

    /// What a format cannot do it must not seem to do.
    private func checkWishes() throws(ImageCodecError) {
        if isLossless, format == .jpeg || format == .avif {
            throw .encodingFailed("\(format.rawValue) is not written without loss")
        }
        if chromaSubsampling == ChromaSubsampling.none, format == .webp, !isLossless {
            throw .encodingFailed("webp has all of its colours only where it is lossless")
        }
        if format == .avif, !(0...9).contains(avifSpeed) {
            throw .encodingFailed("the speed is \(avifSpeed), and must be 0 to 9")
        }
    }

    private var subsamplesChroma: Bool {
        chromaSubsampling.map { $0 == .half } ?? (quality < 90)
    }

    private var largestSide: Int {
        switch format {
        case .jpeg: 65_500
        case .webp: 16_383
        case .avif: 16_384
        case .png: Int(cvips_largest_side())
        }
    }

    private func jpeg(_ pixels: UnsafeRawBufferPointer, of buffer: PixelBuffer) throws(ImageCodecError) -> Data {
        guard let start = pixels.baseAddress else { throw .encodingFailed("it has no pixels") }
        var request = cjpeg_encode_request(
            pixels: start.assumingMemoryBound(to: UInt8.self), width: UInt32(buffer.size.width),
            height: UInt32(buffer.size.height), is_opaque: buffer.isOpaque ? 1 : 0, quality: Int32(quality),
            subsamples: subsamplesChroma ? 1 : 0, progressive: isProgressive ? 1 : 0,
            optimizes: optimizesCoding ? 1 : 0, background: (background.red, background.green, background.blue))
        var message = [CChar](repeating: 0, count: Int(CJPEG_MESSAGE_SIZE))
        var bytes: UnsafeMutablePointer<UInt8>?
        var count: UInt = 0
        guard cjpeg_encode(&request, &bytes, &count, &message) == CJPEG_DONE, let bytes else {
            throw .encodingFailed(ErrorText.clean(message))
        }
        return Data(bytesNoCopy: bytes, count: Int(count), deallocator: .free)
    }

    private func throughVips(_ pixels: UnsafeRawBufferPointer, of buffer: PixelBuffer) throws(ImageCodecError) -> Data {
        let work = try VipsWork()
        defer { work.end() }
        var images = VipsImages()
        defer { images.release() }
        guard
            let whole = images.keep(
                cvips_wrap(
                    pixels.baseAddress, pixels.count, Int32(buffer.size.width), Int32(buffer.size.height), 4,
                    VIPS_INTERPRETATION_sRGB)),
            let image = buffer.isOpaque ? images.made(by: { cvips_first_bands(whole, $0, 3) }) : whole
        else { throw work.encodingError }
        var bytes: UnsafeMutableRawPointer?
        var count = 0
        let status =
            switch format {
            case .webp: cvips_save_webp(image, Int32(quality), isLossless ? 1 : 0, &bytes, &count)
            case .avif:
                cvips_save_avif(image, Int32(quality), Int32(9 - avifSpeed), subsamplesChroma ? 1 : 0, &bytes, &count)
            case .png, .jpeg: cvips_save_png(image, &bytes, &count)
            }
        guard status == 0, let bytes else { throw work.encodingError }
        return Data(bytesNoCopy: bytes, count: count, deallocator: .custom { pointer, _ in g_free(pointer) })
    }
}
