/// A place in a queue's width, for a closure that runs in somebody else's task.
final class SlotOperation: AsyncOperation, @unchecked Sendable {
    private enum Grant {
        case idle
        /// `settle` hands it out once. A checked one is larger, and copying it takes calls.
        case awaited(UnsafeContinuation<Void, any Error>)
        case granted
        case refused
    }

    /// Under the operation's mutex.
    private var grant = Grant.idle

    override init() {
        super.init()
        beginsAtOnce()
    }

    /// Adds the operation to a queue.
    /// - Returns: Whether that has started it at once.
    func takePlaceAtOnce(in queue: OperationQueue) throws(CancellationError) -> Bool {
        // Cancelled before: then the queue need not know of it.
        try checkCancellation()
        queue.addOperation(self)
        guard isGranted else { return false }
        try checkCancellation()
        return true
    }

    /// Waits until the queue that it was added to starts it.
    ///
    /// Throws as soon as the operation is cancelled, even if the queue is suspended or full.
    func waitForPlace(in queue: OperationQueue, isolation: isolated (any Actor)?) async throws {
        if let driver = queue.core.driver { await driver.drive { [weak self] in self?.isSettled ?? true } }
        if !isGranted { try await waitForGrant(isolation: isolation) }
        // Cancelled between the start and the task's turn.
        try checkCancellation()
    }

    private func checkCancellation() throws(CancellationError) {
        if state.isCancelled { throw CancellationError() }
    }

    /// The wait is over.
    private var isSettled: Bool {
        locked {
            switch grant {
            case .granted, .refused: true
            case .idle, .awaited: false
            }
        }
    }

    private var isGranted: Bool {
        locked { if case .granted = grant { true } else { false } }
    }

    private func waitForGrant(isolation: isolated (any Actor)?) async throws {
        try await withUnsafeThrowingContinuation(isolation: isolation) { continuation in
            let settled: Result<Void, any Error>? = locked {
                switch grant {
                case .granted: return .success(())
                case .refused: return .failure(CancellationError())
                case .idle, .awaited:
                    grant = .awaited(continuation)
                    return nil
                }
            }
            if let settled { continuation.resume(with: settled) }
        }
    }

    override func execute() {
        settle(.granted, .success(()))
        if !isGranted { finish() }
    }

    override func cancel() {
        super.cancel()
        if state.isCancelled { settle(.refused, .failure(CancellationError())) }
    }

    override func discardWork() {
        settle(.refused, .failure(failure ?? CancellationError()))
        super.discardWork()
    }

    /// Decides once what comes of the wait, and tells whoever waits for that.
    private func settle(_ decision: Grant, _ result: Result<Void, any Error>) {
        let waiting: UnsafeContinuation<Void, any Error>? = locked {
            switch grant {
            case .idle:
                grant = decision
                return nil
            case .awaited(let continuation):
                grant = decision
                return continuation
            case .granted, .refused: return nil
            }
        }
        if let waiting { Niceness.onOrdinaryThread { waiting.resume(with: result) } }
    }
}
