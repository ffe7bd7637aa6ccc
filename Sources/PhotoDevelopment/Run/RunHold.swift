import Operations
import PhotoPipeline

/// What keeps a run from beginning more: a pause, and a journal whose disk does not keep up. Each comes and goes by itself.
final class RunHold: Sendable {
    private struct State {
        var isPaused = false
        var isHeldBack = false
        var isOver = false
    }

    private let pending: PendingOperations
    /// Where rows are begun and results are written.
    private let queues: [OperationQueue]
    private let state = Lock(State())

    /// - Parameters:
    ///   - pending: The stages, which a pause holds.
    ///   - queues: What else begins work, which both hold.
    init(of pending: PendingOperations, and queues: [OperationQueue]) {
        self.pending = pending
        self.queues = queues
    }

    var isPaused: Bool { state.withLock { $0.isPaused } }

    /// Somebody pauses the run, or has it go on; nothing happens after ``endPause()``.
    func pause(_ isPaused: Bool) {
        change { if !$0.isOver { $0.isPaused = isPaused } }
    }

    /// The journal's disk does not keep up, or does so again.
    func holdBack(_ isHeldBack: Bool) {
        change { $0.isHeldBack = isHeldBack }
    }

    /// The run has been stopped: what waits is to come to its end, and nobody pauses it any more.
    func endPause() {
        change { ($0.isPaused, $0.isOver) = (false, true) }
    }

    private func change(_ change: (inout State) -> Void) {
        state.withLock { state in
            let wasPaused = state.isPaused
            change(&state)
            // Under the lock, so that the queues are told in order.
            for queue in queues { queue.isSuspended = state.isPaused || state.isHeldBack }
            if state.isPaused != wasPaused { pending.isSuspended = state.isPaused }
        }
    }
}
