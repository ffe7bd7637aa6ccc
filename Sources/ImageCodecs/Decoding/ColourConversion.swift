internal import CVips
internal import Pixels

/// Converts a finished picture from its profile's colours to sRGB.
///
/// Done after the reduction, when there are few pixels left. Only for a picture that has a profile,
/// or inks, which are those of a common press where none is theirs.
struct ColourConversion {
    enum Source {
        /// R, G, B and alpha.
        case colours
        /// The same value three times, and alpha, under a profile for grey.
        case grey
        /// C, M, Y, K; 255 is full ink.
        case inks

        /// What the header of a profile calls them (ICC.1, section 7.2.8).
        var space: StaticString {
            switch self {
            case .colours: "RGB "
            case .grey: "GRAY"
            case .inks: "CMYK"
            }
        }
    }

    let profile: [UInt8]
    let source: Source
    let watch: DecodeWatch

    /// The picture in sRGB, or as it was if its profile is broken or for another kind of picture.
    func converted(_ buffer: PixelBuffer) throws(ImageCodecError) -> PixelBuffer {
        guard profile.isProfile(of: source) else {
            if case .inks = source { return try PressInks.usual.colours(of: buffer, watch: watch) }
            return buffer
        }
        let work = try VipsWork()
        defer { work.end() }
        let outcome: Result<PixelBuffer?, ImageCodecError> = buffer.withUnsafeBytes { pixels in
            do throws(ImageCodecError) {
                return .success(try convert(buffer, pixels))
            } catch {
                return .failure(error)
            }
        }
        if let result = try outcome.get() { return result }
        if case .inks = source { return try PressInks.usual.colours(of: buffer, watch: watch) }
        return buffer
    }

    private func convert(
        _ buffer: PixelBuffer, _ pixels: UnsafeRawBufferPointer
    ) throws(ImageCodecError) -> PixelBuffer? {
        let (bands, interpretation): (Int32, VipsInterpretation) =
            switch source {
            case .colours: (3, VIPS_INTERPRETATION_sRGB)
            case .grey: (1, VIPS_INTERPRETATION_B_W)
            case .inks: (4, VIPS_INTERPRETATION_CMYK)
            }
        var images = VipsImages()
        defer { images.release() }
        guard
            let whole = images.keep(
                cvips_wrap(
                    pixels.baseAddress, pixels.count, Int32(buffer.size.width), Int32(buffer.size.height), 4,
                    interpretation))
        else { return nil }
        if !profile.isEmpty { cvips_set_profile(whole, profile, profile.count) }
        guard let narrow = images.made(by: { cvips_first_bands(whole, $0, bands) }),
            let srgb = images.made(by: { cvips_profile_to_srgb(narrow, $0, profile.intent) }), srgb.pointee.Bands == 3
        else { return nil }
        let width = buffer.size.width
        // Four inks leave no room for transparency.
        let isOpaque = if case .inks = source { true } else { buffer.isOpaque }
        return try PixelBuffer(stored: buffer.size, orientation: .upright, isOpaque: isOpaque) {
            canvas throws(ImageCodecError) in
            try VipsRows(srgb).forEach(watch: watch) { y, row in
                let to = (canvas.start + 4 * width * y).assumingMemoryBound(to: UInt8.self)
                for x in 0..<width {
                    to[4 * x] = row[3 * x]
                    to[4 * x + 1] = row[3 * x + 1]
                    to[4 * x + 2] = row[3 * x + 2]
                    to[4 * x + 3] = pixels[4 * (width * y + x) + 3]
                    if case .inks = source { to[4 * x + 3] = 255 }
                }
            }
        }
    }
}
