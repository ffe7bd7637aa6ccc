extension Operation {
    /// Keys of all operations that hold some or wait for some, in whatever queue.
    private static let exclusion = Lock(ExclusionState<Operation, SharedKey>())

    private typealias Woken = ExclusionState<Operation, SharedKey>.Woken

    /// The keys, as they were set before it was added.
    private final var keys: [SharedKey] { locked { extras?.sharedKeys ?? [] } }

    /// Takes the operation's keys before its start, if it has some.
    /// - Returns: False if it has to be put aside; then it is told by `readinessChanged` when to try again.
    final func acquireExclusion() -> Bool {
        let state = state
        guard state.isExclusive, let core else { return true }
        let (keys, order) = (keys, core.order)
        let rank = ExclusionLine.Rank(level: state.priorityLevel, sequence: sequence)
        let (isAcquired, woken) = Self.withExclusion {
            $0.acquire(keys, for: ObjectIdentifier(self), of: ObjectIdentifier(core), rank, order, self)
        }
        // It may have begun a line in the order that was.
        if !isAcquired, core.order != order { Self.orderExclusion(of: core) }
        Self.wake(woken)
        return isAcquired
    }

    /// It was put aside because others hold its keys.
    final var waitsForKeys: Bool {
        state.isExclusive && Self.withExclusion { $0.isWaiting(ObjectIdentifier(self)) }
    }

    /// The operation that holds the key that this one waits for, if it waits for one.
    final var keyHolder: Operation? {
        guard state.isExclusive else { return nil }
        return Self.withExclusion { exclusion in
            let holder = exclusion.holder(awaitedBy: ObjectIdentifier(self)).map { UInt(bitPattern: $0) }
            guard let address = holder.flatMap(UnsafeRawPointer.init(bitPattern:)) else { return nil }
            // Who holds a key is in its queue, which keeps it until it has given that back.
            return Unmanaged<Operation>.fromOpaque(address).takeUnretainedValue()
        }
    }

    /// Gives the keys back, if it has some, and has others try.
    final func releaseExclusion() {
        guard state.isExclusive else { return }
        Self.wake(Self.withExclusion { $0.release(of: ObjectIdentifier(self)) })
    }

    /// Lets others try, if it was to try itself and cannot for now.
    final func declineExclusion() {
        guard state.isExclusive else { return }
        Self.wake(Self.withExclusion { $0.decline(ObjectIdentifier(self)) })
    }

    /// Lets others try, if a dependency came after it was to try.
    final func declineIfWaiting() {
        if state.phase == .waiting { declineExclusion() }
    }

    /// Has an operation that waits for keys try again, since its priority or its keys are others now.
    final func reconsiderExclusion() {
        let state = state
        guard state.isExclusive, state.phase == .parked || state.phase == .claimed else { return }
        if transition(.readinessChanged).contains(.reconcile) { core?.reconcile(self) }
    }

    /// Has those that wait for keys come in their queue's order, which has changed.
    static func orderExclusion(of core: QueueCore) {
        var order: ExecutionOrder
        repeat {
            order = core.order
            withExclusion { $0.setOrder(order, of: ObjectIdentifier(core)) }
        } while core.order != order
    }

    private static func wake(_ woken: [Woken]) {
        var (rest, ready) = (woken, [Operation]())
        while let next = rest.popLast()?.waiter {
            if next.transition(.readinessChanged).contains(.reconcile) {
                ready.append(next)
            } else if next.state.phase == .waiting {
                // A dependency came meanwhile.
                rest += withExclusion { $0.decline(ObjectIdentifier(next)) }
            }
        }
        // Each queue gets its own at once, so that it can choose the first of them.
        QueueCore.reconcile(ready)
        for each in woken {
            guard let key = each.passed else { continue }
            each.waiter.core?.afterSearch { wake(withExclusion { $0.pass(key) }) }
        }
    }

    private static func withExclusion<Result>(
        _ body: (inout ExclusionState<Operation, SharedKey>) -> Result
    ) -> Result {
        let (result, garbage) = exclusion.withLock { (body(&$0), $0.takeGarbage()) }
        withExtendedLifetime(garbage) {}
        return result
    }
}

extension OperationAdditions where Self: Operation {
    /// Operations that have a key in common never run at the same time, in whatever queues they are; none by default.
    ///
    /// An operation that could start but for its keys is put aside, takes no place in its queue's width, and starts
    /// when all its keys are free; it holds none of them before. Of several in one queue that wait for the same key the
    /// next is the one that the queue would start first; there is no order between queues, and one with several keys
    /// may be overtaken by those with fewer for as long as they keep coming. Keys have to be set before the operation
    /// is added to a queue, and matter only in a queue. Others that are set later count from the next time on that it could
    /// start; one that runs keeps those that it began with.
    public var exclusionKeys: Set<ExclusionKey> {
        get { locked { extras?.exclusionKeys ?? [] } }
        set {
            // What the keys are made of is asked before the mutex, and compared and released after it.
            let shared = SharedKey.of(newValue)
            let old = withExtras { extras in
                defer { (extras.exclusionKeys, extras.sharedKeys) = (newValue, shared) }
                return (extras.exclusionKeys, extras.sharedKeys)
            }
            guard !state.isExclusive else { return Set(old.1) == Set(shared) ? () : reconsiderExclusion() }
            guard !newValue.isEmpty, transition(.setExclusive).contains(.accepted) else { return }
            _ = notifyAtFinish { [unowned self] in releaseExclusion() }
        }
    }
}
