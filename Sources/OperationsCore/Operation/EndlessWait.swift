/// Finds out whether a wait can end: it cannot if all that could end it waits as well, in whatever queues.
///
/// It takes no lock for the whole, so that of queues at work the answer is an impression; where nothing can end any
/// more nothing changes, and the answer is right.
struct EndlessWait {
    /// A chain of waits and dependencies that is longer is not followed, so that the stack holds it.
    private static let longestPath = 200

    /// The operations whose end is being asked about: one that is met again is part of a circle.
    private var path: Set<ObjectIdentifier> = []
    /// What has been found out, so that nothing is asked twice however many paths lead to it. That one is endless is known
    /// only if the answer did not depend on a circle through an operation that is still being asked about.
    private var known: [ObjectIdentifier: Bool] = [:]
    private var circles = 0

    /// True if `operation` can never finish, unless somebody outside resumes a queue, widens it or cancels.
    mutating func isEndless(for operation: Operation) -> Bool {
        let identity = ObjectIdentifier(operation)
        if let known = known[identity] { return known }
        guard path.insert(identity).inserted else {
            circles += 1
            return true
        }
        defer { path.remove(identity) }
        let before = circles
        let isEndless = path.count <= Self.longestPath && isHeldUp(operation)
        if !isEndless || circles == before { known[identity] = isEndless }
        return isEndless
    }

    private mutating func isHeldUp(_ operation: Operation) -> Bool {
        let state = operation.state
        guard !state.isFinished, let core = operation.enqueuedCore else { return false }
        if state.hasBegun { return core.targets(of: operation).contains { isEndless(for: $0) } }
        if let targets = core.jam, targets.allSatisfy({ isEndless(for: $0) }) { return true }
        return !state.isUnhindered && operation.dependencies.contains { isEndless(for: $0) }
    }
}
