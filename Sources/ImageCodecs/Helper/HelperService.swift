internal import CDecodeHelper
internal import CVips
internal import Glibc
internal import Pixels

/// What a helper process does: it answers one request after the other until the program closes the socket.
///
/// Called before `main`, in a process that was started for this.
@_cdecl("chelper_serve")
public func _serveDecoding(_ room: UInt32) {
    var service = HelperService()
    service.run(in: chelper_room(rawValue: room))
}

struct HelperService {
    private let socket = HelperSocket(descriptor: Int32(CHELPER_SOCKET))
    /// The animation of the last request, which the next one most likely goes on with.
    private var animation: (identity: UInt64, reader: FrameReader)?

    fileprivate mutating func run(in room: chelper_room) {
        guard (try? Vips.start()) != nil else { return }
        cvips_run_no_generated_code()
        cvips_say_nothing()
        PixelMemory.shared.keepNothing()
        WarmUp.run(in: room)
        let missing = chelper_confine(room)
        chelper_watch_program()
        guard reply(.ready, number: 0, values: (Int64(missing), chelper_memory_at_start(), 0)) else { return }
        var request = chelper_request()
        while socket.receive(&request, goesOn: { true }), request.magic == UInt32(CHELPER_MAGIC),
            let count = Int(exactly: request.byte_count), count >= 0, answer(request, byteCount: count)
        {}
    }

    private mutating func answer(_ request: chelper_request, byteCount: Int) -> Bool {
        if HelperTask(rawValue: request.task) == .cancel { return true }
        errno = 0
        // Which tells the program why, as where a decoder gets no memory.
        guard let file = malloc(max(1, byteCount)) else { abort() }
        defer { free(file) }
        guard socket.receive(UnsafeMutableRawBufferPointer(start: file, count: byteCount), goesOn: { true }) else {
            return false
        }
        do throws(ImageCodecError) {
            let reader = ByteReader(UnsafeRawBufferPointer(start: file, count: byteCount))
            return try answer(request, reader)
        } catch {
            let (status, values, text) = Self.cause(of: error, request).parts
            return reply(status, number: request.number, values: values, text: text)
        }
    }

    /// Whether a decoder got no memory on this thread since its file came. `malloc` says so by `errno`, which only another
    /// failure changes; what decoders say of it has no common form, and some say nothing.
    private static var lackedMemory: Bool { errno == ENOMEM }

    /// What a decoder met that calls a file damaged.
    private static func cause(of error: ImageCodecError, _ request: chelper_request) -> ImageCodecError {
        guard case .damaged = error, lackedMemory else { return error }
        return .tooMuchMemory(needed: Int(request.max_memory), limit: Int(request.max_memory))
    }

    private mutating func answer(_ request: chelper_request, _ reader: ByteReader) throws(ImageCodecError) -> Bool {
        let limits = DecodeLimits(
            maxPixels: Int(request.max_pixels), maxFrames: Int(request.max_frames),
            timeLimit: .milliseconds(request.time_limit_milliseconds), maxMemory: Int(request.max_memory),
            isolation: .nothing)
        let number = request.number
        let watch = DecodeWatch(timeLimit: limits.timeLimit, processor: .thisProcess) { chelper_is_cancelled() != 0 }
        let options = DecodeOptions(request.options)
        let task = HelperTask(rawValue: request.task)
        if task == .frame, reader.count == 0 {
            guard let animation, animation.identity == request.animation else {
                return reply(.unknownAnimation, number: number)
            }
            return try send(
                animation.reader.frame(Int(request.frame), watch: watch), of: animation.reader.info, number)
        }
        animation = nil
        let format = try ContentKind(sniffing: reader).format
        switch task {
        case .info:
            return reply(.info, number: number, info: try LocalDecoder.info(reader, format, limits: limits))
        case .decode:
            let image = try LocalDecoder.decode(
                reader, format, options, limits: limits, watch: watch)
            // A drawing goes on without what there was no memory for.
            if format == .svg, Self.lackedMemory { throw .damaged("it is not drawn whole") }
            return send(
                AnimationFrame(image: image.pixels, duration: .zero), of: image.info, number, damage: image.damage)
        case .frame:
            let frames = try FrameReader(reader, format, options, limits: limits)
            animation = (request.animation, frames)
            return try send(frames.frame(Int(request.frame), watch: watch), of: frames.info, number)
        case .cancel, nil:
            return false
        }
    }

    private func send(
        _ frame: AnimationFrame, of info: ImageInfo, _ number: UInt32, damage: String? = nil
    ) -> Bool {
        let picture = frame.image
        return reply(
            .image, number: number,
            values: (Int64(picture.size.width), Int64(picture.size.height), frame.duration.milliseconds),
            info: info, text: damage ?? "", isOpaque: picture.isOpaque)
            && picture.withUnsafeBytes { socket.send($0, goesOn: { true }) }
    }

    private func reply(
        _ status: HelperStatus, number: UInt32, values: (Int64, Int64, Int64) = (0, 0, 0), info: ImageInfo? = nil,
        text: String = "", isOpaque: Bool = false
    ) -> Bool {
        let words = Array(text.utf8.prefix(Int(CHELPER_TEXT_SIZE)))
        let message = chelper_reply(
            magic: UInt32(CHELPER_MAGIC), number: number, status: status.rawValue, is_opaque: isOpaque ? 1 : 0,
            values: values, width: Int64(info?.size.width ?? 0), height: Int64(info?.size.height ?? 0),
            frames: Int64(info?.frames ?? 0), text_bytes: UInt32(words.count))
        return socket.send(message, goesOn: { true }) && words.withUnsafeBytes { socket.send($0, goesOn: { true }) }
    }
}
