internal import CVips
internal import Pixels

/// Decodes every kind but JPEG: libvips unpacks, rows are reduced as they come, then colours are converted.
enum VipsDecoder {
    /// Decodes a picture whose header passed the limits.
    static func decode(
        _ reader: ByteReader, _ opened: LocalDecoder.Opened, limits: DecodeLimits, watch: DecodeWatch
    ) throws(ImageCodecError) -> PixelBuffer {
        let scale = opened.format == .webp ? webpScale(opened.header, opened.plan.layout) : 1
        return try withImage(reader, opened.format, scale: scale) { image, images, work throws(ImageCodecError) in
            // What the decoder says counts, in case the header lied to us.
            var actual = opened.header
            let image = try onScreen(image, &images, work, actual)
            if actual.part == nil { actual.size = PixelSize(image).without(columns: actual.extraColumns) }
            let plan = scale == 1 ? actual.plan(opened.options) : opened.plan
            return try decode(image, &images, work, opened.format, actual, plan, limits, watch)
        }
    }

    /// A GIF as large as it says, where libvips has gone by its first frame.
    static func onScreen(
        _ image: UnsafeMutablePointer<VipsImage>, _ images: inout VipsImages, _ work: VipsWork, _ header: ImageHeader
    ) throws(ImageCodecError) -> UnsafeMutablePointer<VipsImage> {
        guard header.losesScreen, PixelSize(image) != header.size else { return image }
        let size = (Int32(header.size.width), Int32(header.size.height))
        guard let whole = images.made(by: { cvips_enlarge(image, $0, size.0, size.1) }) else {
            throw work.error(for: .gif)
        }
        return whole
    }

    /// A WebP is unpacked at twice the result's size or its own: the last step is the good filter's.
    static func webpScale(_ header: ImageHeader, _ layout: Resize.Layout) -> Double {
        min(1, 2 * largerScale(of: header.orientation.applied(to: header.size), layout))
    }

    /// What a picture is scaled by, in the direction in which that is more.
    private static func largerScale(of size: PixelSize, _ layout: Resize.Layout) -> Double {
        max(
            Double(layout.whole.width) / Double(max(1, size.width)),
            Double(layout.whole.height) / Double(max(1, size.height)))
    }

    /// An SVG's size in pixels, at 72 to the inch. A side that it does not give is CSS's: 300 wide, 150 high.
    static func svgSize(_ reader: ByteReader) throws(ImageCodecError) -> PixelSize {
        try withSettled(reader) { drawing, _ throws(ImageCodecError) in
            let size = try withImage(drawing, .svg, scale: 1) { image, _, _ in PixelSize(image) }
            try checkSides(of: size, drawing)
            return size
        }
    }

    /// Hands on the drawing as libvips is to have it, and what its first element says if that was changed.
    private static func withSettled<Value>(
        _ reader: ByteReader, _ body: (ByteReader, SVGRoot?) throws(ImageCodecError) -> Value
    ) throws(ImageCodecError) -> Value {
        let root = SVGRoot(reader)
        if let root, root.hasSide(longerThan: Double(longestSide)) { throw tooLong }
        guard let root, let file = root.settled else { return try body(reader, nil) }
        let outcome: Result<Value, ImageCodecError> = file.withUnsafeBytes { bytes in
            do throws(ImageCodecError) {
                return .success(try body(ByteReader(bytes), root))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }

    /// What every version of libvips can hold; newer ones hold ten times as much.
    private static let longestSide = 10_000_000
    private static let tooLong = ImageCodecError.unsupportedFormat("SVG with a side of more than 10,000,000 pixels")

    /// libvips says 1 for a side that is more than it can hold.
    private static func checkSides(of size: PixelSize, _ reader: ByteReader) throws(ImageCodecError) {
        guard max(size.width, size.height) <= longestSide else { throw tooLong }
        guard min(size.width, size.height) == 1 else { return }
        // One that is a pixel wide is some pixels wide then.
        let larger = try withImage(reader, .svg, scale: 10) { image, _, _ in PixelSize(image) }
        if max(size.width, larger.width) == 1 || max(size.height, larger.height) == 1 { throw tooLong }
    }

    /// A drawing of its own size of at most so many pixels is loaded once, drawn at that size, and reduced. To load it takes
    /// longer than to draw it, often many times; libvips wants to know the scale before it loads.
    private static let pixelsDrawnWhole = 4 << 20

    /// Draws an SVG at the size that is wanted, which counts for the limits instead of its own.
    static func svg(
        _ reader: ByteReader, _ options: DecodeOptions, limits: DecodeLimits, watch: DecodeWatch
    ) throws(ImageCodecError) -> DecodedImage {
        let drawn = try withSettled(reader) { drawing, root throws(ImageCodecError) in
            try svg(drawing, expecting: root, options, limits: limits, watch: watch)
        }
        if let drawn { return drawn }
        // A style sheet gives it another size than its first element, and it is drawn as it is.
        guard let drawn = try svg(reader, expecting: nil, options, limits: limits, watch: watch) else {
            throw .damaged("it has no size")
        }
        return drawn
    }

    /// - Parameter root: What gives the drawing its ratio; nil is returned where it has another one.
    private static func svg(
        _ reader: ByteReader, expecting root: SVGRoot?, _ options: DecodeOptions, limits: DecodeLimits,
        watch: DecodeWatch
    ) throws(ImageCodecError) -> DecodedImage? {
        var info = ImageInfo(format: .svg, size: PixelSize(width: 0, height: 0))
        var plan = DecodePlan(options, of: info.size)
        var scale = 1.0
        var isExpected = true
        let whole = try withImage(reader, .svg, scale: 1) {
            image, images, work throws(ImageCodecError) -> PixelBuffer? in
            info.size = PixelSize(image)
            isExpected = root?.agrees(with: info.size) ?? true
            guard isExpected else { return nil }
            plan = DecodePlan(options, of: info.size)
            scale = largerScale(of: info.size, plan.layout)
            if min(info.size.width, info.size.height) == 1 || max(info.size.width, info.size.height) > longestSide {
                return nil
            }
            let header = svgHeader(info.size)
            guard scale == 1 || (scale < 1 && saturatingProduct(info.size.width, info.size.height) <= pixelsDrawnWhole),
                scale == 1 || (try? header.check(limits, plan)) != nil
            else { return nil }
            return try decode(image, &images, work, .svg, header, plan, limits, watch)
        }
        guard isExpected else { return nil }
        if let whole { return DecodedImage(pixels: whole, info: info) }
        try checkSides(of: info.size, reader)
        // Where little of a large drawing stays, it is drawn at its own size and enlarged.
        if scale > 1, (try? svgHeader(info.size, by: scale).check(limits, plan)) == nil { scale = 1 }
        // libvips' smallest scale; what is left to do is done by the resampler.
        scale = max(0.001, scale)
        let header = svgHeader(info.size, by: scale)
        try header.check(limits, plan)
        let picture = try withImage(reader, .svg, scale: scale) { image, images, work throws(ImageCodecError) in
            var actual = header
            actual.size = PixelSize(image)
            return try decode(image, &images, work, .svg, actual, plan, limits, watch)
        }
        return DecodedImage(pixels: picture, info: info)
    }

    /// - Parameter scale: How large it is drawn.
    private static func svgHeader(_ size: PixelSize, by scale: Double = 1) -> ImageHeader {
        func side(_ side: Int) -> Int { max(1, Int(min(Double(side) * scale, 0x1p31))) }
        var header = ImageHeader(size: PixelSize(width: side(size.width), height: side(size.height)))
        // Groups and filters are drawn on surfaces of their own.
        header.bytesPerPixel = 8
        return header
    }

    /// - Parameter header: With the size that the decoder names.
    private static func decode(
        _ image: UnsafeMutablePointer<VipsImage>, _ images: inout VipsImages, _ work: VipsWork, _ format: ImageFormat,
        _ header: ImageHeader, _ plan: DecodePlan, _ limits: DecodeLimits, _ watch: DecodeWatch
    ) throws(ImageCodecError) -> PixelBuffer {
        try header.check(limits, plan)
        try watch.check()
        var current = image
        func apply(
            _ operation: (UnsafeMutablePointer<VipsImage>, UnsafeMutablePointer<UnsafeMutablePointer<VipsImage>?>) ->
                Int32
        ) throws(ImageCodecError) {
            guard let made = images.made(by: { operation(current, $0) }) else { throw work.error(for: format) }
            current = made
        }
        if let part = header.part {
            let size = PixelSize(image)
            guard part.left + part.size.width <= size.width, part.top + part.size.height <= size.height else {
                throw .damaged("it is smaller than its part that is shown")
            }
            try apply {
                cvips_cut(
                    $0, $1, Int32(part.left), Int32(part.top), Int32(part.size.width), Int32(part.size.height))
            }
        }
        if header.extraColumns > 0 {
            try apply { cvips_cut($0, $1, 0, 0, Int32(header.size.width), Int32(header.size.height)) }
        }
        if header.hasShortColours || header.hasShortAlpha {
            try apply { cvips_stretch($0, $1, header.hasShortColours ? 1 : 0, header.hasShortAlpha ? 1 : 0) }
        }
        if header.isPremultiplied { try apply { cvips_unpremultiply($0, $1) } }
        if let most = header.mostExtras { try apply { cvips_bands_with_extras($0, $1, Int32(most)) } }
        if !header.profile.isEmpty { cvips_set_profile(current, header.profile, header.profile.count) }
        return try pixels(
            current, &images, work, format, header.orientation, plan.layout, watch, highRange: header.highRange,
            cover: header.cover?.shown(at: 0, of: header.size))
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
                cvips_load(loader, reader.bytes.baseAddress, reader.count, scale, 1, $0)
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

    /// Scales the picture, or those of its rows that are a frame, to a layout of the upright picture.
    ///
    /// - Parameter cover: What of it is not transparent, where the decoder gives no transparency.
    static func pixels(
        _ image: UnsafeMutablePointer<VipsImage>, _ images: inout VipsImages, _ work: VipsWork, _ format: ImageFormat,
        _ orientation: Orientation, _ upright: Resize.Layout, _ watch: DecodeWatch, rows: Range<Int>? = nil,
        highRange: CodePoints? = nil, cover: GIFCover? = nil
    ) throws(ImageCodecError) -> PixelBuffer {
        let profile = highRange == nil ? profile(of: image) : []
        let areInks = image.pointee.Type == VIPS_INTERPRETATION_CMYK && image.pointee.Bands >= 4 && !profile.isOfInks
        let isLateProfile = !areInks && !profile.isEmpty && canConvertLate(image)
        let made =
            areInks
            ? images.made(by: { cvips_inks_to_bytes(image, $0) })
            : highRange == nil
                ? asBytes(image, &images, format, profile: isLateProfile ? [] : profile)
                : images.made(by: { cvips_to_samples(image, $0) })
        guard let bytes = made else { throw work.error(for: format) }
        let shown = highRange.flatMap { HighDynamicRange($0, isDeep: bytes.pointee.BandFmt == VIPS_FORMAT_USHORT) }
        guard (highRange == nil) == (shown == nil) else { throw .unsupportedFormat("its colours") }
        let bands = Int(bytes.pointee.Bands)
        // Inks are made colours when they are few, but for those with transparency: five bands cannot be reduced.
        let areLateInks = areInks && bands == 4
        let hasOwnAlpha = areInks ? bands == 5 : bands == 2 || bands == 4
        var conversion: RowConversion?
        if let shown {
            conversion = .highRange(shown)
        } else if areInks, hasOwnAlpha {
            conversion = .inks
        } else if let cover, !hasOwnAlpha {
            conversion = .cover(cover)
        }
        let hasAlpha = hasOwnAlpha || (cover != nil && shown == nil)
        let layout = orientation.stored(upright)
        let bytesOfResult = saturatingProduct(layout.size.width, layout.size.height, 4)
        let lacksMemory = ImageCodecError.tooMuchMemory(needed: bytesOfResult, limit: bytesOfResult)
        let buffer: PixelBuffer
        do throws(ImageCodecError) {
            buffer = try PixelBuffer(stored: layout.size, orientation: orientation, isOpaque: !hasAlpha) {
                canvas throws(ImageCodecError) in
                let stored = PixelSize(
                    width: Int(bytes.pointee.Xsize), height: rows?.count ?? Int(bytes.pointee.Ysize))
                guard let resampler = canvas.resampler(from: stored, to: layout, weighsAlpha: hasAlpha) else {
                    throw lacksMemory
                }
                guard let conversion else {
                    return try VipsRows(bytes, rows: rows).forEach(watch: watch) { _, row in
                        resampler.push(row, channels: Int32(bands))
                    }
                }
                var line = RowConversion.Line(conversion, width: stored.width, bands: bands)
                let channels = Int32(conversion.bands(of: bands))
                try VipsRows(bytes, rows: rows).forEach(watch: watch) { y, row in
                    line.convert(row, at: y) { resampler.push($0, channels: channels) }
                }
            }
        } catch .damaged {
            throw work.error(for: format)
        } catch {
            throw error
        }
        guard isLateProfile || areLateInks else { return buffer }
        let source: ColourConversion.Source = areLateInks ? .inks : bands < 3 ? .grey : .colours
        return try ColourConversion(profile: profile, source: source, watch: watch).converted(buffer)
    }

    private static func hasProfile(_ image: UnsafeMutablePointer<VipsImage>) -> Bool {
        var size = 0
        return cvips_profile(image, &size) != nil && size > 0
    }

    /// The embedded profile if it changes anything.
    private static func profile(of image: UnsafeMutablePointer<VipsImage>) -> [UInt8] {
        var size = 0
        guard let data = cvips_profile(image, &size), size > 0 else { return [] }
        // Lab needs no profile.
        let lab = [VIPS_INTERPRETATION_LAB, VIPS_INTERPRETATION_LABS, VIPS_INTERPRETATION_LABQ]
        if lab.contains(image.pointee.Type) { return [] }
        let source: ColourConversion.Source =
            switch cvips_colour_bands(image) {
            case 4: .inks
            case 3: .colours
            default: .grey
            }
        let profile = Array(UnsafeRawBufferPointer(start: data, count: size))
        guard profile.isProfile(of: source) else { return [] }
        return profile.withUnsafeBytes { KnownColours(ofProfile: ByteReader($0)) } == .sRGB ? [] : profile
    }

    /// Pictures of bytes are converted when they are small; inks and 16 bits before, to lose nothing.
    private static func canConvertLate(_ image: UnsafeMutablePointer<VipsImage>) -> Bool {
        let kinds = [VIPS_INTERPRETATION_sRGB, VIPS_INTERPRETATION_RGB, VIPS_INTERPRETATION_B_W]
        return image.pointee.Coding == VIPS_CODING_NONE && image.pointee.BandFmt == VIPS_FORMAT_UCHAR
            && kinds.contains(image.pointee.Type)
    }

    /// One to four bands of bytes: grey or colours, with alpha or without.
    private static func asBytes(
        _ image: UnsafeMutablePointer<VipsImage>, _ images: inout VipsImages, _ format: ImageFormat, profile: [UInt8]
    ) -> UnsafeMutablePointer<VipsImage>? {
        // libvips takes fractions with a profile for bytes, and without one for linear light. Lab needs none.
        let isFraction =
            [.tiff, .jxl].contains(format) && image.pointee.BandFmt == VIPS_FORMAT_FLOAT && hasProfile(image)
            && image.pointee.Type != VIPS_INTERPRETATION_LAB
        guard
            let image = images.made(by: {
                isFraction ? cvips_fractions_to_shorts(image, $0) : cvips_to_convertible(image, $0)
            })
        else { return nil }
        var current = image
        if image.pointee.Type == VIPS_INTERPRETATION_CMYK || !profile.isEmpty,
            let converted = images.made(by: { cvips_profile_to_srgb(image, $0, profile.intent) })
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

extension PixelSize {
    func without(columns: Int) -> PixelSize { PixelSize(width: width - columns, height: height) }

    fileprivate init(_ image: UnsafeMutablePointer<VipsImage>) {
        self.init(width: Int(image.pointee.Xsize), height: Int(image.pointee.Ysize))
    }
}
