internal import CJPEG
internal import Pixels

/// The fast path: libjpeg's scaled decoding, a reduction and the orientation in one pass over the rows.
struct JPEGDecoder {
    let header: JPEGHeader
    let limits: DecodeLimits
    let watch: DecodeWatch

    /// A progressive file of a camera or a web site has about ten scans; the standard's way to split all bits and
    /// coefficients needs fewer than this.
    static let maxScans: UInt32 = 500

    /// `size` is that of the result before the orientation.
    func decode(_ reader: ByteReader, size: PixelSize) throws(ImageCodecError) -> PixelBuffer {
        try checkComponents()
        let hasInks = header.components == 4
        let eighths = scale(for: size)
        var buffer = try PixelBuffer(stored: size, orientation: header.orientation, isOpaque: true) {
            canvas throws(ImageCodecError) in
            try run(reader, size: size, eighths: eighths, keepsInks: hasInks, canvas: canvas)
        }
        return try coloured(&buffer)
    }

    /// The picture in sRGB, whatever its pixels are.
    func coloured(_ buffer: inout PixelBuffer) throws(ImageCodecError) -> PixelBuffer {
        if header.components == 4 {
            if header.hasAdobeMarker { buffer.invert() }
            return try ColourConversion(profile: header.profile, source: .inks, watch: watch).converted(buffer)
        }
        let profile = header.profile
        guard !profile.isEmpty, !profile.withUnsafeBytes({ ICCProfile(ByteReader($0)).isSRGB }) else { return buffer }
        return try ColourConversion(
            profile: profile, source: header.components == 1 ? .grey : .colours, watch: watch
        ).converted(buffer)
    }

    func checkComponents() throws(ImageCodecError) {
        guard [1, 3, 4].contains(header.components) else {
            throw .unsupportedFormat("JPEG with \(header.components) components")
        }
    }

    /// The smallest scale that is not below the result. Only halves are taken: libjpeg-turbo has vector code for those
    /// alone.
    func scale(for size: PixelSize) -> UInt32 {
        let fitting: [UInt32] = [1, 2, 4]
        return fitting.first { eighths in
            cjpeg_scaled(UInt32(header.size.width), eighths) >= size.width
                && cjpeg_scaled(UInt32(header.size.height), eighths) >= size.height
        } ?? 8
    }

    private func run(
        _ reader: ByteReader, size: PixelSize, eighths: UInt32, keepsInks: Bool, canvas: cjpeg_canvas
    ) throws(ImageCodecError) {
        guard let data = reader.bytes.baseAddress else { throw .empty }
        var request = cjpeg_decode_request(
            data: data.assumingMemoryBound(to: UInt8.self), size: reader.count,
            width: UInt32(header.size.width), height: UInt32(header.size.height), eighths: eighths,
            out_width: UInt32(size.width), out_height: UInt32(size.height), canvas: canvas,
            keeps_inks: keepsInks ? 1 : 0, max_memory: UInt64(limits.maxMemory), max_scans: Self.maxScans,
            should_stop: { context in
                guard let context else { return 0 }
                return Unmanaged<DecodeWatch>.fromOpaque(context).takeUnretainedValue().shouldStop() ? 1 : 0
            },
            context: Unmanaged.passUnretained(watch).toOpaque())
        var message = [CChar](repeating: 0, count: Int(CJPEG_MESSAGE_SIZE))
        let status = withExtendedLifetime(watch) { cjpeg_decode(&request, &message) }
        try check(status, message)
    }

    /// Throws what a status means.
    func check(_ status: cjpeg_status, _ message: [CChar]) throws(ImageCodecError) {
        switch status {
        case CJPEG_DONE: return
        case CJPEG_STOPPED: throw watch.verdict ?? .cancelled
        case CJPEG_OUT_OF_MEMORY: throw .tooMuchMemory(needed: limits.maxMemory, limit: limits.maxMemory)
        case CJPEG_UNSUPPORTED: throw .unsupportedFormat("JPEG: \(ErrorText.clean(message))")
        default: throw .damaged(ErrorText.clean(message))
        }
    }
}

extension PixelBuffer {
    fileprivate mutating func invert() {
        withUnsafeMutableBytes { bytes in
            for index in bytes.indices { bytes[index] = ~bytes[index] }
        }
    }
}
