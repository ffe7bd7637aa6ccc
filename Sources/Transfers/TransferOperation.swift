public import OperationsCore
import Synchronization

/// What downloads and uploads have in common: attempts, with waits in between, until one succeeds.
///
/// The operation itself uses no thread while a transfer runs or a wait lasts. While it waits, for its turn or before
/// another attempt, it has no place among its client's transfers. Its place in its queue it keeps: it is the client that
/// sees to it how many transfers run at once, so that such a queue need not be narrow. Its `queuePriority` is also how urgent
/// the transfer is for the client. Cancelling it aborts the transfer and closes its connection, or ends the wait, at once. It
/// finishes, as do its completion block and what depends on it, from one of the client's threads; keep heavy work off it.
/// `error` is set when the transfer failed, and not when it was cancelled.
///
/// The state is behind a lock, which makes `@unchecked Sendable` true.
public class TransferOperation<Response: Sendable>: AsyncOperation, @unchecked Sendable {
    /// One attempt under way.
    enum Work {
        case transfer(Transfer, TransferLoop)
        case reading(FileReading, FileReader)
    }

    private struct State {
        var work: Work?
        var isCancelled = false
        var schedule: RetrySchedule
        var result: Result<Response, TransferError>?
        var isTaken = false
        var receivedByteCount = 0
        var retryAfter: Duration?
        var metrics: TransferMetrics?
        var partial: PartialBody?
        var exchange: CacheExchange.Answer?
        var nextAttempt: DueAttempt?
        var observers: [any BodyObserver] = []
    }

    let client: TransferClient
    private let state: Lock<State>

    init(client: TransferClient, retry: RetryPolicy, longestRetryAfter: Duration, earlierAttempts: Int = 0) {
        self.client = client
        state = Lock(
            State(
                schedule: RetrySchedule(
                    policy: retry, longestRetryAfter: longestRetryAfter, earlier: earlierAttempts)))
        super.init()
    }

    /// What came of it: nil until the operation has finished, `.failure(.cancelled)` after a cancel, and nil again when
    /// it was taken.
    public final var result: Result<Response, TransferError>? {
        if let result = state.withLock({ $0.result }) { return result }
        // Cancelled before it was started, so that nothing was ever executed.
        return isFinished && !state.withLock({ $0.isTaken }) ? .failure(.cancelled) : nil
    }

    /// The bytes of the answers' bodies that came in all attempts, as they came over the wire, before decompression;
    /// final when the operation has finished, also when it failed.
    public final var receivedByteCount: Int { state.withLock { $0.receivedByteCount } }

    /// How much of the body is there while a transfer runs, in bytes after decompression and from the body's beginning
    /// on, also where a part was there before; 0 while nothing is on its way.
    public final var receivedSoFar: Int {
        guard case .transfer(let transfer, _) = state.withLock({ $0.work }) else { return 0 }
        return transfer.receivedSoFar.load(ordering: .relaxed)
    }

    /// How much of a body that is sent has been handed to the connection, in bytes; 0 while nothing is on its way.
    final var sentSoFar: Int {
        guard case .transfer(let transfer, _) = state.withLock({ $0.work }) else { return 0 }
        return transfer.plan.upload?.sent.load(ordering: .relaxed) ?? 0
    }

    /// Takes the result out of the operation, so that the body's memory is the taker's alone.
    ///
    /// - Returns: nil until the operation has finished, and after the first taking.
    public final func takeResult() -> Result<Response, TransferError>? {
        guard let result else { return nil }
        state.withLock { state in
            state.result = nil
            state.isTaken = true
        }
        return result
    }

    /// What the last attempt took, also where it failed; nil before the first one has ended.
    public final var metrics: TransferMetrics? { state.withLock { $0.metrics } }

    /// How the attempts failed so far, in order; the last one is the operation's error, unless one succeeded.
    public final var failedAttempts: [TransferError] { state.withLock { $0.schedule.failures } }

    /// After ``TransferError/http(status:)`` and ``TransferError/retryLater(status:after:)``, how long the server asked to wait (`Retry-After`), if it did.
    public final var retryAfter: Duration? { state.withLock { $0.retryAfter } }

    /// After a failure, when another attempt is due that is left to whoever has asked; nil where there is none.
    package final var nextAttempt: DueAttempt? { state.withLock { $0.nextAttempt } }

    /// Lets a transfer that its ``TransferFlow`` held back ask for room again.
    ///
    /// Callable from any thread, also from within `mayReceive(upTo:)`; without effect on a transfer that is not held
    /// back.
    public final func resumeTransfer() {
        switch state.withLock({ $0.work }) {
        case .transfer(let transfer, let loop): loop.resume(transfer)
        case .reading(let reading, let reader): reader.submit(reading)
        case nil: break
        }
    }

    /// Begins the transfer and returns.
    public final override func execute() { attempt(after: .zero) }

    /// How urgent it is, in its queue and for its client.
    public final override var queuePriority: QueuePriority {
        get { super.queuePriority }
        set {
            super.queuePriority = newValue
            if case .transfer(let transfer, let loop) = state.withLock({ $0.work }) {
                loop.prioritise(transfer, level: Int(newValue.level))
            }
        }
    }

    /// Aborts the transfer, or the wait for another attempt.
    public final override func cancelExecution() {
        let work = state.withLock { state in
            state.isCancelled = true
            return state.work
        }
        switch work {
        case .transfer(let transfer, let loop):
            loop.cancel(transfer)
        case .reading(let reading, let reader):
            reading.cancel()
            reader.submit(reading)
        case nil: break
        }
    }

    /// Shows the body to an observer while it comes, in this attempt and in those that follow; to one that has been
    /// shown it before, again from its beginning. A local file's body is not shown.
    final func show(to observer: any BodyObserver) {
        let work = state.withLock { state in
            if !state.observers.contains(where: { $0 === observer }) { state.observers.append(observer) }
            return state.work
        }
        if case .transfer(let transfer, let loop) = work { loop.observe(transfer, observer) }
    }

    // MARK: For the kinds of transfers

    /// What one attempt consists of, after a wait; overridden.
    func makeWork(after delay: Duration) throws(TransferError) -> Work { throw .invalidAddress }

    /// What is handed out of an answer; overridden.
    func response(from answer: DownloadResponse, entityTag: String?) -> Response? { nil }

    /// What the attempt before left.
    final func takePartial() -> PartialBody? { state.withLock { $0.partial.take() } }

    /// What a cache heard of the last answer, where that was a failure.
    final var heardOfFailure: CacheExchange.Answer? { state.withLock { $0.exchange } }

    /// The operation is about to finish; overridden where something has to be done before.
    func prepareToFinish(_ result: Result<Response, TransferError>, then finish: @escaping @Sendable () -> Void) {
        finish()
    }

    /// Another attempt begins after a wait; overridden where somebody wants to know.
    func willRetry(_ error: TransferError, after delay: Duration) {}

    /// Whether another attempt is not made by the operation; overridden. `partial` is what it would go on with.
    func leavesRetries(_ partial: PartialBody?) -> Bool { false }

    /// What was received is not in memory any more; overridden where somebody counts it.
    func dropReceived() {}

    /// An attempt has ended, on one of the client's threads.
    final func ended(_ outcome: TransferOutcome) {
        var outcome = outcome
        let due = state.withLock { state -> DueAttempt? in
            state.work = nil
            state.receivedByteCount += outcome.received
            state.retryAfter = outcome.retryAfter
            state.metrics = outcome.metrics
            state.partial = outcome.partial
            state.exchange = outcome.exchange
            guard case .failure(let error) = outcome.result, error != .cancelled else { return nil }
            let due = state.schedule.failed(error, outcome)
            if !outcome.hasMetLostNetwork, let final = state.schedule.failures.last { outcome.result = .failure(final) }
            return state.isCancelled ? nil : due
        }
        if let due, leavesRetries(outcome.partial) {
            state.withLock { $0.nextAttempt = due }
            if case .failure(let error) = outcome.result { willRetry(error, after: due.delay) }
            conclude(outcome)
        } else if let due {
            // What stays in memory still counts.
            if outcome.partial == nil || outcome.partial?.body.file != nil { dropReceived() }
            if case .failure(let error) = outcome.result { willRetry(error, after: due.delay) }
            attempt(after: due.delay)
        } else {
            conclude(outcome)
        }
    }

    // MARK: Attempts

    private func attempt(after delay: Duration) {
        do throws(TransferError) {
            let work = try makeWork(after: delay)
            let isCancelled = state.withLock { state in
                guard !state.isCancelled else { return true }
                state.work = work
                // Before it is submitted; whoever comes later is sent after it.
                if case .transfer(let transfer, _) = work { state.observers.forEach(transfer.observe) }
                return false
            }
            if isCancelled { throw .cancelled }
            switch work {
            case .transfer(let transfer, let loop):
                loop.submit(transfer)
                // It may have become another while the work was made.
                let level = Int(queuePriority.level)
                if level != transfer.plan.level { loop.prioritise(transfer, level: level) }
            case .reading(let reading, let reader): reader.submit(reading)
            }
        } catch {
            conclude(TransferOutcome(result: .failure(error)))
        }
    }

    private func conclude(_ outcome: TransferOutcome) {
        let own: Result<Response, TransferError> =
            switch outcome.result {
            case .success(let answer):
                response(from: answer, entityTag: outcome.entityTag).map { .success($0) } ?? .failure(.cancelled)
            case .failure(let error): .failure(error)
            }
        let (isFirst, partial) = state.withLock { state -> (Bool, PartialBody?) in
            guard state.result == nil, !state.isTaken else { return (false, nil) }
            state.result = own
            state.observers = []
            state.work = nil
            return (true, state.partial.take())
        }
        guard isFirst else { return }
        guard let partials = client.storage.partials, let partial, partials.wants(partial), case .failure = own else {
            return finish(own)
        }
        client.storage.queue.addOperation { [self] in
            partials.keep(partial)
            finish(own)
        }
    }

    private func finish(_ own: Result<Response, TransferError>) {
        prepareToFinish(own) { [self] in
            switch own {
            case .success, .failure(.cancelled): finish()
            case .failure(let error): finish(error)
            }
        }
    }
}
