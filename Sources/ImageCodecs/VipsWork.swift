internal import CVips
internal import Pixels

/// A piece of work with libvips, from begin to end on one thread, and what libvips said about it.
///
/// libvips collects the messages of all threads in one place, and keeps them: a picture that can be shown in spite of its
/// faults leaves some, too. So they are cleared before work begins, and believed only of work that was alone all the
/// time. In a helper process it always is.
struct VipsWork {
    private struct State {
        var active = 0
        var begun: UInt64 = 0
    }

    private static let state = Guarded(State())

    private let number: UInt64
    private let beganAlone: Bool

    init() throws(ImageCodecError) {
        try Vips.start()
        (number, beganAlone) = Self.state.withLock { state in
            if state.active == 0 { vips_error_clear() }
            state.active += 1
            state.begun += 1
            return (state.begun, state.active == 1)
        }
    }

    /// To be called at the end, after pictures are released.
    func end() {
        // Workers come and go; what libvips keeps for a thread must not stay behind.
        vips_thread_shutdown()
        Self.state.withLock { $0.active -= 1 }
    }

    /// What libvips has said about this work; nothing if it may have spoken about other work.
    private var messages: [Substring] {
        Self.state.withLock { state in
            guard beganAlone, state.begun == number else { return [] }
            return String(cString: vips_error_buffer()).split(separator: "\n")
        }
    }

    /// The error for a file of this kind that libvips would not read.
    ///
    /// Only a line that begins with the name of this kind's decoder says why; others come from what is behind it.
    func error(for format: ImageFormat) -> ImageCodecError {
        let names: [String] =
            switch format {
            case .png: ["pngload", "vipspng", "vips_foreign_load_png"]
            case .webp: ["webp"]
            case .gif: ["gifload"]
            case .tiff: ["tiff", "TIFF"]
            case .heif, .avif: ["heifload"]
            case .jxl: ["jxlload"]
            case .svg: ["svgload"]
            case .jpeg: []
            }
        let line = messages.first { line in names.contains { line.hasPrefix($0) } }
        guard let line else { return .damaged("its data cannot be decoded") }
        // libvips writes "name of the operation: what happened".
        let parts = line.split(separator: ":", maxSplits: 1)
        let text = ErrorText.clean((parts.count == 2 ? parts[1] : line).drop { $0 == " " })
        let isUnsupported = text.contains("nsupported") || text.contains("not configured")
        return isUnsupported ? .unsupportedFormat("\(format.rawValue.uppercased()): \(text)") : .damaged(text)
    }

    /// The error for a picture that libvips would not write.
    var encodingError: ImageCodecError {
        let line = messages.first { $0.contains("save") }
        return .encodingFailed(line.map { ErrorText.clean($0) } ?? "the encoder failed")
    }
}
