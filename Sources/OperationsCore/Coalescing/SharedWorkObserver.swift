/// Someone who wants shared work, and is told how it goes on.
///
/// What is told has to be noted in the order in which it happens, which a lock holds, and passed on without that lock. So it
/// comes in two steps.
public protocol SharedWorkObserver: AnyObject, Sendable {
    /// Notes an event.
    ///
    /// Called under the lock of the ``SharedGroup``, in the order of the events; it must be quick, and must not call
    /// the group. Who joins late is first told what was told before.
    /// - Parameters:
    ///   - event: What happened, as the work tells it.
    ///   - isLast: Whether it happened in the last work of the chain that is held, not in one before it.
    func note(_ event: any Sendable, isLast: Bool)

    /// Passes on what was noted. Called soon afterwards with no lock held, by several threads at once where it so happens.
    func deliver()
}
