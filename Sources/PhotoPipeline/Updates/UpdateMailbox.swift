import Operations
import Pixels

/// The newest updates for one loop, until it takes them: at most one of each kind.
final class UpdateMailbox: Sendable {
    private struct State {
        var progress: ImageTask.Progress?
        var preview: ImageTask.Preview?
        var result: Result<PixelBuffer, PhotoError>?
        /// The result was taken, or the loop was cancelled.
        var isOver = false
        var waiting: CheckedContinuation<Void, Never>?
        /// Called when a preview was taken.
        var whenEmptied: (@Sendable () -> Void)?
    }

    private let state = Lock(State())

    /// Whether the last preview was taken, so that another one is worth its making.
    var wantsPreview: Bool { state.withLock { $0.preview == nil && $0.result == nil && !$0.isOver } }

    /// Says whom to tell that a preview was taken.
    func whenEmptied(_ handler: @escaping @Sendable () -> Void) {
        state.withLock { $0.whenEmptied = handler }
    }

    func put(_ progress: ImageTask.Progress) { put { $0.progress = progress } }

    func put(_ preview: ImageTask.Preview) { put { $0.preview = preview } }

    /// Ends the updates; what was not taken before is of no interest any more.
    func end(with result: Result<PixelBuffer, PhotoError>) {
        put { state in
            state.result = result
            state.progress = nil
            state.preview = nil
        }
    }

    private func put(_ change: (inout State) -> Void) {
        let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.result == nil, !state.isOver else { return nil }
            change(&state)
            return state.waiting.take()
        }
        waiting?.resume()
    }

    /// Waits for an update and takes it; nil when the updates are over.
    func next() async throws(PhotoError) -> ImageTask.Update? {
        while true {
            if let taken = take() { return try taken.get() }
            await waitForOne()
        }
    }

    /// What is there, and nil in it after the end; nil where nothing is there yet.
    private func take() -> Result<ImageTask.Update?, PhotoError>? {
        let (taken, whenEmptied) = state.withLock { state -> (Result<ImageTask.Update?, PhotoError>?, _) in
            let taken: Result<ImageTask.Update?, PhotoError>?
            if state.isOver {
                taken = .success(nil)
            } else if let result = state.result.take() {
                state.isOver = true
                taken = result.map { .image($0) }
            } else if Task.isCancelled {
                state.isOver = true
                state.preview = nil
                taken = .failure(.cancelled)
            } else if let progress = state.progress.take() {
                taken = .success(.progress(progress))
            } else {
                taken = state.preview.take().map { .success(.preview($0)) }
            }
            return (taken, state.whenEmptied)
        }
        if case .success(.preview) = taken { whenEmptied?() }
        return taken
    }

    private func waitForOne() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isThere = state.withLock { state in
                    // A cancellation that came before has found nobody to wake.
                    let isThere = state.progress != nil || state.preview != nil || state.result != nil || state.isOver
                    if isThere || Task.isCancelled { return true }
                    state.waiting = continuation
                    return false
                }
                if isThere { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.take() }?.resume()
        }
    }
}
