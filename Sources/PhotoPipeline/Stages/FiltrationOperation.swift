import Dispatch
public import Operations
public import Pixels

/// Applies a filter to the picture that a decoding made; depends on that decoding.
public final class FiltrationOperation: Operation, @unchecked Sendable {
    // Safe to share: the mutable state is behind `outcome`'s lock, the rest never changes after init.
    private let decode: DecodeOperation
    private let filter: FilterChain
    private let reporter: PhotoReporter
    private let idleProcessors: @Sendable () -> Int
    private let outcome = Lock<Result<PixelBuffer, PhotoError>?>(nil)

    /// - Parameter idleProcessors: How many no other photo needs at present; a large picture is filtered by all of them
    ///   and this operation's thread.
    init(
        decode: DecodeOperation, filter: FilterChain, reporter: PhotoReporter,
        idleProcessors: @escaping @Sendable () -> Int = { 0 }
    ) {
        self.idleProcessors = idleProcessors
        self.decode = decode
        self.filter = filter
        self.reporter = reporter
        super.init()
        name = "Filter"
    }

    /// Takes the filtered picture, or why there is none, out of the operation, so that its memory is the taker's alone.
    ///
    /// - Returns: nil before the operation has finished, when it was cancelled, and after the first taking.
    public func takeResult() -> Result<PixelBuffer, PhotoError>? {
        outcome.withLock { outcome in
            defer { outcome = nil }
            return outcome
        }
    }

    public override func main() {
        guard let decoded = decode.takeResult() else { return }
        switch decoded {
        case .failure(let error):
            outcome.withLock { $0 = .failure(error) }
        case .success(var picture):
            reporter.report(.filteringStarted)
            let isComplete = filter.apply(
                to: &picture, scale: decode.scale, parallelism: parallelism, isCancelled: { isCancelled })
            guard isComplete, !isCancelled else { return }
            reporter.report(.filteringFinished, picture: picture)
            outcome.withLock { $0 = .success(picture) }
        }
    }
    private var parallelism: RowParallelism {
        let idle = idleProcessors()
        guard idle > 0 else { return .none }
        return RowParallelism(width: idle + 1) { DispatchQueue.concurrentPerform(iterations: $0, execute: $1) }
    }
}
