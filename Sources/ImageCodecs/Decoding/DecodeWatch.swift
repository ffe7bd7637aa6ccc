/// The time limit and the cancellation of one decode, asked between strips and scans.
///
/// The limit is for what the decoder computes: on a machine that is busy with other work, a good picture is no slow one. What
/// waits without computing is ended, too, after ``patience`` times the limit by the clock.
///
/// Used by one thread at a time.
final class DecodeWatch {
    /// How often the limit may pass by the clock while less than it was computed.
    static let patience = 5

    private let timeLimit: Duration
    private var start = ContinuousClock.now
    /// That of the thread or process which decodes now.
    private var processor: ProcessorClock
    private var processorStart: Duration?
    /// When `processor` began to count.
    private var processorSince: ContinuousClock.Instant
    /// What those before `processor` had computed.
    private var computedBefore = Duration.zero
    private let isCancelled: @Sendable () -> Bool
    /// Why the work ends early.
    private(set) var verdict: ImageCodecError?

    /// - Parameter processor: Counts what is computed; by default, that of the calling thread.
    init(
        timeLimit: Duration, processor: ProcessorClock = .thisThread, isCancelled: @escaping @Sendable () -> Bool
    ) {
        self.timeLimit = timeLimit
        self.processor = processor
        self.isCancelled = isCancelled
        processorStart = processor.now
        processorSince = start
    }

    /// Another process decodes from here on.
    func follow(_ processor: ProcessorClock) {
        computedBefore += computedByNow
        self.processor = processor
        processorStart = processor.now
        processorSince = .now
    }

    /// Does what is no decoding, whose time does not count.
    func excluding<Result>(_ body: () throws(ImageCodecError) -> Result) throws(ImageCodecError) -> Result {
        let began = ContinuousClock.now
        defer { start += .now - began }
        return try body()
    }

    /// Whether to stop; from then on `verdict` says why.
    func shouldStop() -> Bool {
        if verdict == nil {
            if isCancelled() {
                verdict = .cancelled
            } else if isOver {
                verdict = .timeout
            }
        }
        return verdict != nil
    }

    /// Whether the caller no longer wants the picture, whatever the time.
    func wasCancelled() -> Bool {
        if verdict == nil, isCancelled() { verdict = .cancelled }
        return verdict == .cancelled
    }

    func check() throws(ImageCodecError) {
        if shouldStop(), let verdict { throw verdict }
    }

    /// The system is asked for the time of a processor only once the limit has passed by the clock.
    private var isOver: Bool {
        let elapsed = ContinuousClock.now - start
        guard elapsed >= timeLimit else { return false }
        return computedBefore + computedByNow >= timeLimit || elapsed >= timeLimit * Self.patience
    }

    /// By the clock where the system does not tell, as of a process that is gone.
    private var computedByNow: Duration {
        if let processorStart, let now = processor.now { return now - processorStart }
        return .now - processorSince
    }
}
