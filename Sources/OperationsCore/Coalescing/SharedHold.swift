/// One's hold on a chain of shared work, see ``SharedGroup/hold(priority:observer:takesProduct:_:)``.
///
/// It is started once, and is over when the chain is, or when it has been cancelled and what nobody else wants has come to
/// its end. Dropping it cancels nothing. It may be used from any thread.
// What changes is under the lock of the group, which makes `@unchecked Sendable` true.
public final class SharedHold<Product: Sendable>: @unchecked Sendable {
    /// The work whose product is wanted.
    public let last: SharedWork<Product>

    /// What the work knows it by.
    private let number: Int
    private let group: SharedGroup
    private var added: [AnySharedWork]
    private var isStarted = false
    private var isCancelled = false
    private var hasLeft = false
    /// Whether the product is kept for it.
    private var hasClaim: Bool
    /// Nil before the start and after the end.
    private var whenOver: (@Sendable () -> Void)?

    /// Under the group's lock.
    init(
        _ last: SharedWork<Product>, number: Int, added: [AnySharedWork], in group: SharedGroup, hasClaim: Bool
    ) {
        self.last = last
        self.number = number
        self.group = group
        self.added = added
        self.hasClaim = hasClaim
    }

    deinit {
        if hasClaim { group.withLock { last.dropClaim(&$0) } }
    }

    /// What belongs to the work that is held, if a piece of it has something of a given kind; nil once that was let go.
    public func companion<Kind>(_ kind: Kind.Type) -> Kind? { group.withLock { _ in last.companion(inChain: kind) } }

    /// The last operation of the last piece, for others to depend on; nil once it has ended.
    public var operation: Operation? { group.withLock { _ in last.operations.last?.operation } }

    /// Puts the operations that were made for it into their queues.
    /// - Parameter whenOver: Called once, on any thread, when all of the chain is over, or cancelled and come to its end.
    public func start(whenOver: @escaping @Sendable () -> Void) {
        let (added, isOver, isCancelled) = group.withLock { _ in
            isStarted = true
            self.whenOver = whenOver
            defer { self.added = [] }
            return (self.added, !last.notifyWhenOver(number) { [self] in end() }, self.isCancelled)
        }
        for work in added {
            for (operation, queue) in work.operations { queue.addOperation(operation) }
        }
        if isOver { end() }
        if isCancelled { leave() }
    }

    /// Takes the product; the last who takes it has it alone.
    ///
    /// - Returns: nil before there is a product, if the work was cancelled or was held without its product, and after it was
    ///   taken.
    public func take() -> Product? {
        group.withLock { leavings in
            guard hasClaim, let product = last.made else { return nil }
            hasClaim = false
            last.dropClaim(&leavings)
            return product
        }
    }

    /// Lets go of the work, which is cancelled as far as nobody else wants it, and of its product. Before the start it is noted;
    /// later calls do nothing.
    public func cancel() {
        let isStarted = group.withLock { _ in
            isCancelled = true
            return self.isStarted
        }
        if isStarted { leave() }
    }

    /// Says how urgent it is from now on.
    public func setPriority(_ priority: Operation.QueuePriority) {
        group.withLock { _ in last.setPriority(priority, of: number) }
        last.tellPriorities()
    }

    /// Whether this is the one who has wanted the first work of the chain longest, of those who did not give it up.
    public var isFirst: Bool { group.withLock { _ in last.first.holders.first == number } }

    private func leave() {
        let operations = group.withLock { leavings -> [Operation]? in
            guard !hasLeft else { return [] }
            hasLeft = true
            if hasClaim { last.dropClaim(&leavings) }
            hasClaim = false
            return last.leave(number, &leavings) { [self] in end() }
        }
        last.tellPriorities()
        guard let operations else { return end() }
        for operation in operations { operation.cancel() }
    }

    private func end() {
        let end = group.withLock { _ in whenOver.take() }
        end?()
    }
}
