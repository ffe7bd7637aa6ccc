// What keeps the ends of an edge in line:
//
// - The edges that lead from one dependent are added and removed under its lock `.dependencies`. With that held a
//   dependency's lock `.dependents` may be taken, and nothing else; no two operations' locks of a kind are ever held together.
// - The links between the edges that lead to one dependency change under its lock `.dependents`.
// - The count in the dependent's word goes up before the edge is linked, so that it can never be met too early. Whoever takes
//   off the link brings the count down.
// - Edges do not keep dependents alive. A dependent with a count takes its edges back before it goes, which needs the
//   dependency's lock; while that is held, every operation that is linked is alive.
extension Operation {
    final func depend(on dependency: Operation) {
        Misuse.require(dependency !== self, Misuse.dependsOnItself(self))
        let isPending = !dependency.state.isFinished
        var actions = acquire(.dependencies, isPending ? .dependencyAdded : nil)
        let isCounted = actions.contains(.accepted)
        if !addEdge(to: dependency, isLinked: isCounted), isCounted {
            // It is there already, or has just been met.
            actions.formUnion(transition(.dependencyMet))
        }
        release(.dependencies)
        if actions.contains(.reconcile) { core?.reconcile(self) }
        if isCounted { askReadiness(after: dependency) }
        let state = state
        if state.phase == .waiting { declineExclusion() }
        if state.raised > 0, !state.hasBegun { dependency.escalate(to: QueuePriority(level: state.raised - 1)) }
        if state.cancelsWithDependencies, !state.hasBegun { takeOverFailure(of: dependency) }
    }

    final func stopDepending(on dependency: Operation) {
        _ = acquire(.dependencies)
        guard let edge = edges.link(to: dependency, of: self) else { return release(.dependencies) }
        let actions = dependency.unlink(edge) ? transition(.dependencyMet) : []
        let removed = edges.remove(edge)
        release(.dependencies)
        withExtendedLifetime(removed) {}
        if actions.contains(.reconcile) { core?.reconcile(self) }
        askReadiness()
    }

    /// Waits no more for a dependency that has finished, whether that one has told its dependents yet or not.
    final func meet(_ dependency: Operation) {
        _ = acquire(.dependencies)
        let isMissed = edges.link(to: dependency, of: self).map { dependency.unlink($0) } ?? false
        let actions = isMissed ? transition(dependency.eventOfEnd) : []
        release(.dependencies)
        if actions.contains(.reconcile) { core?.reconcile(self) }
    }

    /// The operations that it waits for or has waited for, in the order of adding.
    final var listedDependencies: [Operation] {
        _ = acquire(.dependencies)
        defer { release(.dependencies) }
        return edges.dependencies
    }

    /// - Returns: True if it is new and linked.
    @inline(__always)
    private func addEdge(to dependency: Operation, isLinked: Bool) -> Bool {
        let other = dependency.state
        // One that nobody has depended on is new for certain, so that one operation can wait for any number without an
        // index of them.
        let isNew =
            isLinked && !other.hasDependents && !other.isFinished || edges.link(to: dependency, of: self) == nil
        guard isNew else { return false }
        let edge = edges.append(dependency, of: self)
        return isLinked && dependency.link(edge)
    }

    // MARK: Edges to this operation

    /// - Returns: False if it has finished.
    @inline(__always)
    private func link(_ edge: EdgeLink) -> Bool {
        let isAccepted = acquire(.dependents, .addDependent).contains(.accepted)
        defer { release(.dependents) }
        guard isAccepted else { return false }
        guard firstDependent != .none else {
            (edge.next, edge.previous) = (edge, edge)
            firstDependent = edge
            return true
        }
        let last = firstDependent.previous
        (edge.next, edge.previous) = (firstDependent, last)
        last.next = edge
        firstDependent.previous = edge
        return true
    }

    /// - Returns: False if it was not linked, because it has been met or taken off before.
    private func unlink(_ edge: EdgeLink) -> Bool {
        _ = acquire(.dependents)
        defer { release(.dependents) }
        guard edge.next != .none else { return false }
        takeOff(edge)
        return true
    }

    @inline(__always)
    private func takeOff(_ edge: EdgeLink) {
        let (next, previous) = (edge.next, edge.previous)
        edge.next = .none
        guard next != edge else { return firstDependent = .none }
        previous.next = next
        next.previous = previous
        if firstDependent == edge { firstDependent = next }
    }

    /// Dependents that may start, since what they waited for has finished.
    struct Met {
        /// Of the queue whose lock is held.
        var inside = Woken()
        /// Of others.
        var elsewhere: [Operation] = []
    }

    /// Tells the dependents that this operation has finished, unless they are more than `most`.
    /// - Parameter core: The queue whose lock the caller holds.
    /// - Returns: False if they are more, and nobody was told.
    @inline(__always)
    final func meetDependents(_ most: Int, inside core: QueueCore, _ met: inout Met) -> Bool {
        _ = acquire(.dependents)
        defer { release(.dependents) }
        var (count, edge) = (0, firstDependent)
        if edge != .none, edge.next != edge {
            repeat {
                edge = edge.next
                count += 1
            } while edge != firstDependent && count <= most
        }
        guard count <= most else { return false }
        let event = eventOfEnd
        while firstDependent != .none { meetFirst(event, inside: core, &met) }
        return true
    }

    /// Tells all dependents, however many, with no lock held for long; then their queues.
    /// - Returns: Those that may start, or have, for the caller to let go of.
    final func meetAllDependents() -> [Operation] {
        var met = Met()
        var isLast = false
        while !isLast {
            _ = acquire(.dependents)
            let event = eventOfEnd
            for _ in 0..<64 where firstDependent != .none { meetFirst(event, inside: nil, &met) }
            isLast = firstDependent == .none
            release(.dependents)
        }
        QueueCore.reconcile(met.elsewhere)
        return met.elsewhere
    }

    private var eventOfEnd: OperationState.Event {
        state.isCancelled || state.hasFailed ? .dependencyFailed : .dependencyMet
    }

    /// Takes off the first dependent, and brings its count down.
    ///
    /// It is alive until its count is down, but not a moment longer, unless something else holds it. One of the queue
    /// whose lock the caller holds stays in that queue. Another that becomes ready is retained before. That is safe: only
    /// one that was added to a queue becomes ready, and that cannot let go of it while the edge stands.
    @inline(__always)
    private func meetFirst(_ event: OperationState.Event, inside core: QueueCore?, _ met: inout Met) {
        let edge = firstDependent
        takeOff(edge)
        edge.dependent?._withUnsafeGuaranteedRef { dependent in
            var old = dependent.state
            while true {
                var new = old
                let isReconciled = new.apply(event).contains(.reconcile)
                // Another one may be about to be added, and knows no queue yet.
                let isInside = isReconciled && core != nil && dependent.belongs(to: core)
                if isReconciled, !isInside, met.elsewhere.last !== dependent { met.elsewhere.append(dependent) }
                guard let current = dependent.replace(old, by: new) else {
                    if isInside { met.inside.append(dependent) }
                    return
                }
                old = current
            }
        }
    }

    // MARK: The end

    /// Takes back every edge that has not been met, of an operation that finished early or is being released.
    final func unlinkFromDependencies() {
        _ = acquire(.dependencies)
        edges.forEach(of: self) { edge, dependency in
            if dependency.unlink(edge) { _ = transition(.dependencyMet) }
        }
        release(.dependencies)
    }
}
