internal import Glibc
internal import Pixels
internal import Synchronization

/// A decode that nothing can interrupt, on a thread of its own that is left behind if it takes too long.
///
/// librsvg draws some files of a few hundred bytes for minutes. The thread that waits gets its answer in time; the one
/// that draws goes on until it is done, so their number is bounded.
///
/// `@unchecked Sendable`: `outcome` is touched only with the mutex held.
final class DetachedDecode: @unchecked Sendable {
    typealias Outcome = Result<PixelBuffer, ImageCodecError>

    private static let mostLeftBehind = 4
    private static let leftBehind = Atomic<Int>(0)
    /// How often the caller's cancellation is asked for while waiting.
    private static let pause = 10_000_000

    private let work: @Sendable () -> Outcome
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let isDone = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var outcome: Outcome?
    private var isLeftBehind = false

    private init(work: @escaping @Sendable () -> Outcome) {
        self.work = work
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(isDone, nil)
    }

    deinit {
        pthread_cond_destroy(isDone)
        pthread_mutex_destroy(mutex)
        isDone.deallocate()
        mutex.deallocate()
    }

    /// Runs `body` with a watch of its own and waits for it, or until `watch` says stop.
    static func run(
        watch: DecodeWatch, _ body: @escaping @Sendable (DecodeWatch) throws(ImageCodecError) -> PixelBuffer
    ) throws(ImageCodecError) -> PixelBuffer {
        guard leftBehind.load(ordering: .relaxed) < mostLeftBehind else { throw .timeout }
        let stop = StopFlag()
        let remaining = watch.remaining
        let decode = DetachedDecode {
            do throws(ImageCodecError) {
                let inner = DecodeWatch(timeLimit: remaining) { stop.isSet.load(ordering: .relaxed) }
                return .success(try body(inner))
            } catch {
                return .failure(error)
            }
        }
        // Without a thread to spare the work is done here, and only the limits on size hold.
        let outcome = decode.start() ? decode.wait(watch) : decode.work()
        stop.isSet.store(true, ordering: .relaxed)
        return try outcome.get()
    }

    private func start() -> Bool {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        let status = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let decode = Unmanaged<DetachedDecode>.fromOpaque(context).takeRetainedValue()
                decode.finish(decode.work())
                return nil
            }, context.toOpaque())
        guard status == 0 else {
            context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    private func finish(_ outcome: Outcome) {
        pthread_mutex_lock(mutex)
        self.outcome = outcome
        if isLeftBehind { Self.leftBehind.subtract(1, ordering: .relaxed) }
        pthread_cond_signal(isDone)
        pthread_mutex_unlock(mutex)
    }

    private func wait(_ watch: DecodeWatch) -> Outcome {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while outcome == nil, !watch.shouldStop() {
            var until = timespec()
            clock_gettime(CLOCK_REALTIME, &until)
            until.tv_nsec += Self.pause
            if until.tv_nsec >= 1_000_000_000 {
                until.tv_sec += 1
                until.tv_nsec -= 1_000_000_000
            }
            pthread_cond_timedwait(isDone, mutex, &until)
        }
        if let outcome { return outcome }
        isLeftBehind = true
        Self.leftBehind.add(1, ordering: .relaxed)
        return .failure(watch.verdict ?? .timeout)
    }
}

/// Tells the thread that was left behind to stop at the next chance.
private final class StopFlag: Sendable {
    let isSet = Atomic<Bool>(false)
}
