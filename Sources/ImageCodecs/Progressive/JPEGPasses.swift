internal import CJPEG
internal import Pixels

/// libjpeg at work on a file that still arrives.
///
/// Used by one thread at a time.
final class JPEGPasses {
    private let decoder: JPEGDecoder
    private let size: PixelSize
    private let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CJPEG_MESSAGE_SIZE))
    private var passes: OpaquePointer?
    /// That of the call that is going on.
    private var watch: DecodeWatch?

    /// `size` is that of the result before the orientation.
    init(header: JPEGHeader, size: PixelSize, limits: DecodeLimits) throws(ImageCodecError) {
        self.size = size
        let idle = DecodeWatch(timeLimit: limits.timeLimit, isCancelled: { false })
        decoder = JPEGDecoder(header: header, limits: limits, watch: idle)
        message.initialize(repeating: 0, count: Int(CJPEG_MESSAGE_SIZE))
        try decoder.checkComponents()
        var request = cjpeg_passes_request(
            width: UInt32(header.size.width), height: UInt32(header.size.height), eighths: decoder.scale(for: size),
            out_width: UInt32(size.width), out_height: UInt32(size.height), keeps_inks: header.components == 4 ? 1 : 0,
            max_memory: UInt64(limits.maxMemory), max_scans: JPEGDecoder.maxScans,
            should_stop: { context in
                guard let context else { return 0 }
                let passes = Unmanaged<JPEGPasses>.fromOpaque(context).takeUnretainedValue()
                return passes.watch?.shouldStop() == true ? 1 : 0
            },
            context: Unmanaged.passUnretained(self).toOpaque())
        passes = cjpeg_passes_create(&request, message)
        guard passes != nil else { throw .tooMuchMemory(needed: limits.maxMemory, limit: limits.maxMemory) }
    }

    deinit {
        cjpeg_passes_destroy(passes)
        message.deallocate()
    }

    var wholeScans: Int { passes.map { Int(cjpeg_passes_whole_scans($0)) } ?? 0 }

    /// Reads on with bytes that have come.
    func feed(_ bytes: [UInt8], watch: DecodeWatch) throws(ImageCodecError) {
        guard let passes, !bytes.isEmpty else { return }
        self.watch = watch
        defer { self.watch = nil }
        let status = bytes.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { cjpeg_passes_feed(passes, $0, buffer.count) } ?? CJPEG_DONE
        }
        try check(status, watch)
    }

    /// The picture of the scans that are there, upright and in sRGB.
    func draw(watch: DecodeWatch) throws(ImageCodecError) -> PixelBuffer {
        guard let passes else { throw .damaged("it has no whole scan") }
        self.watch = watch
        defer { self.watch = nil }
        var buffer = try PixelBuffer(stored: size, orientation: decoder.header.orientation, isOpaque: true) {
            canvas throws(ImageCodecError) in
            try check(cjpeg_passes_draw(passes, canvas), watch)
        }
        return try JPEGDecoder(header: decoder.header, limits: decoder.limits, watch: watch).coloured(&buffer)
    }

    private func check(_ status: cjpeg_status, _ watch: DecodeWatch) throws(ImageCodecError) {
        guard status != CJPEG_DONE else { return }
        let text = (0..<Int(CJPEG_MESSAGE_SIZE)).map { message[$0] }
        try JPEGDecoder(header: decoder.header, limits: decoder.limits, watch: watch).check(status, text)
    }
}
