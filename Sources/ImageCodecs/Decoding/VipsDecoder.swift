internal import CVips
internal import Pixels

/// Decodes every kind but JPEG: libvips unpacks, rows are reduced as they come, then colours are converted.
enum VipsDecoder {
    /// Decodes a picture whose header passed the limits.
    static func decode(
        _ reader: ByteReader, _ opened: LocalDecoder.Opened, limits: DecodeLimits, watch: DecodeWatch
    ) throws(ImageCodecError) -> PixelBuffer {
        let scale = opened.format == .webp ? webpScale(opened.header.size, opened.target) : 1
        return try withImage(reader, opened.format, scale: scale) { image, images, work throws(ImageCodecError) in
            try decode(image, &images, work, opened.format, opened.header, opened.target, limits, watch)
        }
    }

    /// A WebP is unpacked at twice the result's size or its own: the last step is the good filter's.
    static func webpScale(_ size: PixelSize, _ target: PixelSize) -> Double {
        min(1, 2 * Double(max(target.width, target.height)) / Double(max(size.width, size.height)))
    }

    /// An SVG's size in pixels, at 72 to the inch.
    static func svgSize(_ reader: ByteReader) throws(ImageCodecError) -> PixelSize {
        try withImage(reader, .svg, scale: 1) { image, _, _ in
            PixelSize(width: Int(image.pointee.Xsize), height: Int(image.pointee.Ysize))
        }
    }

    /// A drawing of its own size of at most so many pixels is loaded once, drawn at that size, and reduced. To load it takes
    /// longer than to draw it, often many times; libvips wants to know the scale before it loads.
    private static let pixelsDrawnWhole = 4 << 20

    /// Draws an SVG at the size that is wanted, which counts for the limits instead of its own.
    static func svg(
        _ reader: ByteReader, longestSide: Int?, limits: DecodeLimits, watch: DecodeWatch
    ) throws(ImageCodecError) -> DecodedImage {
        var info = ImageInfo(format: .svg, size: PixelSize(width: 0, height: 0))
        var target = info.size
        let whole = try withImage(reader, .svg, scale: 1) {
            image, images, work throws(ImageCodecError) -> PixelBuffer? in
            info.size = PixelSize(width: Int(image.pointee.Xsize), height: Int(image.pointee.Ysize))
            target = longestSide.map { info.size.fitting(longestSide: max(1, $0)) } ?? info.size
            let header = svgHeader(info.size)
            guard target == info.size || saturatingProduct(info.size.width, info.size.height) <= pixelsDrawnWhole,
                target == info.size || (try? header.check(limits, result: target)) != nil
            else { return nil }
            return try decode(image, &images, work, .svg, header, target, limits, watch)
        }
        if let whole { return DecodedImage(picture: whole, info: info) }
        // libvips' smallest scale; what is left to do is done by the reduction.
        let longest = (wanted: max(target.width, target.height), own: max(info.size.width, info.size.height))
        let scale = max(0.001, Double(longest.wanted) / Double(longest.own))
        let header = svgHeader(
            PixelSize(
                width: max(1, Int(Double(info.size.width) * scale)),
                height: max(1, Int(Double(info.size.height) * scale))))
        try header.check(limits, result: target)
        let picture = try withImage(reader, .svg, scale: scale) { image, images, work throws(ImageCodecError) in
            try decode(image, &images, work, .svg, header, target, limits, watch)
        }
        return DecodedImage(picture: picture, info: info)
    }

    private static func svgHeader(_ size: PixelSize) -> PictureHeader {
        var header = PictureHeader(size: size)
        // Groups and filters are drawn on surfaces of their own.
        header.bytesPerPixel = 8
        return header
    }

    private static func decode(
        _ image: UnsafeMutablePointer<VipsImage>, _ images: inout VipsImages, _ work: VipsWork, _ format: ImageFormat,
        _ header: PictureHeader, _ target: PixelSize, _ limits: DecodeLimits, _ watch: DecodeWatch
    ) throws(ImageCodecError) -> PixelBuffer {
        let size = PixelSize(width: Int(image.pointee.Xsize), height: Int(image.pointee.Ysize))
        // What the decoder says counts, in case the header lied to us.
        var actual = header
        actual.size = size
        try actual.check(limits, result: target)
        try watch.check()
        let fitting = PixelSize(width: min(target.width, size.width), height: min(target.height, size.height))
        return try pixels(image, &images, work, format, header.orientation, fitting, watch)
    }

    private static func withImage<Result>(
        _ reader: ByteReader, _ format: ImageFormat, scale: Double,
        _ body: (UnsafeMutablePointer<VipsImage>, inout VipsImages, VipsWork) throws(ImageCodecError) -> Result
    ) throws(ImageCodecError) -> Result {
        let work = try VipsWork()
        defer { work.end() }
        var images = VipsImages()
        defer { images.release() }
        guard let loader = loader(for: format),
            let image = images.made(by: {
                cvips_load(loader, reader.bytes.baseAddress, reader.count, scale, 0, 1, $0)
            })
        else { throw work.error(for: format) }
        return try body(image, &images, work)
    }

    static func loader(for format: ImageFormat) -> cvips_loader? {
        switch format {
        case .png: CVIPS_PNG
        case .webp: CVIPS_WEBP
        case .gif: CVIPS_GIF
        case .tiff: CVIPS_TIFF
        case .heif, .avif: CVIPS_HEIF
        case .jxl: CVIPS_JXL
        case .svg: CVIPS_SVG
        case .jpeg: nil
        }
    }

    /// Reduces the picture, or those of its rows that are a frame, to `target`.
    static func pixels(
        _ image: UnsafeMutablePointer<VipsImage>, _ images: inout VipsImages, _ work: VipsWork, _ format: ImageFormat,
        _ orientation: Orientation, _ target: PixelSize, _ watch: DecodeWatch, rows: Range<Int>? = nil
    ) throws(ImageCodecError) -> PixelBuffer {
        let profile = profile(of: image)
        let isLateProfile = !profile.isEmpty && canConvertLate(image)
        guard let bytes = asBytes(image, &images, usesProfile: !profile.isEmpty && !isLateProfile) else {
            throw work.error(for: format)
        }
        let bands = bytes.pointee.Bands
        let hasAlpha = bands == 2 || bands == 4
        let bytesOfResult = saturatingProduct(target.width, target.height, 4)
        let lacksMemory = ImageCodecError.tooMuchMemory(needed: bytesOfResult, limit: bytesOfResult)
        let buffer: PixelBuffer
        do throws(ImageCodecError) {
            buffer = try PixelBuffer(stored: target, orientation: orientation, isOpaque: !hasAlpha) {
                canvas throws(ImageCodecError) in
                let stored = PixelSize(
                    width: Int(bytes.pointee.Xsize), height: rows?.count ?? Int(bytes.pointee.Ysize))
                guard let reducer = canvas.reducer(from: stored, to: target, weighsAlpha: hasAlpha) else {
                    throw lacksMemory
                }
                try VipsRows(bytes, rows: rows).forEach(watch: watch) { _, row in
                    reducer.push(row, channels: bands)
                }
            }
        } catch .damaged {
            throw work.error(for: format)
        } catch {
            throw error
        }
        guard isLateProfile else { return buffer }
        return try ColourConversion(profile: profile, source: bands < 3 ? .grey : .colours, watch: watch)
            .converted(buffer)
    }

    /// The embedded profile if it changes anything.
    private static func profile(of image: UnsafeMutablePointer<VipsImage>) -> [UInt8] {
        var size = 0
        guard let data = cvips_profile(image, &size), size > 0 else { return [] }
        let bytes = UnsafeRawBufferPointer(start: data, count: size)
        return KnownColours(ofProfile: ByteReader(bytes)) == .sRGB ? [] : Array(bytes)
    }

    /// Pictures of bytes are converted when they are small; inks and 16 bits before, to lose nothing.
    private static func canConvertLate(_ image: UnsafeMutablePointer<VipsImage>) -> Bool {
        let kinds = [VIPS_INTERPRETATION_sRGB, VIPS_INTERPRETATION_RGB, VIPS_INTERPRETATION_B_W]
        return image.pointee.Coding == VIPS_CODING_NONE && image.pointee.BandFmt == VIPS_FORMAT_UCHAR
            && kinds.contains(image.pointee.Type)
    }

    /// One to four bands of bytes: grey or colours, with alpha or without.
    private static func asBytes(
        _ image: UnsafeMutablePointer<VipsImage>, _ images: inout VipsImages, usesProfile: Bool
    ) -> UnsafeMutablePointer<VipsImage>? {
        var current = image
        if image.pointee.Type == VIPS_INTERPRETATION_CMYK || usesProfile,
            let converted = images.made(by: { cvips_profile_to_srgb(image, $0) })
        {
            current = converted
        } else if !canConvertLate(image), let converted = images.made(by: { cvips_to_srgb(image, $0) }) {
            current = converted
        }
        if current.pointee.BandFmt != VIPS_FORMAT_UCHAR {
            guard let cast = images.made(by: { cvips_to_bytes(current, $0) }) else { return nil }
            current = cast
        }
        if current.pointee.Bands > 4 {
            return images.made(by: { cvips_first_bands(current, $0, 3) })
        }
        return current
    }
}
