import Foundation

// An edge lives in three places: the dependent's list, the count in the dependent's word, and the dependency's
// set of dependents. No two operations' mutexes are ever held together. What keeps the three in line:
//
// - The edges that lead from one dependent are changed one at a time, under the mutex of its edges. With it held a
//   dependency's mutex may be taken, and nothing else.
// - The count goes up before the edge is registered with the dependency, so that it can never be met too early.
// - Whoever takes the edge off the dependency's set, one under its mutex, brings the count down.
// - The set does not keep dependents alive. A dependent with a count takes its edges back before it goes, which
//   needs the dependency's mutex; while that is held, every operation in the set is alive.
extension Operation {
    final func depend(on dependency: Operation) {
        Misuse.require(dependency !== self, Misuse.dependsOnItself(self))
        let mayMoveInStore = withEdges {
            if dependency.state.isFinished {
                list(dependency)
                return false
            }
            let isListed = dependencyList.containsQuickly(dependency)
            if isListed == true { return false }
            let added = transition(.dependencyAdded)
            guard added.contains(.accepted) else {
                list(dependency)
                return false
            }
            // An edge from nobody else is new for certain, so that one operation can wait for any number without an
            // index of them.
            if dependency.register(self, onlyAsFirst: isListed == nil) {
                dependencyList.append(dependency)
            } else if !list(dependency) || !dependency.register(self, onlyAsFirst: false) {
                // It is there already, or has just been met.
                return added.union(transition(.dependencyMet)).contains(.reconcile)
            }
            return added.contains(.reconcile)
        }
        if mayMoveInStore { core?.reconcile(self) }
        let state = state
        if state.phase == .waiting { declineExclusion() }
        if state.raised > 0, !state.hasBegun { dependency.escalate(to: QueuePriority(level: state.raised - 1)) }
        if state.cancelsWithDependencies, !state.hasBegun { takeOverFailure(of: dependency) }
    }

    final func stopDepending(on dependency: Operation) {
        let mayMoveInStore = withEdges {
            guard dependencyList.remove(dependency), dependency.unregister(self) else { return false }
            return transition(.dependencyMet).contains(.reconcile)
        }
        if mayMoveInStore { core?.reconcile(self) }
    }

    /// Notes a dependency, under the mutex of the edges; false if it was there.
    @discardableResult
    private func list(_ dependency: Operation) -> Bool {
        guard !dependencyList.contains(dependency) else { return false }
        dependencyList.append(dependency)
        return true
    }

    // MARK: The dependency's set

    /// Adds a dependent that is not in it.
    /// - Parameter onlyAsFirst: Does so only if nobody else is in it.
    /// - Returns: False if it did not, or if this operation has finished.
    private func register(_ dependent: Operation, onlyAsFirst: Bool) -> Bool {
        locked {
            guard transition(.addDependent).contains(.accepted) else { return false }
            let reference = Unmanaged.passUnretained(dependent)
            if firstDependent == nil, extras?.dependents.isEmpty ?? true {
                firstDependent = reference
                return true
            }
            if onlyAsFirst { return false }
            let extras = self.extras ?? OperationExtras()
            self.extras = extras
            extras.dependents.append(reference)
            return true
        }
    }

    /// Takes a dependent off; false if it was not there, because it has been met or taken off before.
    private func unregister(_ dependent: Operation) -> Bool {
        locked {
            if firstDependent?.toOpaque() == Unmanaged.passUnretained(dependent).toOpaque() {
                firstDependent = nil
                return true
            }
            return extras?.dependents.remove(dependent) ?? false
        }
    }

    /// Tells every dependent that this operation has finished.
    /// - Parameters:
    ///   - core: The queue whose monitor the caller holds, if any.
    ///   - reconcile: Called at once, under the mutex, with each operation of that queue whose place in the store
    ///     may have changed.
    /// - Returns: Such operations of other queues, which the caller reconciles.
    @inline(__always)
    final func meetDependents(inside core: QueueCore?, _ reconcile: (Operation) -> Void) -> [Operation] {
        var woken: [Operation] = []
        locked {
            let event: OperationState.Event =
                state.isCancelled || extras?.error != nil ? .dependencyFailed : .dependencyMet
            if let first = firstDependent {
                firstDependent = nil
                Self.meet(first, event, inside: core, &woken, reconcile)
            }
            guard let extras, !extras.dependents.isEmpty else { return }
            extras.dependents.forEach { Self.meet($0, event, inside: core, &woken, reconcile) }
            extras.dependents = OperationList()
        }
        return woken
    }

    /// Brings one dependent's count down, under the mutex of the dependency.
    ///
    /// The dependent is alive until its count is down, but not a moment longer, unless something else holds it.
    /// One of the queue whose monitor the caller holds stays in that queue. Another that becomes ready is
    /// retained before. That is safe: only one in a queue becomes ready, and its queue cannot let go of it while
    /// the edge stands.
    @inline(__always)
    private static func meet(
        _ dependent: Unmanaged<Operation>, _ event: OperationState.Event, inside core: QueueCore?,
        _ woken: inout [Operation],
        _ reconcile: (Operation) -> Void
    ) {
        dependent._withUnsafeGuaranteedRef { dependent in
            var old = dependent.state
            while true {
                var new = old
                let isReconciled = new.apply(event).contains(.reconcile)
                let isInside = isReconciled && core != nil && dependent.belongs(to: core)
                if isReconciled, !isInside, woken.last !== dependent { woken.append(dependent) }
                if let current = dependent.replace(old, by: new) {
                    old = current
                    continue
                }
                return isInside ? reconcile(dependent) : ()
            }
        }
    }

    // MARK: The end

    /// Takes back every edge that has not been met, of an operation that finished early or is being released.
    final func unregisterFromDependencies() {
        for dependency in withEdges({ dependencyList.all }) where dependency.unregister(self) {
            _ = transition(.dependencyMet)
        }
    }

    /// Lets go of the dependencies without recursion, so that a chain of any length can be released.
    final func releaseDependencies() {
        var released = DependencyList()
        released.moveAll(from: &dependencyList)
        while var last = released.popLast() {
            // Nobody else can reach it: its own dependencies are ours to release.
            guard isKnownUniquelyReferenced(&last) else { continue }
            if last.state.unmetDependencies > 0 { last.unregisterFromDependencies() }
            released.moveAll(from: &last.dependencyList)
        }
    }
}
