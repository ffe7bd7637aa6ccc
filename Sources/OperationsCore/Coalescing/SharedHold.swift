/// One's hold on a chain of shared work, see ``SharedGroup/hold(priority:observer:takesProduct:_:)``.
///
/// It is started once, and is over when the chain is, or when it has been cancelled and what nobody else wants has come to
/// its end. Dropping it cancels nothing. It may be used from any thread.
public final class SharedHold<Product: Sendable, Event: Sendable>: Sendable {
    private struct State {
        var added: [AnySharedWork<Event>]
        var isStarted = false
        var isCancelled = false
        var hasLeft = false
        /// Whether the product is kept for it.
        var hasClaim: Bool
        /// Nil before the start and after the end.
        var whenOver: (@Sendable () -> Void)?
    }

    /// The work whose product is wanted.
    public let last: SharedWork<Product, Event>

    /// What the work knows it by.
    private let number: Int
    private let group: SharedGroup<Event>
    private let state: Lock<State>

    /// Under the group's lock.
    init(
        _ last: SharedWork<Product, Event>, number: Int, added: [AnySharedWork<Event>], in group: SharedGroup<Event>,
        hasClaim: Bool
    ) {
        self.last = last
        self.number = number
        self.group = group
        state = Lock(State(added: added, hasClaim: hasClaim))
    }

    deinit { dropClaim() }

    /// What belongs to the work that is held, if a piece of it has something of a given kind; nil once that was let go.
    public func companion<Kind>(_ kind: Kind.Type) -> Kind? { group.withLock { _ in last.companion(inChain: kind) } }

    /// The last operation of the last piece, for others to depend on; nil once it has ended.
    public var operation: Operation? { group.withLock { _ in last.operations.last?.operation } }

    /// Puts the operations that were made for it into their queues.
    /// - Parameter whenOver: Called once, on any thread, when all of the chain is over, or cancelled and come to its end.
    public func start(whenOver: @escaping @Sendable () -> Void) {
        let (added, isCancelled) = state.withLock { state in
            state.isStarted = true
            state.whenOver = whenOver
            defer { state.added = [] }
            return (state.added, state.isCancelled)
        }
        for work in added {
            for (operation, queue) in work.operations { queue.addOperation(operation) }
        }
        group.whenOver(last) { [self] in end() }
        if isCancelled { leave() }
    }

    /// Takes the product; the last who takes it has it alone.
    ///
    /// - Returns: nil before there is a product, if the work was cancelled or was held without its product, and after it was
    ///   taken.
    public func take() -> Product? {
        group.withLock { leavings in
            // Under both locks, so that it is taken once; what it leaves is let go of under neither.
            state.withLock { state in
                guard state.hasClaim, let product = last.takeForHolder(&leavings) else { return nil }
                state.hasClaim = false
                return product
            }
        }
    }

    /// Lets go of the work, which is cancelled as far as nobody else wants it, and of its product. Before the start it is noted;
    /// later calls do nothing.
    public func cancel() {
        let isStarted = state.withLock { state in
            state.isCancelled = true
            return state.isStarted
        }
        if isStarted { leave() }
    }

    /// Says how urgent it is from now on.
    public func setPriority(_ priority: Operation.QueuePriority) {
        group.setPriority(priority, of: number, last)
    }

    /// Whether this is the one who has wanted the first work of the chain longest, of those who did not give it up.
    public var isFirst: Bool {
        group.withLock { _ in last.chain.last?.holders.first == number }
    }

    private func leave() {
        let isFirst = state.withLock { state in
            defer { state.hasLeft = true }
            return !state.hasLeft
        }
        guard isFirst else { return }
        dropClaim()
        group.leave(last, number) { [self] in end() }
    }

    private func dropClaim() {
        let hasClaim = state.withLock { state in
            defer { state.hasClaim = false }
            return state.hasClaim
        }
        if hasClaim { group.withLock { last.dropClaim(&$0) } }
    }

    private func end() {
        let end = state.withLock { $0.whenOver.take() }
        end?()
    }
}
