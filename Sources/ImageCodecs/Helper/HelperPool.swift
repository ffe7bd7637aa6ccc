internal import CDecodeHelper
internal import Dispatch
internal import Glibc
internal import Pixels

/// The helpers of this program: a few, kept while there is work for them.
///
/// `@unchecked Sendable`: the state is touched only with the mutex held.
final class HelperPool: @unchecked Sendable {
    /// Those of the whole program.
    static let shared = HelperPool(idleTime: .seconds(30))
    /// Whether the program can be its own helper.
    static let isPossible = chelper_is_in_program() != 0
    /// How often a caller that waits is asked whether it still wants to, in nanoseconds.
    private static let pause = 10_000_000

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let isFree = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let mostInUse = max(2, MachineProcessors.count)
    /// How many there may be in all before an animation is closed for another one: who shows several asks them in turn.
    private let most = max(8, MachineProcessors.count)
    /// After so long without work a helper is ended, whatever the others do.
    private let idleTime: Duration
    private var idle = IdleHelpers<HelperProcess, chelper_room>()
    private var inUse = 0
    private var hasTimer = false

    init(idleTime: Duration) {
        self.idleTime = idleTime
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(isFree, nil)
    }

    deinit {
        pthread_cond_destroy(isFree)
        pthread_mutex_destroy(mutex)
        isFree.deallocate()
        mutex.deallocate()
    }

    /// Whether files of a kind go to a helper whatever is in them.
    static func isWanted(for format: ImageFormat, _ limits: DecodeLimits) -> Bool {
        guard isPossible else { return false }
        return switch limits.isolation {
        case .nothing: false
        case .standard: format != .jpeg
        case .everything: true
        }
    }

    /// Whether a file goes to a helper although its header was read here.
    static func isWanted(for opened: LocalDecoder.Opened, _ limits: DecodeLimits) -> Bool {
        opened.jpeg.map { isWanted(for: $0.header, limits) } ?? isWanted(for: opened.format, limits)
    }

    static func isWanted(for jpeg: JPEGHeader, _ limits: DecodeLimits) -> Bool {
        isPossible && limits.isolation != .nothing && !jpeg.isPlain
    }

    func info(
        _ file: ByteReader, _ format: ImageFormat, limits: DecodeLimits, watch: DecodeWatch
    ) throws(ImageCodecError) -> ImageInfo {
        let answer = try withHelper(for: format, watch) { helper throws(ImageCodecError) in
            try helper.ask(.info, file, DecodeOptions(), limits: limits, watch: watch)
        }
        guard case .info(let size, let frames) = answer else { throw .damaged("its header cannot be read") }
        return ImageInfo(format: format, size: size, frames: frames)
    }

    func decode(
        _ file: ByteReader, _ format: ImageFormat, _ options: DecodeOptions, limits: DecodeLimits, watch: DecodeWatch
    ) throws(ImageCodecError) -> DecodedImage {
        let answer = try withHelper(for: format, watch) { helper throws(ImageCodecError) in
            try helper.ask(.decode, file, options, limits: limits, watch: watch)
        }
        guard case .image(let frame, let size, let frames, let damage) = answer else {
            throw .damaged("its decoder failed")
        }
        return DecodedImage(
            pixels: frame.image, info: ImageInfo(format: format, size: size, frames: frames), damage: damage)
    }

    func frame(
        _ index: Int, of animation: UInt64, _ file: ByteReader, _ options: DecodeOptions, limits: DecodeLimits,
        watch: DecodeWatch
    ) throws(ImageCodecError) -> AnimationFrame {
        // The kinds that move are pictures of pixels.
        let answer = try withHelper(for: .gif, having: animation, watch) { helper throws(ImageCodecError) in
            if helper.animation == animation {
                let nothing = ByteReader(UnsafeRawBufferPointer(start: nil, count: 0))
                let kept = try helper.ask(
                    .frame, nothing, options, limits: limits, watch: watch, frame: index, of: animation)
                guard case .unknownAnimation = kept else { return kept }
            }
            return try helper.ask(
                .frame, file, options, limits: limits, watch: watch, frame: index, of: animation)
        }
        guard case .image(let frame, _, _, _) = answer else { throw .damaged("its decoder failed") }
        return frame
    }

    /// Has a helper do something, and a fresh one if the first one dies of it: the system may have ended that for want of
    /// memory, at whatever picture it was. The time limit is for both together.
    private func withHelper<Answer>(
        for format: ImageFormat, having animation: UInt64? = nil, _ watch: DecodeWatch,
        _ body: (HelperProcess) throws(ImageCodecError) -> Answer
    ) throws(ImageCodecError) -> Answer {
        let room = format == .svg ? CHELPER_DRAWINGS : CHELPER_PICTURES
        var helper = try watch.excluding { () throws(ImageCodecError) in try take(in: room, having: animation, watch) }
        defer { giveBack(&helper) }
        let first: HelperProcess
        if let kept = helper { first = kept } else { first = try Self.start(in: room, watch) }
        helper = first
        do throws(ImageCodecError) {
            return try body(first)
        } catch {
            guard first.hasDied else { throw error }
        }
        helper = nil
        let second = try Self.start(in: room, watch)
        helper = second
        return try body(second)
    }

    /// A fresh helper; a second one if the first one ends while it starts, which the system may do to it, too.
    private static func start(in room: chelper_room, _ watch: DecodeWatch) throws(ImageCodecError) -> HelperProcess {
        try watch.excluding { () throws(ImageCodecError) in
            for _ in 1...2 {
                if let helper = try HelperProcess(in: room, watch: watch) { return helper }
            }
            throw HelperProcess.doesNotStart
        }
    }

    /// Waits for a turn; gives a helper that is there, nil if one has to be started.
    private func take(
        in room: chelper_room, having animation: UInt64?, _ watch: DecodeWatch
    ) throws(ImageCodecError) -> HelperProcess? {
        // They end here without the mutex.
        var dead: [HelperProcess] = []
        defer { dead.removeAll() }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while inUse >= mostInUse {
            if watch.wasCancelled() { throw .cancelled }
            var until = timespec()
            clock_gettime(CLOCK_REALTIME, &until)
            until.tv_nsec += Self.pause
            if until.tv_nsec >= 1_000_000_000 {
                until.tv_sec += 1
                until.tv_nsec -= 1_000_000_000
            }
            pthread_cond_timedwait(isFree, mutex, &until)
        }
        let most = most - inUse
        inUse += 1
        // One that died without work, for want of memory perhaps, is no fault of the next picture.
        while let kept = idle.take(in: room, for: animation, most: most) {
            if kept.isAlive { return kept }
            dead.append(kept)
        }
        return nil
    }

    /// A helper that is not kept ends here, without the mutex.
    private func giveBack(_ helper: inout HelperProcess?) {
        pthread_mutex_lock(mutex)
        inUse -= 1
        if let kept = helper, kept.isUsable {
            idle.put(kept, in: kept.room, having: kept.animation, at: .now)
            helper = nil
            setTimer()
        }
        pthread_cond_signal(isFree)
        pthread_mutex_unlock(mutex)
        helper = nil
    }

    /// Looks again when the first one will have waited for long enough. With the mutex held.
    private func setTimer() {
        guard !hasTimer, let oldest = idle.oldest else { return }
        hasTimer = true
        let wait = max(.zero, oldest + idleTime - .now)
        DispatchQueue.global(qos: .utility).asyncAfter(
            deadline: .now() + .milliseconds(Int(wait.milliseconds) + 1)
        ) { [self] in
            trim()
        }
    }

    /// Ends those that nobody has needed for long, and collects those that have ended by themselves.
    private func trim() {
        pthread_mutex_lock(mutex)
        hasTimer = false
        var ending = idle.removeAll(since: .now - idleTime) { !$0.isAlive }
        setTimer()
        pthread_mutex_unlock(mutex)
        ending.removeAll()
    }
}
