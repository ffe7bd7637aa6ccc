internal import Pixels

/// What a decode will cost and give, read from the file's header: by libjpeg for JPEG, by code of ours for other kinds.
///
/// Opening a file with a decoder may already take memory (a WebP of 520 bytes asks for 1 GB) or time (libtiff counts the
/// pages of a TIFF to the last one), so the limits are applied to this first.
struct ImageHeader {
    /// As stored, before the orientation.
    var size: PixelSize
    var orientation = Orientation.upright
    /// Counted no further than the limit plus one.
    var frames = 1
    /// How many times an animation is played; 0 for without end.
    var loopCount = 1
    /// Bytes that the decoder needs for each stored pixel, besides the result.
    var bytesPerPixel = 0
    /// Bytes that it needs in any case, such as one strip.
    var fixedBytes = 0

    /// What is unpacked to get at the picture, where that is more: what is cut off, hidden layers.
    var wholeSize: PixelSize?
    /// The part of what is unpacked that is the picture, as stored.
    var part: StoredPart?

    /// Some bytes of the file that the decoder is to find in place of others.
    struct Patch {
        let place: Range<Int>
        let bytes: [UInt8]
    }

    var patches: [Patch] = []
    /// Columns at the right border that are there because of a patch only.
    var extraColumns = 0
    /// The decoder goes by the first frame, and not by the size that the file says.
    var losesScreen = false
    /// What the frames cover, where the decoder does not say it.
    var cover: GIFCover?

    /// Whether colours, or alpha, come from 16 to 235 of 8 bits, and alike for more bits.
    var hasShortColours = false
    var hasShortAlpha = false
    /// Whether colours are multiplied by alpha already.
    var isPremultiplied = false

    /// How many samples behind the colours of a pixel count; nil for all that are there.
    var mostExtras: Int?

    /// A profile for what the header itself says of the colours; empty for sRGB, and where a profile is embedded.
    var profile: [UInt8] = []
    /// Of a picture for screens of more than ordinary light; then no profile counts.
    var highRange: CodePoints?

    init(size: PixelSize) {
        self.size = size
    }

    init(_ format: ImageFormat, _ reader: ByteReader, limits: DecodeLimits) throws(ImageCodecError) {
        let header: ImageHeader? =
            switch format {
            case .jpeg: try JPEGFile(reader, limits: limits)?.header.image
            case .png: Self.png(reader)
            case .webp: Self.webp(reader, mostFrames: limits.maxFrames.saturatingSum(1))
            case .gif: Self.gif(reader, mostFrames: limits.maxFrames.saturatingSum(1))
            case .tiff: try Self.tiff(reader, mostFrames: limits.maxFrames.saturatingSum(1))
            case .heif, .avif: try Self.heif(reader)
            case .jxl: try Self.jxl(reader)
            // An SVG has no header of fixed form; its size is asked of the renderer.
            case .svg: nil
            }
        guard let header, header.size.width > 0, header.size.height > 0 else {
            throw .damaged("its header cannot be read")
        }
        self = header
    }

    /// What is decoded of it.
    func plan(_ options: DecodeOptions, isMoving: Bool = false) -> DecodePlan {
        DecodePlan(options, of: orientation.applied(to: size), isMoving: isMoving)
    }

    /// Applies the limits on pixels, frames and memory to the picture and to what becomes of it.
    func check(_ limits: DecodeLimits, _ plan: DecodePlan) throws(ImageCodecError) {
        let whole = wholeSize ?? size
        let (pixels, overflow) = whole.width.multipliedReportingOverflow(by: whole.height)
        guard !overflow, pixels <= limits.maxPixels else {
            throw .tooManyPixels(width: whole.width, height: whole.height, limit: limits.maxPixels)
        }
        // One that was enlarged may have more.
        guard saturatingProduct(plan.result.width, plan.result.height) <= limits.maxPixels else {
            throw .tooManyPixels(width: plan.result.width, height: plan.result.height, limit: limits.maxPixels)
        }
        guard frames <= limits.maxFrames else { throw .tooManyFrames(limit: limits.maxFrames) }
        let needed =
            saturatingProduct(pixels, bytesPerPixel)
            .saturatingSum(fixedBytes)
            .saturatingSum(plan.bytes(from: size, orientation))
        guard needed <= limits.maxMemory else { throw .tooMuchMemory(needed: needed, limit: limits.maxMemory) }
    }
}

/// A product of numbers from a file, which may be absurd: at most `Int.max`, never an overflow.
func saturatingProduct(_ factors: Int...) -> Int {
    var product = 1
    for factor in factors {
        let (value, overflow) = product.multipliedReportingOverflow(by: max(0, factor))
        if overflow { return .max }
        product = value
    }
    return product
}

extension Int {
    func saturatingSum(_ other: Int) -> Int {
        let (value, overflow) = addingReportingOverflow(other)
        return overflow ? .max : value
    }
}
