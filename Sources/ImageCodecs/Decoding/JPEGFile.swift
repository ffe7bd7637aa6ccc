internal import CJPEG
internal import Pixels

/// A JPEG in memory that libjpeg has opened, whose header is read and whose pixels can be, once.
///
/// Used by one thread at a time, and not beyond the bytes' life.
final class JPEGFile {
    let header: JPEGHeader
    private let reader: OpaquePointer
    private let message: JPEGMessage

    /// Reads the header; nil if these bytes are the beginning of a file and the header goes on.
    init?(_ bytes: ByteReader, isPartial: Bool = false, limits: DecodeLimits) throws(ImageCodecError) {
        let message = JPEGMessage()
        guard let data = bytes.bytes.baseAddress else { throw .empty }
        guard
            let reader = cjpeg_reader_create(
                data.assumingMemoryBound(to: UInt8.self), bytes.count, UInt64(clamping: limits.maxMemory), message.text)
        else { throw .tooMuchMemory(needed: limits.maxMemory, limit: limits.maxMemory) }
        var header = cjpeg_header()
        let status = cjpeg_reader_header(reader, isPartial ? 1 : 0, &header)
        guard status == CJPEG_DONE else {
            cjpeg_reader_destroy(reader)
            if status == CJPEG_NEEDS_MORE { return nil }
            throw message.error(for: status, limits: limits, watch: nil)
        }
        self.header = JPEGHeader(header)
        self.reader = reader
        self.message = message
    }

    deinit {
        cjpeg_reader_destroy(reader)
    }

    /// Reads the pixels into what takes them.
    ///
    /// - Parameter tolerates: Whether to go on after data that spoils pixels.
    /// - Returns: What was tolerated; nil for sound data.
    func read(
        _ rows: JPEGRows, tolerates: Bool, limits: DecodeLimits, watch: DecodeWatch
    ) throws(ImageCodecError) -> String? {
        var output = rows.output
        output.tolerates_damage = tolerates ? 1 : 0
        let status = rows.watched(by: watch) { cjpeg_reader_decode(reader, &output) }
        if status != CJPEG_DONE { throw message.error(for: status, limits: limits, watch: watch) }
        return cjpeg_reader_damage(reader).map { ErrorText.clean(String(cString: $0)) }
    }
}

/// Where libjpeg writes what is wrong.
final class JPEGMessage {
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CJPEG_MESSAGE_SIZE))

    init() {
        text.initialize(repeating: 0, count: Int(CJPEG_MESSAGE_SIZE))
    }

    deinit {
        text.deallocate()
    }

    /// What a status means that is not CJPEG_DONE.
    func error(for status: cjpeg_status, limits: DecodeLimits, watch: DecodeWatch?) -> ImageCodecError {
        let words = ErrorText.clean(String(cString: text))
        return switch status {
        case CJPEG_STOPPED: watch?.verdict ?? .cancelled
        case CJPEG_OUT_OF_MEMORY: .tooMuchMemory(needed: limits.maxMemory, limit: limits.maxMemory)
        case CJPEG_UNSUPPORTED: .unsupportedFormat("JPEG: \(words)")
        default: .damaged(words)
        }
    }
}
