public import Operations
public import Pixels

/// One picture on its way, see ``PhotoPipeline/imageTask(for:)``.
///
/// It goes on without whoever made it; only ``cancel()`` ends it.
public final class ImageTask: Sendable {
    private struct State {
        var result: Result<PixelBuffer, PhotoError>?
        var waiting: [CheckedContinuation<Result<PixelBuffer, PhotoError>, Never>] = []
    }

    private let task: PhotoTask
    private let state = Lock(State())

    init(_ make: (@escaping @Sendable (Photo.Update) -> Void) -> PhotoTask) {
        let task = make { _ in }
        self.task = task
        task.start { [state] in
            let result = task.takeResult() ?? .failure(.cancelled)
            let waiting = state.withLock { state in
                state.result = result
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume(returning: result) }
        }
    }

    /// The picture, once it is there. Cancelling the waiting task does not end the wait.
    public var value: PixelBuffer {
        get async throws(PhotoError) { try await result.get() }
    }

    /// The picture or why there is none, once that is known.
    public var result: Result<PixelBuffer, PhotoError> {
        get async {
            await withCheckedContinuation { continuation in
                let result = state.withLock { state in
                    if state.result == nil { state.waiting.append(continuation) }
                    return state.result
                }
                if let result { continuation.resume(returning: result) }
            }
        }
    }

    /// How urgent it is; the most urgent of those that share a transfer, a decoding or a filter counts there.
    public var priority: Operation.QueuePriority {
        get { task.priority }
        set { task.priority = newValue }
    }

    /// Gives it up; what others want as well goes on for them.
    public func cancel() {
        task.cancel()
    }
}

extension PhotoError {
    /// It was given up before there was a picture.
    static let cancelled = PhotoError(.cancelled, "The picture was given up before it was there.")
}
