public import Operations
public import Pixels

/// One picture on its way, see ``PhotoPipeline/imageTask(for:)``.
///
/// It goes on without whoever made it; only ``cancel()`` ends it.
public final class ImageTask: Sendable {
    private typealias Waiting = [@Sendable (Result<PixelBuffer, PhotoError>) -> Void]

    private struct State {
        var result: Result<PixelBuffer, PhotoError>?
        var waiting: Waiting = []
        var followers: [ObjectIdentifier: UpdateMailbox] = [:]
    }

    private let task: PhotoTask
    private let state = Lock(State())

    /// Starts a task.
    init(_ task: PhotoTask) {
        self.task = task
        task.start(
            // Called by the task itself.
            whenGivenUp: { [state, unowned task] in Self.settle(state, with: task) },
            whenFinished: { [state] in Self.settle(state, with: task) })
    }

    /// Tells those who wait what came of it, the first time. What comes of work that was given up before is dropped.
    private static func settle(_ state: Lock<State>, with task: PhotoTask) {
        let result = task.takeResult() ?? .failure(.cancelled)
        let (waiting, followers) = state.withLock { state -> (Waiting, [UpdateMailbox]) in
            guard state.result == nil else { return ([], []) }
            state.result = result
            defer { (state.waiting, state.followers) = ([], [:]) }
            return (state.waiting, state.followers.values.map(\.self))
        }
        for mailbox in followers {
            task.unfollow(mailbox)
            mailbox.end(with: result)
        }
        for handOver in waiting { handOver(result) }
    }

    /// The picture, once it is there. Cancelling the waiting task does not end the wait.
    ///
    /// - Throws: Why there is no picture; `.cancelled` after ``cancel()``.
    public var value: PixelBuffer {
        get async throws(PhotoError) { try await result.get() }
    }

    /// The picture or why there is none, once that is known.
    public var result: Result<PixelBuffer, PhotoError> {
        get async {
            await handedOver { handOver in
                let result = state.withLock { state in
                    if state.result == nil { state.waiting.append(handOver) }
                    return state.result
                }
                if let result { handOver(result) }
            }
        }
    }

    /// Where the picture came from, and what its transfer took, see ``PhotoTask/metrics``.
    public var metrics: ImageMetrics? { task.metrics }

    /// How long the picture waited and was worked on, stage by stage; nil before there is a result, and after a cancel.
    public var timings: PhotoTimings? { task.timings }

    /// Puts updates into a mailbox from now on.
    func follow(_ mailbox: UpdateMailbox) {
        let result = state.withLock { state in
            if state.result == nil { state.followers[ObjectIdentifier(mailbox)] = mailbox }
            return state.result
        }
        if let result { mailbox.end(with: result) } else { task.follow(mailbox) }
    }

    /// Puts no more into it.
    func unfollow(_ mailbox: UpdateMailbox) {
        state.withLock { $0.followers[ObjectIdentifier(mailbox)] = nil }
        task.unfollow(mailbox)
    }

    /// How urgent it is; the most urgent of those that share a transfer, a decoding or a filter counts there.
    public var priority: Operation.QueuePriority {
        get { task.priority }
        set { task.priority = newValue }
    }

    /// Gives it up; what others want as well goes on for them. ``result`` is there at once, `.cancelled` where there was none; the
    /// operations end when their queues go on.
    public func cancel() {
        task.cancel()
    }
}

extension PhotoError {
    /// It was given up before there was a picture.
    static let cancelled = PhotoError(.cancelled, "The picture was given up before it was there.")
}
