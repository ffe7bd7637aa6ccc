/// An observation by a closure, which goes on until this is invalidated or released.
public final class ObservationToken: Sendable {
    private let end: Lock<(@Sendable () -> Void)?>

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = Lock(end)
    }

    deinit { invalidate() }

    /// Ends the observation. A call that has begun on another thread may still be under way.
    public func invalidate() {
        let end = end.withLock { $0.take() }
        end?()
    }
}
