/// The time limit and the cancellation of one decode, asked between strips and scans.
///
/// Used by one thread at a time.
final class DecodeWatch {
    private let deadline: ContinuousClock.Instant
    private let isCancelled: @Sendable () -> Bool
    /// Why the work ends early.
    private(set) var verdict: ImageCodecError?

    init(timeLimit: Duration, isCancelled: @escaping @Sendable () -> Bool) {
        deadline = .now + timeLimit
        self.isCancelled = isCancelled
    }

    /// What is left of the time limit.
    var remaining: Duration { deadline - .now }

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

    func check() throws(ImageCodecError) {
        if shouldStop(), let verdict { throw verdict }
    }
}
