/// Tables of shared work of which one is made from another's products, see ``Shared``.
///
/// One lock guards them all: whoever wants the product of a chain finds the furthest work that is there, with nothing slipping
/// away in between, joins all of the chain at once, and leaves it at once. `Event` is what work tells those who want it;
/// `Never` where it tells nothing.
public final class SharedGroup<Event: Sendable>: Sendable {
    /// How many holds there were.
    private let lock = Lock(0)

    /// A group without tables.
    public init() {}

    /// Joins a chain of work, which is found or made.
    ///
    /// - Parameters:
    ///   - priority: How urgent it is; the most urgent of those who want a piece of work counts for its operations. Default:
    ///     normal.
    ///   - observer: Who is told how the work goes on, beginning with what was told before. Default: nobody.
    ///   - takesProduct: Whether the product is kept for ``SharedHold/take()``. Default: true. False where the observer is told
    ///     all that is wanted.
    ///   - find: Finds or makes the work, by the tables of this group, under its lock: it must not run anything. It gives the
    ///     last piece of the chain, or nil if no work is needed; then it adds none.
    /// - Returns: A hold on the chain, to be started in any case; nil if no work is needed.
    public func hold<Product>(
        priority: Operation.QueuePriority = .normal, observer: (any SharedWorkObserver<Event>)? = nil,
        takesProduct: Bool = true, _ find: (inout SharedAccess<Event>) -> SharedWork<Product, Event>?
    ) -> SharedHold<Product, Event>? {
        lock.withLock { holds in
            var access = SharedAccess<Event>()
            guard let last = find(&access) else { return nil }
            holds += 1
            if takesProduct { last.addClaim() }
            last.add(holds, observer, isLast: true, priority)
            return SharedHold(last, number: holds, added: access.added, in: self, hasClaim: takesProduct)
        }
    }

    /// Calls a closure with what it has to let go of: that is released outside the lock, as its end may call anything.
    func withLock<Result>(_ body: (inout [any Sendable]) -> Result) -> Result {
        var leavings: [any Sendable] = []
        defer { withExtendedLifetime(leavings) {} }
        return lock.withLock { _ in body(&leavings) }
    }

    // MARK: What holders do

    /// Calls a closure when a chain of work is over; at once, if it is.
    func whenOver(_ last: AnySharedWork<Event>, _ handler: @escaping @Sendable () -> Void) {
        let isOver = withLock { _ in
            var running = 0
            last.eachRunning { _ in running += 1 }
            guard running > 0 else { return true }
            let left = Countdown(running, whenZero: handler)
            last.eachRunning { $0.whenOver.append { left.countDown() } }
            return false
        }
        if isOver { handler() }
    }

    /// Takes a holder out of all work of its chain, and cancels what nobody else wants.
    ///
    /// - Parameter whenGone: Called when the cancelled work and what is ending are over; at once, if there is none.
    func leave(_ last: AnySharedWork<Event>, _ number: Int, whenGone: @escaping @Sendable () -> Void) {
        let operations = withLock { leavings -> [Operation]? in
            let gone = last.chain.filter { $0.remove(number, &leavings) }
            guard !gone.isEmpty else { return nil }
            let left = Countdown(gone.count, whenZero: whenGone)
            for work in gone { work.whenOver.append { left.countDown() } }
            // From the end, so that nothing starts because what it depends on was cancelled.
            return gone.flatMap { $0.operations.reversed().map(\.operation) }
        }
        guard let operations else { return whenGone() }
        for operation in operations { operation.cancel() }
    }

    func setPriority(_ priority: Operation.QueuePriority, of number: Int, _ last: AnySharedWork<Event>) {
        withLock { _ in
            for work in last.chain { work.setPriority(priority, of: number) }
        }
    }
}

/// Access to the tables of a group, which its lock allows; see ``SharedGroup/hold(priority:observer:takesProduct:_:)``.
public struct SharedAccess<Event: Sendable> {
    /// Work that was made, and is yet to be put into its queues.
    var added: [AnySharedWork<Event>] = []
}
