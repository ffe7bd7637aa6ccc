/// Finds out whether a wait can end: it cannot if all that could end it waits as well, in whatever queues.
///
/// It takes no lock for the whole, so that of queues at work the answer is an impression; where nothing can end any
/// more nothing changes, and the answer is right.
struct EndlessWait {
    /// A chain of waits and dependencies that is longer is not followed, so that the stack holds it.
    private static let longestPath = 200

    /// What can be asked: whether it comes to an end, or to a beginning.
    private enum Question: Hashable {
        /// That the operation finishes.
        case operation(ObjectIdentifier)
        /// That a place in the queue becomes free.
        case place(ObjectIdentifier)
        /// That the queue's first barrier finishes.
        case barrier(ObjectIdentifier)
    }

    /// What is being asked about: a question that is met again is part of a circle.
    private var path: Set<Question> = []
    /// What has been found out, so that nothing is asked twice however many paths lead to it. That something is endless is
    /// known only if the answer did not depend on a circle through what is still being asked about.
    private var known: [Question: Bool] = [:]
    private var circles = 0
    private var holds: [ObjectIdentifier: QueueCore.Holds] = [:]

    /// True if `operation` can never finish, unless somebody outside resumes a queue, widens it or cancels.
    mutating func isEndless(for operation: Operation) -> Bool {
        // First, so that the answer is known for all that wait for a place of this queue.
        if path.isEmpty, !operation.state.hasBegun, let core = operation.enqueuedCore { _ = isPlaceTaken(in: core) }
        return ask(.operation(ObjectIdentifier(operation))) { $0.isHeldUp(operation) }
    }

    private mutating func ask(_ question: Question, _ isEndless: (inout Self) -> Bool) -> Bool {
        if let known = known[question] { return known }
        guard path.insert(question).inserted else {
            circles += 1
            return true
        }
        let before = circles
        let answer = path.count <= Self.longestPath && isEndless(&self)
        path.remove(question)
        if !answer || circles == before || path.isEmpty { known[question] = answer }
        return answer
    }

    private mutating func isHeldUp(_ operation: Operation) -> Bool {
        let state = operation.state
        guard !state.isFinished, let core = operation.enqueuedCore else { return false }
        if state.hasBegun {
            return holds(of: core).targets[operation.sequence]?.contains { isEndless(for: $0) } ?? false
        }
        if isPlaceTaken(in: core) || isBehindBarrier(operation, in: core) { return true }
        if state.phase == .parked, let holder = operation.keyHolder, isEndless(for: holder) { return true }
        return !state.isUnhindered && operation.dependencies.contains { isEndless(for: $0) }
    }

    /// Nothing of the queue can start, before something else ends that never does.
    private mutating func isPlaceTaken(in core: QueueCore) -> Bool {
        let holds = holds(of: core)
        if holds.isSuspended { return true }
        let waiting = holds.targets.count + (holds.barrierTargets.isEmpty ? 0 : 1)
        guard holds.isFull, waiting >= holds.running else { return false }
        return ask(.place(ObjectIdentifier(core))) { search in
            (holds.barrierTargets.isEmpty || holds.barrierTargets.contains { search.isEndless(for: $0) })
                && holds.targets.values.allSatisfy { $0.contains { search.isEndless(for: $0) } }
        }
    }

    /// It was added after a barrier that never ends.
    private mutating func isBehindBarrier(_ operation: Operation, in core: QueueCore) -> Bool {
        let holds = holds(of: core)
        guard let first = holds.barriers.first, first < operation.sequence else { return false }
        return ask(.barrier(ObjectIdentifier(core))) { search in
            (holds.isBarrierRunning ? holds.barrierTargets : holds.beforeBarrier).contains { search.isEndless(for: $0) }
        }
    }

    private mutating func holds(of core: QueueCore) -> QueueCore.Holds {
        if let holds = holds[ObjectIdentifier(core)] { return holds }
        let made = core.holds
        holds[ObjectIdentifier(core)] = made
        return made
    }
}
