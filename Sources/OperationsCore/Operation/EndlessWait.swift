/// Finds out whether a wait can end: it cannot if all that could end it waits as well, in whatever queues.
///
/// It takes no lock for the whole, so that of queues at work the answer is an impression; where nothing can end any
/// more nothing changes, and the answer is right.
struct EndlessWait {
    /// A chain of waits and dependencies that is longer is not followed, so that the stack holds it.
    private static let longestPath = 200

    /// The operations whose end is being asked about: one that is met again is part of a circle.
    private var path: Set<ObjectIdentifier> = []

    /// True if `operation` can never finish, unless somebody outside resumes a queue, widens it or cancels.
    mutating func isEndless(for operation: Operation) -> Bool {
        guard path.insert(ObjectIdentifier(operation)).inserted else { return true }
        defer { path.remove(ObjectIdentifier(operation)) }
        let state = operation.state
        guard path.count <= Self.longestPath, !state.isFinished, let core = operation.enqueuedCore else { return false }
        if state.hasBegun { return core.targets(of: operation).contains { isEndless(for: $0) } }
        if let targets = core.jam, targets.allSatisfy({ isEndless(for: $0) }) { return true }
        return !state.isUnhindered && operation.dependencies.contains { isEndless(for: $0) }
    }
}
