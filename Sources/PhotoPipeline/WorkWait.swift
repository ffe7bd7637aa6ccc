import Operations

/// The wait for the end of some work, which may be given up before.
///
/// Work that was given up comes to its end when its queue goes on, and a suspended one may not do so for long. Whoever waited
/// for it is not kept until then.
package final class WorkWait: Sendable {
    private struct State {
        var isOver = false
        var continuation: CheckedContinuation<Void, Never>?
    }

    private let state = Lock(State())

    private init() {}

    /// Ends the wait. Only the first call counts. Callable from any thread.
    package func end() {
        let continuation = state.withLock { state in
            state.isOver = true
            return state.continuation.take()
        }
        continuation?.resume()
    }

    /// Starts work, and waits until it is over or the calling task is cancelled, whichever comes first.
    ///
    /// - Parameters:
    ///   - start: Starts it; whoever brings it to its end ends the wait that it is given.
    ///   - cancel: Gives the work up, when the calling task is cancelled: perhaps before the start.
    package static func untilOver(
        _ start: @Sendable (WorkWait) -> Void, orCancelled cancel: @escaping @Sendable () -> Void
    ) async {
        let wait = WorkWait()
        await withTaskCancellationHandler {
            start(wait)
            await withCheckedContinuation { continuation in
                let isOver = wait.state.withLock { state in
                    if !state.isOver { state.continuation = continuation }
                    return state.isOver
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            cancel()
            wait.end()
        }
    }
}
