/// One who is told of an operation's states: each once, none backwards, and one at a time.
final class StateObserver: Sendable {
    private struct State {
        var last: Operation.ExecutionState?
        var untold: [Operation.ExecutionState] = []
        var isTelling = false
        var hasEnded = false
    }

    private let receive: @Sendable (Operation.ExecutionState) -> Void
    private let state = Lock(State())

    init(_ receive: @escaping @Sendable (Operation.ExecutionState) -> Void) {
        self.receive = receive
    }

    /// Takes a state as known, without telling of it.
    func begin(at known: Operation.ExecutionState) {
        state.withLock { $0.last = max($0.last ?? known, known) }
    }

    /// Ends it: nobody is told of anything from now on, but for what is being told on another thread.
    func end() { state.withLock { $0.hasEnded = true } }

    /// Tells of a state that has been reached. If another thread is telling just now, that one does it, so that the order
    /// holds with no lock held while somebody's code runs.
    func advance(to reached: Operation.ExecutionState) {
        let isFirst = state.withLock { state in
            if state.hasEnded { return false }
            if let last = state.last, last >= reached { return false }
            state.last = reached
            state.untold.append(reached)
            defer { state.isTelling = true }
            return !state.isTelling
        }
        guard isFirst else { return }
        while let next = nextUntold() { receive(next) }
    }

    private func nextUntold() -> Operation.ExecutionState? {
        state.withLock { state in
            if !state.untold.isEmpty, !state.hasEnded { return state.untold.removeFirst() }
            state.isTelling = false
            return nil
        }
    }
}
