internal import CJPEG
internal import Pixels

/// libjpeg at work on a file that still arrives.
///
/// Used by one thread at a time.
final class JPEGPasses {
    private let limits: DecodeLimits
    private let rows: JPEGRows
    private let message = JPEGMessage()
    private var passes: OpaquePointer?

    init(header: JPEGHeader, plan: DecodePlan, limits: DecodeLimits) throws(ImageCodecError) {
        self.limits = limits
        rows = try JPEGRows(header: header, plan: plan)
        var output = rows.output
        passes = cjpeg_passes_create(&output, UInt64(clamping: limits.maxMemory), message.text)
        guard passes != nil else { throw .tooMuchMemory(needed: limits.maxMemory, limit: limits.maxMemory) }
    }

    deinit {
        cjpeg_passes_destroy(passes)
    }

    var wholeScans: Int { passes.map { Int(cjpeg_passes_whole_scans($0)) } ?? 0 }

    /// Reads on with bytes that have come.
    func feed(_ bytes: [UInt8], watch: DecodeWatch) throws(ImageCodecError) {
        guard let passes, !bytes.isEmpty else { return }
        let status = bytes.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return CJPEG_DONE }
            return rows.watched(by: watch) { cjpeg_passes_feed(passes, start, buffer.count) }
        }
        if status != CJPEG_DONE { throw message.error(for: status, limits: limits, watch: watch) }
    }

    /// The picture of the scans that are there, upright and in sRGB.
    func draw(watch: DecodeWatch) throws(ImageCodecError) -> PixelBuffer {
        guard let passes else { throw .damaged("it has no whole scan") }
        return try rows.image(watch: watch) { () throws(ImageCodecError) in
            let status = rows.watched(by: watch) { cjpeg_passes_draw(passes) }
            if status != CJPEG_DONE { throw message.error(for: status, limits: limits, watch: watch) }
        }
    }
}
