import Operations

/// What whoever runs it may do with a development on its way.
extension Development {
    /// Ends the run soon: starts nothing more, ends the transfers, and stops decoding and filtering at their next check. A run that is
    /// suspended ends, too.
    public func cancel() {
        stop(.cancelled)
    }

    /// Tells, once, when the run only waits: all rows are looked at, none is fetched, decoded, filtered or written, and those that are left wait
    /// for another try, or for hosts that rest. At once where that is so.
    ///
    /// - Parameter body: Called on any thread, which must not be held up; what was given before is not called any more.
    func tellWhenOnlyWaiting(_ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.whenOnlyWaiting = body }
        endIfOver()
    }

    /// Whether the run begins nothing more for now: no rows, no transfers, no decoding, filtering or writing. Default: false.
    ///
    /// What is under way at that moment ends: a transfer brings its photo, which then waits to be decoded, and rows whose results
    /// are written are marked as done. It may be changed at any time and from any thread, also before ``run()``. A run that
    /// is cancelled, or stops because its output cannot be written, ends all the same; from then on this is false.
    public var isSuspended: Bool {
        get { hold.isPaused }
        set { hold.pause(newValue) }
    }
}
