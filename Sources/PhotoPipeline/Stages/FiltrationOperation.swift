import Dispatch
import Operations
import Pixels

/// Applies a filter, or a part of one, to a picture; depends on what makes the picture.
final class FiltrationOperation: Operation, @unchecked Sendable {
    // Safe to share: the mutable state is behind `outcome`'s lock, the rest never changes after init.
    private let filter: FilterChain
    private let takePicture: @Sendable () -> Result<ScaledPicture, PhotoError>?
    private let idleProcessors: @Sendable () -> Int
    private let report: @Sendable (Photo.Event, ScaledPicture?) -> Void
    private let outcome = Lock<Result<ScaledPicture, PhotoError>?>(nil)

    /// - Parameters:
    ///   - takePicture: What is to be filtered, or why there is nothing, which was reported before; nil if that was
    ///     cancelled.
    ///   - idleProcessors: How many no other photo needs at present; a large picture is filtered by all of them and this
    ///     operation's thread.
    ///   - report: Called at the beginning, and with the filtered picture.
    init(
        filter: FilterChain, takePicture: @escaping @Sendable () -> Result<ScaledPicture, PhotoError>?,
        idleProcessors: @escaping @Sendable () -> Int,
        report: @escaping @Sendable (Photo.Event, ScaledPicture?) -> Void
    ) {
        self.idleProcessors = idleProcessors
        self.filter = filter
        self.takePicture = takePicture
        self.report = report
        super.init()
        name = "Filter"
    }

    /// The filtered picture, or why there is none; nil before the operation has finished and when it was cancelled.
    ///
    /// - Parameter isTaking: Whether it is taken out of the operation, so that its memory is the taker's alone.
    func result(taking isTaking: Bool) -> Result<ScaledPicture, PhotoError>? {
        outcome.withLock { outcome in
            defer { if isTaking { outcome = nil } }
            return outcome
        }
    }

    override func main() {
        switch takePicture() {
        case nil: return
        case .failure(let error):
            fail(error)
            outcome.withLock { $0 = .failure(error) }
        case .success(var entry):
            report(.filteringStarted, nil)
            let isComplete = filter.apply(
                to: &entry.picture, scale: entry.scale, parallelism: parallelism, isCancelled: { isCancelled })
            guard isComplete, !isCancelled else { return }
            outcome.withLock { $0 = .success(entry) }
            report(.filteringFinished, entry)
        }
    }

    private var parallelism: RowParallelism {
        let idle = idleProcessors()
        guard idle > 0 else { return .none }
        return RowParallelism(width: idle + 1) { DispatchQueue.concurrentPerform(iterations: $0, execute: $1) }
    }
}
