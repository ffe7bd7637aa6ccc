extension Operation {
    /// Keys of all operations that hold some or wait for some, in whatever queue.
    private static let exclusion = Lock(ExclusionState<Operation>())

    /// The keys, as they were set before it was added.
    fileprivate final var keys: Set<ExclusionKey> { locked { extras?.exclusionKeys ?? [] } }

    /// Takes the operation's keys before its start, if it has some.
    /// - Returns: False if it has to be put aside; then it is told by `readinessChanged` when to try again.
    final func acquireExclusion() -> Bool {
        guard state.isExclusive else { return true }
        let keys = keys
        return Self.exclusion.withLock { $0.acquire(keys, for: ObjectIdentifier(self), self) }
    }

    /// Gives the keys back, if it has some, and has others try.
    final func releaseExclusion() {
        guard state.isExclusive else { return }
        let keys = keys
        let (woken, forgotten) = Self.exclusion.withLock { $0.release(keys, of: ObjectIdentifier(self)) }
        // Each queue gets its own at once, so that it can choose the first of them.
        Self.reconcile(woken.filter { $0.transition(.readinessChanged).contains(.reconcile) })
        withExtendedLifetime(forgotten) {}
    }
}

extension OperationAdditions where Self: Operation {
    /// Operations that have a key in common never run at the same time, in whatever queues they are; none by default.
    ///
    /// An operation that could start but for its keys is put aside, takes no place in its queue's width, and starts
    /// when all its keys are free; it holds none of them before. Of several in one queue that wait for the same key the
    /// next is the one that the queue would start first; there is no order between queues, and one with several keys
    /// may be overtaken by those with fewer for as long as they keep coming. Keys have to be set before the operation
    /// is added to a queue, and matter only in a queue.
    public var exclusionKeys: Set<ExclusionKey> {
        get { locked { extras?.exclusionKeys ?? [] } }
        set {
            let old = withExtras { extras in
                defer { extras.exclusionKeys = newValue }
                return extras.exclusionKeys
            }
            guard old.isEmpty, !newValue.isEmpty, transition(.setExclusive).contains(.accepted) else { return }
            _ = notifyAtFinish { [unowned self] in releaseExclusion() }
        }
    }
}
