extension OperationAdditions where Self: Operation {
    /// What the operation failed with, once it has finished; nil if it did not fail.
    public var error: (any Error)? { failure }

    /// True if the operation is cancelled when one that it depends on fails; false by default, as in Foundation.
    ///
    /// An operation failed if it finished with an `error` or was cancelled. Its dependents that ask for it do not
    /// run then, and do not wait for their other dependencies: they are cancelled, and their `error` is that of the
    /// one that failed (`CancellationError` if it has none). As that makes them fail too, the reason passes on to
    /// their own dependents. Set it before the start; a subclass's `cancel()` is not called for it.
    public var cancelsWhenDependencyFails: Bool {
        get { state.cancelsWithDependencies }
        set { setCancelsWithDependencies(newValue) }
    }

    /// Says, from inside the work, that it failed; only the first error counts, and none after the finish.
    ///
    /// For synchronous work, which calls it in `main()`. An `AsyncOperation` passes its error to `finish(_:)`, a
    /// task throws it.
    /// - Parameter error: What becomes the operation's `error`.
    public func fail(_ error: any Error) { noteFailure(error) }
}

extension Operation {
    /// What it failed with.
    final var failure: (any Error)? { locked { extras?.error } }

    final func noteFailure(_ error: any Error) {
        guard !state.isFinished else { return }
        withExtras { if $0.error == nil, transition(.fail).contains(.accepted) { $0.error = error } }
    }

    final func setCancelsWithDependencies(_ cancels: Bool) {
        _ = transition(.setCancelsWithDependencies(cancels))
        if cancels, !state.hasBegun { takeOverFailure() }
    }

    /// Before the start: cancels an operation that asked for it if a dependency failed, and notes the reason.
    final func takeOverFailure() {
        for dependency in listedDependencies where takeOverFailure(of: dependency) { return }
    }

    /// A queue does it before it starts an operation; here it is done for others.
    @inline(__always)
    final func noteReasonIfStartedByHand() {
        let state = state
        if state.cancelsWithDependencies, state.phase == .idle { takeOverFailure() }
    }

    /// - Returns: False if the dependency has not failed, or not yet.
    @discardableResult
    final func takeOverFailure(of dependency: Operation) -> Bool {
        let state = dependency.state
        guard state.isFinished else { return false }
        guard let reason = dependency.failure ?? (state.isCancelled ? CancellationError() : nil) else { return false }
        noteFailure(reason)
        if transition(.cancel).contains(.reconcile) { core?.reconcile(self) }
        return true
    }
}
