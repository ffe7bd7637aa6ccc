// An overridden `isReady` of an operation in no queue. Published subclasses begin work of their own in it, as Foundation reads it at
// each change, whoever observes it. In a queue the engine asks it before the start.
extension Operation {
    /// Has `isReady` read when a dependency has finished that was the last one.
    final func askReadiness(after dependency: Operation) {
        guard state.phase == .idle, mayOverrideReadiness else { return }
        let seen = dependency.withExtras(accepting: .addWaiter) { $0.askedDependents.insert(self) }
        withExtendedLifetime(seen) {}
        guard seen == nil else { return }
        // It has finished meanwhile. Whoever finishes it may still have to tell this one, and asks nobody then.
        meet(dependency)
        askReadiness()
    }

    /// Has `isReady` read, in no queue and where nothing hinders the operation. Called with no lock held.
    final func askReadiness() {
        let state = state
        if state.phase == .idle, state.isUnhindered, mayOverrideReadiness { _ = isReady }
    }

    /// Reads `isReady`, whatever it says, as Foundation does after a change that somebody reports.
    final func readReadiness() {
        if state.phase == .idle, mayOverrideReadiness { _ = isReady }
    }

    /// False for the engine's own classes that are most used: of them nobody has to be told.
    private final var mayOverrideReadiness: Bool {
        let type = ObjectIdentifier(type(of: self))
        // Those that begin where they are awaited are the engine's tasks.
        return type != ObjectIdentifier(BlockOperation.self) && type != ObjectIdentifier(Operation.self)
            && !beginsWhereAwaited
    }
}
