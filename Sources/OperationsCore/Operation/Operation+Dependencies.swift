import Foundation

// An edge lives in three places: the dependent's list, the count in the dependent's word, and the dependency's
// set of dependents. No two operations' mutexes are ever held together. What keeps the three in line:
//
// - The count goes up before the edge is registered with the dependency, so that it can never be met too early.
// - Whoever takes the edge off the dependency's set, one under its mutex, brings the count down.
// - The set does not keep dependents alive. A dependent with a count takes its edges back before it goes, which
//   needs the dependency's mutex; while that is held, every operation in the set is alive.
extension Operation {
    /// Beyond this many, finding a dependency goes through a set.
    private static let indexedFrom = 16

    final func depend(on dependency: Operation) {
        Misuse.require(dependency !== self, Misuse.dependsOnItself(self))
        guard list(dependency), !dependency.state.isFinished else { return }
        let actions = transition(.dependencyAdded)
        guard actions.contains(.accepted) else { return }
        if actions.contains(.reconcile) { core?.reconcile(self) }
        guard dependency.register(self) else { return dependencyIsMet() }
        // It finished early meanwhile, and may have taken back its edges before this one was there.
        if state.isFinished, dependency.unregister(self) { dependencyIsMet() }
    }

    final func stopDepending(on dependency: Operation) {
        guard unlist(dependency), dependency.unregister(self) else { return }
        dependencyIsMet()
    }

    private func dependencyIsMet() {
        if transition(.dependencyMet).contains(.reconcile) { core?.reconcile(self) }
    }

    // MARK: The dependent's list

    /// Notes a dependency; false if it was there.
    private func list(_ dependency: Operation) -> Bool {
        locked {
            let identifier = ObjectIdentifier(dependency)
            if dependencyList.count < Self.indexedFrom {
                guard !dependencyList.contains(dependency) else { return false }
            } else {
                let extras = self.extras ?? OperationExtras()
                self.extras = extras
                if extras.dependencyIndex.isEmpty {
                    extras.dependencyIndex = Set(dependencyList.lazy.map { ObjectIdentifier($0) })
                }
                guard extras.dependencyIndex.insert(identifier).inserted else { return false }
            }
            dependencyList.append(dependency)
            return true
        }
    }

    /// Forgets a dependency; false if it was not there. The caller's reference outlives the mutex.
    private func unlist(_ dependency: Operation) -> Bool {
        locked {
            guard let index = dependencyList.firstIndex(where: { $0 === dependency }) else { return false }
            _ = dependencyList.remove(at: index)
            extras?.dependencyIndex.remove(ObjectIdentifier(dependency))
            if dependencyList.count < Self.indexedFrom { extras?.dependencyIndex = [] }
            return true
        }
    }

    // MARK: The dependency's set

    /// Adds a dependent; false if this operation has finished.
    private func register(_ dependent: Operation) -> Bool {
        locked {
            guard transition(.addDependent).contains(.accepted) else { return false }
            let reference = Unmanaged.passUnretained(dependent)
            if firstDependent == nil {
                firstDependent = reference
            } else {
                let extras = self.extras ?? OperationExtras()
                self.extras = extras
                extras.dependents[reference.toOpaque(), default: 0] += 1
            }
            return true
        }
    }

    /// Takes a dependent off; false if it was not there, because it has been met or taken off before.
    private func unregister(_ dependent: Operation) -> Bool {
        locked {
            let reference = Unmanaged.passUnretained(dependent).toOpaque()
            if let times = extras?.dependents[reference] {
                extras?.dependents[reference] = times > 1 ? times - 1 : nil
                return true
            }
            guard let first = firstDependent, first.toOpaque() == reference else { return false }
            firstDependent = nil
            return true
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
            for (reference, times) in extras.dependents {
                for _ in 0..<times { Self.meet(.fromOpaque(reference), event, inside: core, &woken, reconcile) }
            }
            extras.dependents = [:]
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
        for dependency in locked({ dependencyList }) where dependency.unregister(self) {
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
