/// The time limit and the cancellation of one decode, asked between strips and scans.
///
/// Used by one thread at a time.
final class DecodeWatch {
    private var deadline: ContinuousClock.Instant
    private let isCancelled: @Sendable () -> Bool
    /// Why the work ends early.
    private(set) var verdict: ImageCodecError?

    init(timeLimit: Duration, isCancelled: @escaping @Sendable () -> Bool) {
        deadline = .now + timeLimit
        self.isCancelled = isCancelled
    }

    /// Does what is no decoding, whose time does not count.
    func excluding<Result>(_ body: () throws(ImageCodecError) -> Result) throws(ImageCodecError) -> Result {
        let start = ContinuousClock.now
        defer { deadline += .now - start }
        return try body()
    }

    /// Whether to stop; from then on `verdict` says why.
    func shouldStop() -> Bool {
        if verdict == nil {
            if isCancelled() {
                verdict = .cancelled
            } else if ContinuousClock.now >= deadline {
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
}
