internal import Pixels

/// Decodes on the calling thread, in the process that it is called in.
enum LocalDecoder {
    /// A file whose header is read and within the limits.
    struct Opened {
        let format: ImageFormat
        let header: ImageHeader
        let options: DecodeOptions
        let plan: DecodePlan
        /// A JPEG goes on with the header that was read.
        let jpeg: JPEGFile?

        var info: ImageInfo {
            ImageInfo(format: format, size: header.orientation.applied(to: header.size), frames: header.frames)
        }
    }

    /// What the header says, without limits but that on the number up to which frames are counted.
    static func info(
        _ reader: ByteReader, _ format: ImageFormat, limits: DecodeLimits
    ) throws(ImageCodecError) -> ImageInfo {
        if format == .svg { return ImageInfo(format: .svg, size: try VipsDecoder.svgSize(reader)) }
        let header = try ImageHeader(format, reader, limits: limits)
        return ImageInfo(
            format: format, size: header.orientation.applied(to: header.size), frames: header.frames)
    }

    /// Reads the header of any kind but SVG, and applies the limits to it.
    static func open(
        _ reader: ByteReader, _ format: ImageFormat, _ options: DecodeOptions, limits: DecodeLimits,
        isMoving: Bool = false
    ) throws(ImageCodecError) -> Opened {
        let jpeg = format == .jpeg ? try JPEGFile(reader, limits: limits) : nil
        let header: ImageHeader
        if let jpeg { header = jpeg.header.image } else { header = try ImageHeader(format, reader, limits: limits) }
        let plan = header.plan(options, isMoving: isMoving)
        try header.check(limits, plan)
        return Opened(format: format, header: header, options: options, plan: plan, jpeg: jpeg)
    }

    static func decode(
        _ reader: ByteReader, _ format: ImageFormat, _ options: DecodeOptions, limits: DecodeLimits, watch: DecodeWatch
    ) throws(ImageCodecError) -> DecodedImage {
        if format == .svg {
            return try VipsDecoder.svg(reader, options, limits: limits, watch: watch)
        }
        let opened = try open(reader, format, options, limits: limits)
        return try decode(opened, reader, limits: limits, watch: watch)
    }

    /// Decodes a file that was opened from the same bytes.
    static func decode(
        _ opened: Opened, _ reader: ByteReader, limits: DecodeLimits, watch: DecodeWatch
    ) throws(ImageCodecError) -> DecodedImage {
        guard let jpeg = opened.jpeg else {
            let image = try throughVips(opened, reader, limits: limits, watch: watch)
            return DecodedImage(pixels: image, info: opened.info)
        }
        let rows = try JPEGRows(header: jpeg.header, plan: opened.plan)
        var damage: String?
        let image = try rows.image(watch: watch) { () throws(ImageCodecError) in
            damage = try jpeg.read(rows, tolerates: opened.options.toleratesDamage, limits: limits, watch: watch)
        }
        return DecodedImage(pixels: image, info: opened.info, damage: damage)
    }

    private static func throughVips(
        _ opened: Opened, _ reader: ByteReader, limits: DecodeLimits, watch: DecodeWatch
    ) throws(ImageCodecError) -> PixelBuffer {
        guard let file = try mendedFile(opened, reader) else {
            return try VipsDecoder.decode(reader, opened, limits: limits, watch: watch)
        }
        let outcome: Result<PixelBuffer, ImageCodecError> = file.withUnsafeBytes { bytes in
            do throws(ImageCodecError) {
                return .success(try VipsDecoder.decode(ByteReader(bytes), opened, limits: limits, watch: watch))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    /// The file as the decoder is to have it; nil for as it is.
    static func mendedFile(_ opened: Opened, _ reader: ByteReader) throws(ImageCodecError) -> [UInt8]? {
        if opened.format == .png { return try PNGChunks.drawn(reader) }
        if opened.header.patches.isEmpty { return nil }
        var file = Array(reader.bytes)
        for patch in opened.header.patches where patch.place.upperBound <= file.count {
            file.replaceSubrange(patch.place, with: patch.bytes)
        }
        return file
    }
}
