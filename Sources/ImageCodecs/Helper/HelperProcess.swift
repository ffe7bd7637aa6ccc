internal import CDecodeHelper
internal import Glibc
internal import Pixels

/// A process that decodes pictures, one after the other, and that nothing is believed.
///
/// `@unchecked Sendable`: used by one thread at a time, the one that took it from the pool, or that ends it.
final class HelperProcess: @unchecked Sendable {
    enum Answer {
        /// The full size and the number of frames.
        case info(PixelSize, frames: Int)
        /// The pixels, the same, and what was tolerated.
        case image(AnimationFrame, of: PixelSize, frames: Int, damage: String?)
        /// The file is needed.
        case unknownAnimation
    }

    /// What it can decode.
    let room: chelper_room
    private let pid: pid_t
    private let handle: Int32
    private let socket: HelperSocket
    /// The bytes of data that it had before its first file.
    private var memoryAtStart: Int64 = 0
    private var number: UInt32 = 0
    /// Whether it can be asked again. False after a fault, and after enough pictures that what decoders leak over
    /// time stays little.
    private(set) var isUsable = true

    /// The animation that it has open, as far as is known: that of its last request.
    private(set) var animation: UInt64?

    /// Whether it ended at work although nobody told it to.
    private(set) var hasDied = false

    private static let mostRequests = 500
    /// What a decoder may take on top of what its header lets expect: fonts, tables, what the heap leaves unused.
    private static let reserve = 128 << 20
    /// Loading libraries takes long only on a machine that has stalled.
    private static let startLimit = Duration.seconds(30)
    /// For a decoder that can be interrupted to notice that it is.
    private static let grace = Duration.milliseconds(150)

    /// Starts a helper and waits until it is ready; nil if it ended before it was.
    init?(in room: chelper_room, watch: DecodeWatch) throws(ImageCodecError) {
        var ends: [Int32] = [-1, -1]
        var pid: pid_t = 0
        var handle: Int32 = -1
        var status = chelper_socket_pair(&ends)
        if status == 0 {
            status = chelper_spawn(ends[1], room, &pid, &handle)
            close(ends[1])
            if status != 0 { close(ends[0]) }
        }
        guard status == 0 else { throw Self.noHelper(String(cString: strerror(status))) }
        self.room = room
        self.pid = pid
        self.handle = handle
        socket = HelperSocket(descriptor: ends[0])
        let deadline = ContinuousClock.now + Self.startLimit
        let first = receive { !watch.wasCancelled() && .now < deadline }
        if let first, first.status == .ready {
            HelperConfinement.note(missing: UInt32(truncatingIfNeeded: first.values.0))
            memoryAtStart = first.values.1
            return
        }
        isUsable = false
        if let verdict = watch.verdict { throw verdict }
        if !isAlive { return nil }
        throw Self.doesNotStart
    }

    deinit {
        close(socket.descriptor)
        chelper_end(pid, handle)
    }

    /// Whether it still holds its end of the connection; asked between requests.
    var isAlive: Bool { !socket.isClosedByPeer }

    private var processorClock: ProcessorClock {
        var identifier: clockid_t = 0
        // One that has ended is counted by the clock.
        return clock_getcpuclockid(pid, &identifier) == 0 ? ProcessorClock(identifier) : .unknown
    }

    static let doesNotStart = noHelper("it does not start")

    private static func noHelper(_ why: String) -> ImageCodecError {
        .unsupportedFormat("the helper process that decodes them cannot be started (\(why))")
    }

    /// Has a file decoded.
    ///
    /// - Throws: what the helper found; `tooMuchMemory` if it crashed for want of memory, and `damaged` if for another reason;
    ///   `decoderKilled`; the watch's verdict.
    func ask(
        _ task: HelperTask, _ file: ByteReader, _ options: DecodeOptions, limits: DecodeLimits, watch: DecodeWatch,
        frame: Int = 0, of animation: UInt64 = 0
    ) throws(ImageCodecError) -> Answer {
        number &+= 1
        let request = chelper_request(
            magic: UInt32(CHELPER_MAGIC), number: number, task: task.rawValue, frame: Int32(clamping: frame),
            animation: animation, byte_count: Int64(file.count),
            options: options.message, max_pixels: Int64(limits.maxPixels),
            max_frames: Int64(limits.maxFrames), max_memory: Int64(limits.maxMemory),
            time_limit_milliseconds: limits.timeLimit.milliseconds)
        // From outside, before the file is there: a decoder that was taken over lifts no limit of its own. If
        // it blocks the signal for the end of its time, the watch ends it.
        let memory = limits.maxMemory.saturatingSum(file.count).saturatingSum(Self.reserve)
        // Some decoders have threads of their own, which compute at the same time.
        let seconds = 4 * (limits.timeLimit.milliseconds / 1_000 + 1)
        if chelper_limit(pid, memoryAtStart, Int64(min(memory, .max / 2)), seconds) != 0 {
            HelperConfinement.note(missing: UInt32(CHELPER_NO_MEMORY_LIMIT))
        }
        watch.follow(processorClock)
        // Until the last byte has come the connection is in no state to be used again.
        isUsable = false
        var patience = Patience(watch: watch, socket: socket, number: number)
        guard socket.send(request, goesOn: { patience.goesOn() }),
            socket.send(file.bytes, goesOn: { patience.goesOn() })
        else { throw interruption(watch, limits) }
        patience.requestWasSent()
        guard let reply = receive(goesOn: { patience.goesOn() }) else { throw interruption(watch, limits) }
        let answer = try read(reply, task, options, limits, &patience)
        self.animation = task == .frame ? animation : nil
        isUsable = number < Self.mostRequests && !patience.isOutOfStep
        if let verdict = watch.verdict { throw verdict }
        return try answer.get()
    }

    private static let crash = ImageCodecError.damaged("its decoder failed")

    /// Why there is no whole answer.
    private func interruption(_ watch: DecodeWatch, _ limits: DecodeLimits) -> ImageCodecError {
        if let verdict = watch.verdict { return verdict }
        guard !isAlive else { return Self.crash }
        switch chelper_ending(pid) {
        case CHELPER_OUT_OF_TIME: return .timeout
        case CHELPER_OUT_OF_MEMORY:
            // Files before this one may have left it less than it may have.
            hasDied = number > 1
            return .tooMuchMemory(needed: limits.maxMemory, limit: limits.maxMemory)
        // One that somebody else has collected may have crashed. Who takes a sound picture for a damaged one may delete it.
        case CHELPER_KILLED, CHELPER_UNKNOWN:
            hasDied = true
            return .decoderKilled
        default:
            hasDied = true
            return Self.crash
        }
    }

    /// - Throws: if the reply or what follows it cannot be true.
    private func read(
        _ reply: Reply, _ task: HelperTask, _ options: DecodeOptions, _ limits: DecodeLimits, _ patience: inout Patience
    ) throws(ImageCodecError) -> Result<Answer, ImageCodecError> {
        guard reply.number == number else { throw Self.crash }
        if let error = ImageCodecError(reply.status, reply.values, reply.text) {
            // Only this side knows what is wanted.
            return .failure(error == .cancelled ? Self.crash : error)
        }
        if reply.status == .unknownAnimation, task == .frame { return .success(.unknownAnimation) }
        let size = PixelSize(
            width: Int(clamping: reply.values.0), height: Int(clamping: reply.values.1))
        let full = PixelSize(width: Int(clamping: reply.full.width), height: Int(clamping: reply.full.height))
        let frames = Int(clamping: reply.full.frames)
        guard !full.isEmpty, frames > 0 else { throw Self.crash }
        switch (reply.status, task) {
        case (.info, .info):
            return .success(.info(full, frames: frames))
        case (.image, .decode), (.image, .frame):
            guard !size.isEmpty, options.canGive(size),
                saturatingProduct(size.width, size.height) <= limits.maxPixels,
                saturatingProduct(size.width, size.height, 4) <= limits.maxMemory
            else { throw Self.crash }
            var isWhole = false
            let image = PixelBuffer(allocating: size, isOpaque: reply.isOpaque) { pixels in
                isWhole = socket.receive(pixels, goesOn: { patience.goesOn() })
            }
            guard let image else {
                let needed = saturatingProduct(size.width, size.height, 4)
                throw .tooMuchMemory(needed: needed, limit: needed)
            }
            guard isWhole else { throw interruption(patience.watch, limits) }
            let duration = min(max(0, reply.values.2), Int64(Int32.max))
            return .success(
                .image(
                    AnimationFrame(image: image, duration: .milliseconds(duration)), of: full, frames: frames,
                    damage: reply.text.isEmpty ? nil : reply.text))
        default:
            throw Self.crash
        }
    }

    private struct Reply {
        var status: HelperStatus
        var number: UInt32
        var values: (Int64, Int64, Int64)
        var full: (width: Int64, height: Int64, frames: Int64)
        var isOpaque: Bool
        var text: String
    }

    private func receive(goesOn: () -> Bool) -> Reply? {
        var message = chelper_reply()
        guard socket.receive(&message, goesOn: goesOn), message.magic == UInt32(CHELPER_MAGIC),
            let status = HelperStatus(rawValue: message.status), message.text_bytes <= UInt32(CHELPER_TEXT_SIZE)
        else { return nil }
        var words = [UInt8](repeating: 0, count: Int(message.text_bytes))
        guard words.withUnsafeMutableBytes({ socket.receive($0, goesOn: goesOn) }) else { return nil }
        return Reply(
            status: status, number: message.number, values: message.values,
            full: (message.width, message.height, message.frames), isOpaque: message.is_opaque != 0,
            text: ErrorText.clean(String(decoding: words, as: UTF8.self)))
    }

    /// How long an answer is waited for: until the watch says stop, and then as long as a decoder needs that listens.
    private struct Patience {
        let watch: DecodeWatch
        private let socket: HelperSocket
        private let number: UInt32
        private var end: ContinuousClock.Instant?
        /// Before that, a message would be taken for a part of the file.
        private var canCancel = false
        /// Whether a message may have been sent in part.
        private(set) var isOutOfStep = false

        init(watch: DecodeWatch, socket: HelperSocket, number: UInt32) {
            self.watch = watch
            self.socket = socket
            self.number = number
        }

        mutating func requestWasSent() {
            canCancel = true
            if end != nil { cancel() }
        }

        mutating func goesOn() -> Bool {
            if let end { return .now < end }
            if watch.shouldStop() {
                if canCancel { cancel() }
                end = .now + HelperProcess.grace
            }
            return true
        }

        private mutating func cancel() {
            var message = chelper_request()
            message.magic = UInt32(CHELPER_MAGIC)
            message.number = number
            message.task = HelperTask.cancel.rawValue
            // A helper that has its request reads nothing else, so there is room for this.
            isOutOfStep = !socket.send(message, goesOn: { false })
        }
    }
}

extension Duration {
    /// Whole milliseconds, from 0 to some years.
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return min(max(0, seconds), 1_000_000_000) * 1_000 + attoseconds / 1_000_000_000_000_000
    }
}
