/// Tables of shared work of which one is made from another's products, see ``Shared``.
///
/// One lock guards them all: whoever wants the product of a chain finds the furthest work that is there, with nothing slipping
/// away in between, joins all of the chain at once, and leaves it at once.
public final class SharedGroup: Sendable {
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
        priority: Operation.QueuePriority = .normal, observer: (any SharedWorkObserver)? = nil,
        takesProduct: Bool = true, _ find: (inout SharedAccess) -> SharedWork<Product>?
    ) -> SharedHold<Product>? {
        let hold: SharedHold<Product>? = lock.withLock { holds in
            var access = SharedAccess()
            guard let last = find(&access) else { return nil }
            holds += 1
            if takesProduct { last.addClaim() }
            last.add(holds, observer, isLast: true, priority)
            return SharedHold(last, number: holds, added: access.added, in: self, hasClaim: takesProduct)
        }
        hold?.last.tellPriorities()
        return hold
    }

    /// Calls a closure with what it has to let go of: that is released outside the lock, as its end may call anything.
    func withLock<Result>(_ body: (inout [any Sendable]) -> Result) -> Result {
        var leavings: [any Sendable] = []
        defer { withExtendedLifetime(leavings) {} }
        return lock.withLock { _ in body(&leavings) }
    }
}

/// Access to the tables of a group, which its lock allows; see ``SharedGroup/hold(priority:observer:takesProduct:_:)``.
public struct SharedAccess {
    /// Work that was made, and is yet to be put into its queues.
    fileprivate var added: [AnySharedWork] = []

    /// Notes work that was put into a table.
    /// - Parameter leaveTable: Takes it out of there.
    @usableFromInline
    mutating func add(
        _ work: AnySharedWork, _ operations: [(operation: Operation, queue: OperationQueue)],
        leaveTable: @escaping (inout [any Sendable]) -> Void
    ) {
        work.leaveTable = leaveTable
        work.setOperations(operations)
        added.append(work)
    }
}
