extension Operation {
    /// How far an operation has come.
    ///
    /// It moves on, but for one that is ready and gets another dependency, or has to wait for its exclusion keys or for an `isReady` of
    /// its own: that is pending again.
    public enum ExecutionState: Int, Sendable, Hashable, Comparable {
        /// It is in no queue, or waits for dependencies, for exclusion keys or for an `isReady` of its own.
        case pending
        /// It is in a queue and waits for a place, or for what comes before it, such as a barrier.
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
    final var progressState: ExecutionState {
        switch state.phase {
        case .idle, .waiting, .parked: .pending
        case .adopted: state.isUnhindered ? .ready : .pending
        case .ready, .claimed: .ready
        // A subclass whose own `start()` runs tells by this property.
        case .starting: isExecuting ? .executing : .ready
        case .announced, .executing: .executing
        case .finished: .finished
        }
    }

    /// - Returns: The observer's number; nil if it has finished already, when nothing follows.
    fileprivate final func add(_ observer: StateObserver) -> Int? {
        withExtras(accepting: .observe) { extras in
            extras.stateObserverCount += 1
            extras.stateObservers[extras.stateObserverCount] = observer
            return extras.stateObserverCount
        }
    }

    fileprivate final func removeObserver(_ number: Int) {
        // What is taken out is released outside the mutex.
        let removed = locked { extras?.stateObservers.removeValue(forKey: number) }
        removed?.end()
    }

    /// Tells those who observe its states about an event of the queue.
    final func changeObservedState(_ event: QueueEvent) {
        guard state.isObserved else { return }
        switch event.kind {
        case .added: return
        case .ready: advanceObservers(to: .ready)
        case .started: advanceObservers(to: .executing)
        case .finished: advanceObservers(to: .finished)
        }
    }

    /// Enters its work, and tells those who want to know of that.
    final func beginWork() -> OperationState.Actions {
        if state.isAdded, let unretainedCore {
            return unretainedCore._withUnsafeGuaranteedRef { $0.beginWork(of: self) }
        }
        let actions = transition(.run)
        if actions.contains(.notify) { advanceObservers(to: .executing) }
        return actions
    }

    /// It says that it works, in a `start()` of its own.
    final func reportOwnStart() {
        guard [.idle, .starting].contains(state.phase), isExecuting else { return }
        if let core = enqueuedCore { return core.reportOwnStart(of: self) }
        if state.phase == .idle { withExtras { $0.hasReportedStart = true } }
        if state.isObserved { advanceObservers(to: .executing) }
    }

    /// It works in a `start()` of its own, by what it has reported. One whose `isExecuting` is true from the beginning on has not started.
    final var hasStartedByItself: Bool { isExecuting && locked { extras?.hasReportedStart ?? false } }

    /// When and where its `start()` was called; nil where nobody wanted to know at that time, or another thread is in it.
    final var startMoment: EventHub.Moment? {
        if let context = ExecutionContext.existing, context.isStepping(self) { return context.startMoment }
        return locked { extras?.start }
    }

    final func advanceObservers(to state: ExecutionState) {
        let observers = locked { extras?.stateObservers ?? [:] }
        for (_, observer) in observers.sorted(by: { $0.key < $1.key }) { observer.advance(to: state) }
    }
}

extension OperationAdditions where Self: Operation {
    /// How far the operation has come now.
    public var executionState: Operation.ExecutionState { progressState }

    /// The state now and each one that follows; ends after `finished`.
    ///
    /// Each call gives a stream of its own, for one reader. All states are kept until they are read; there are four
    /// at most, so that none needs dropping. That one which was ready is pending again is not told. An operation that never ran has
    /// no `executing`. One that works in a `start()` of its own is executing when it reports a change of `isExecuting`, when that
    /// `start()` has returned, or at the latest when it finishes. To whoever has asked before it was added behind a barrier, it is
    /// ready when that has ended.
    public var states: AsyncStream<Operation.ExecutionState> {
        AsyncStream { continuation in
            let observer = StateObserver { state in
                continuation.yield(state)
                if state == .finished { continuation.finish() }
            }
            guard let number = add(observer) else { return observer.advance(to: .finished) }
            // Also when the stream is dropped, so that nothing is kept of it.
            continuation.onTermination = { [weak self] _ in self?.removeObserver(number) }
            observer.advance(to: progressState)
        }
    }

    /// Has a closure called with each state that follows, in place of key-value observing `isExecuting` or `isFinished`.
    ///
    /// The states are those of ``states``, without the present one. The closure is called on a thread of the engine, or,
    /// of an operation in no queue, on the one that brought the change about, with no lock held; while it runs, other
    /// observers of that queue wait.
    /// - Returns: What ends the observation when it is invalidated or released.
    public func observe(_ handler: @escaping @Sendable (Operation.ExecutionState) -> Void) -> ObservationToken {
        let observer = StateObserver(handler)
        guard let number = add(observer) else { return ObservationToken {} }
        observer.begin(at: progressState)
        return ObservationToken { [weak self] in self?.removeObserver(number) }
    }
}
