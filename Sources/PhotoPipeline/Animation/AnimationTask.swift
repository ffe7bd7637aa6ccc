import Operations

/// An animation on its way: its download, which it may share with pictures, and a look at what came.
final class AnimationTask: Sendable {
    private struct State {
        var last: SharedStage?
        var isCancelled = false
        var whenEnded: (@Sendable () -> Void)?
    }

    private let stages: SharedStages
    private let pending: PendingOperations
    private let state = Lock(State())

    init(stages: SharedStages, pending: PendingOperations) {
        self.stages = stages
        self.pending = pending
    }

    /// Finds or makes the operations; called once.
    /// - Returns: What came of it; nil if it was cancelled.
    func run(_ request: ImageRequest) async -> Result<FrameSource, PhotoError>? {
        pending.insert(self) { [self] in cancel() }
        let id = ObjectIdentifier(self)
        let joined = stages.joinAnimation(request, as: id, PhotoReporter(state: .new) { _ in })
        defer {
            joined.last?.memory?.release()
            pending.remove(self)
        }
        guard let last = joined.last else { return nil }
        await withCheckedContinuation { continuation in
            let isCancelled = state.withLock { state in
                state.last = last
                state.whenEnded = { continuation.resume() }
                return state.isCancelled
            }
            stages.start(joined.new)
            stages.whenEnded(last) { [self] in end() }
            if isCancelled { cancel() }
        }
        return state.withLock { $0.isCancelled } ? nil : (joined.lastOperation as? AnimationOperation)?.result
    }

    /// Gives it up; what others want as well goes on for them.
    func cancel() {
        let last = state.withLock { state in
            state.isCancelled = true
            return state.whenEnded == nil ? nil : state.last
        }
        if let last { stages.leave(last, ObjectIdentifier(self)) { [self] in end() } }
    }

    private func end() {
        let end = state.withLock { $0.whenEnded.take() }
        end?()
    }
}
