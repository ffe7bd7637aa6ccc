extension Operation {
    /// How far an operation has come. It only ever moves on.
    public enum ExecutionState: Int, Sendable, Hashable, Comparable {
        /// It is in no queue, or waits for dependencies or for a barrier.
        case pending
        /// It is in a queue and waits for a place only.
        case ready
        /// It works.
        case executing
        /// It has finished, cancelled or not.
        case finished

        public static func < (left: ExecutionState, right: ExecutionState) -> Bool {
            left.rawValue < right.rawValue
        }
    }

    /// How far the operation has come now.
    public final var executionState: ExecutionState {
        switch state.phase {
        case .idle, .waiting, .parked: .pending
        case .adopted: state.isUnhindered ? .ready : .pending
        case .ready, .claimed: .ready
        // A subclass whose own `start()` runs tells by this property.
        case .starting: isExecuting ? .executing : .ready
        case .executing: .executing
        case .finished: .finished
        }
    }

    /// The state now and each one that follows; ends after `finished`.
    ///
    /// Each call gives a stream of its own, for one reader. All states are kept until they are read; there are four
    /// at most, so that none needs dropping. An operation that never ran has no `executing`, and one that a subclass
    /// runs in a `start()` of its own has its states as its queue sees them.
    public final var states: AsyncStream<ExecutionState> {
        AsyncStream { continuation in
            let stream = StateStream(continuation)
            let isObserved = locked {
                guard transition(.observe).contains(.accepted) else { return false }
                let extras = self.extras ?? OperationExtras()
                self.extras = extras
                extras.stateStreams.append(stream)
                return true
            }
            stream.advance(to: isObserved ? executionState : .finished)
        }
    }

    /// Tells the readers of `states` about an event of the queue.
    final func changeObservedState(_ event: QueueEvent) {
        guard state.isObserved else { return }
        switch event.kind {
        case .added: return
        case .ready: advanceStreams(to: .ready)
        case .started: advanceStreams(to: .executing)
        case .finished: advanceStreams(to: .finished)
        }
    }

    final func advanceStreams(to state: ExecutionState) {
        for stream in locked({ extras?.stateStreams ?? [] }) { stream.advance(to: state) }
    }
}

/// One reader's states, each told once and none backwards.
final class StateStream: Sendable {
    private let continuation: AsyncStream<Operation.ExecutionState>.Continuation
    private let last = Lock<Operation.ExecutionState?>(nil)

    init(_ continuation: AsyncStream<Operation.ExecutionState>.Continuation) {
        self.continuation = continuation
    }

    func advance(to state: Operation.ExecutionState) {
        // Yielding under the lock keeps the order; a stream calls nobody but the executor of its reader.
        last.withLock { last in
            if let reached = last, reached >= state { return }
            last = state
            continuation.yield(state)
        }
        if state == .finished { continuation.finish() }
    }
}
