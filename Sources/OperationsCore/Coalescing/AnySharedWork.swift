/// A piece of shared work, whatever comes of it: its operations, and those who want it.
///
/// All of it is under the lock of its group, which makes `@unchecked Sendable` true.
public class AnySharedWork: @unchecked Sendable {
    let group: SharedGroup
    /// What it is made from.
    let upstream: AnySharedWork?
    /// Its operations and where they run; none once they have ended.
    private(set) var operations: [(operation: Operation, queue: OperationQueue)] = []
    private var operationsLeft = 0
    private(set) var holders = SharedHolders()
    /// What was told so far, for those who come later: while its product is there, and after that.
    private var history: [(event: any Sendable, remembered: any Sendable)]
    /// Those who have yet to take its product: work behind it, and holders.
    private var claims = 0
    /// Whether it has taken what it is made from, or never will.
    private var hasTaken = false
    /// Nobody wants it any more.
    private var isGivenUp = false
    /// Whether it failed, so that who asks from now on has it done anew.
    private var hasFailed = false
    /// Its operations have ended, and what they held was let go.
    private(set) var isOver = false
    /// Called then, by the numbers of the holds that asked.
    private var whenOver: [Int: Countdown] = [:]
    /// Somebody is telling its operations how urgent they are.
    private var isTellingPriority = false
    /// Takes it out of its table.
    var leaveTable: (inout [any Sendable]) -> Void = { _ in }
    private var companion: (any Sendable)?

    init(
        group: SharedGroup, after upstream: AnySharedWork?, keeping companion: (any Sendable)?,
        history: [any Sendable]
    ) {
        self.group = group
        self.upstream = upstream
        self.companion = companion
        self.history = history.map { ($0, $0) }
        upstream?.addClaim()
    }

    /// It and all that it is made from.
    var chain: some Sequence<AnySharedWork> { sequence(first: self) { $0.upstream } }

    /// Whether those who come later join it: neither it nor what it is made from has failed or was cancelled.
    @usableFromInline var canBeJoined: Bool { !chain.contains { $0.hasFailed || $0.isCancelled } }

    /// Whether somebody has cancelled one of its operations in its queue, so that nothing will come of it.
    private var isCancelled: Bool { operations.contains { $0.operation.state.isCancelled } }

    /// The first piece of the chain.
    var first: AnySharedWork {
        var first = self
        for work in chain { first = work }
        return first
    }

    /// What belongs to the work or to what it is made from, if it is of a given kind.
    func companion<Kind>(inChain kind: Kind.Type) -> Kind? {
        // That of the first piece counts.
        var found: Kind?
        for work in chain { if let kept = work.companion as? Kind { found = kept } }
        return found
    }

    /// What belongs to the work, if it is of a given kind; nil once it was let go.
    public func companion<Kind>(_ kind: Kind.Type, _ access: inout SharedAccess) -> Kind? { companion as? Kind }

    func setOperations(_ operations: [(operation: Operation, queue: OperationQueue)]) {
        self.operations = operations
        operationsLeft = operations.count
        var before = upstream?.operations.last?.operation
        for (operation, _) in operations {
            if let before { operation.addDependency(before) }
            before = operation
            operation.completionBlock = { [self] in operationEnded() }
        }
    }

    // MARK: Those who want it

    /// Adds one to it and to all that it is made from, of which he is told first what it has told. ``tellPriorities()`` follows.
    func add(
        _ number: Int, _ observer: (any SharedWorkObserver)?, isLast: Bool, _ priority: Operation.QueuePriority
    ) {
        for work in Array(chain).reversed() {
            let isLast = isLast && work === self
            work.holders.insert(number, SharedHolders.Holder(observer: observer, isLast: isLast, priority: priority))
            for (event, _) in work.history { observer?.note(event, isLast: isLast) }
        }
    }

    /// Takes one of them out of this work.
    /// - Returns: Whether it is to be cancelled, or is ending, and so has to be waited for.
    private func remove(_ number: Int, _ leavings: inout [any Sendable]) -> Bool {
        if let observer = holders.remove(number)?.observer { leavings.append(observer) }
        guard !hasEnded else { return !isOver }
        holders.passOn()
        guard holders.isEmpty, !isGivenUp else { return false }
        isGivenUp = true
        leaveTable(&leavings)
        // It may be long until its operations end, in a queue that is suspended.
        settleClaim(&leavings)
        return true
    }

    /// Takes one of them out of all of the chain. ``tellPriorities()`` follows.
    /// - Parameter whenGone: Called when the work that nobody else wants, and what is ending, is over.
    /// - Returns: The operations that are to be cancelled, in their order; nil if there is nothing to wait for.
    func leave(
        _ number: Int, _ leavings: inout [any Sendable], whenGone: @escaping @Sendable () -> Void
    ) -> [Operation]? {
        // The rest may go on for long.
        for work in chain { if let left = work.whenOver.removeValue(forKey: number) { leavings.append(left) } }
        let gone = chain.filter { $0.remove(number, &leavings) }
        guard !gone.isEmpty else { return nil }
        let left = Countdown(gone.count, whenZero: whenGone)
        for work in gone { work.whenOver[number] = left }
        // From the end, so that nothing starts because what it depends on was cancelled.
        return gone.flatMap { $0.operations.reversed().map(\.operation) }
    }

    /// Has a closure called when all of the chain is over, unless the one with this number leaves.
    /// - Returns: Whether it will be; false if it is over.
    func notifyWhenOver(_ number: Int, _ handler: @escaping @Sendable () -> Void) -> Bool {
        let running = chain.count { !$0.isOver }
        guard running > 0 else { return false }
        let left = Countdown(running, whenZero: handler)
        for work in chain where !work.isOver { work.whenOver[number] = left }
        return true
    }

    /// Notes how urgent it is for one of them, in all of the chain. ``tellPriorities()`` follows.
    func setPriority(_ priority: Operation.QueuePriority, of number: Int) {
        for work in chain { work.holders.setPriority(priority, of: number) }
    }

    /// Gives the operations of the chain the priority of the most urgent one. Not under the lock: what a subclass does about its
    /// priority, and what follows from that in a queue, may ask the group again.
    func tellPriorities() {
        var due = group.withLock { _ in chain.filter { $0.beginTelling() } }
        // What something is made from is as urgent first.
        while let work = due.popLast() {
            var told: Operation.QueuePriority?
            while let (operations, most) = group.withLock({ _ in work.nextToTell(after: told) }) {
                for operation in operations { operation.queuePriority = most }
                told = most
            }
        }
    }

    /// Whether the calling thread has to tell the operations; not if another one does, which goes on until they know.
    private func beginTelling() -> Bool {
        guard !isTellingPriority, let most = holders.priority, !operations(unlike: most).isEmpty else { return false }
        isTellingPriority = true
        return true
    }

    /// - Parameter told: What they were told last; one that does not take it is not told again.
    private func nextToTell(after told: Operation.QueuePriority?) -> ([Operation], Operation.QueuePriority)? {
        guard let most = holders.priority, most != told, case let operations = operations(unlike: most),
            !operations.isEmpty
        else {
            isTellingPriority = false
            return nil
        }
        return (operations, most)
    }

    /// Goes by the engine's word, as a subclass may have a say in all else.
    private func operations(unlike priority: Operation.QueuePriority) -> [Operation] {
        operations.lazy.map(\.operation).filter { $0.state.priorityLevel != priority.level && !$0.state.isFinished }
    }

    /// Tells all of them what happened.
    /// - Parameters:
    ///   - event: What those are told who want it now.
    ///   - remembered: What those are told who come when the product has been taken; nil, the default, for the same.
    public func tell(_ event: any Sendable, remembering remembered: (any Sendable)? = nil) {
        let observers = group.withLock { _ in note(event, remembered) }
        for observer in observers { observer.deliver() }
    }

    func note(_ event: any Sendable, _ remembered: (any Sendable)?) -> [any SharedWorkObserver] {
        history.append((event, remembered ?? event))
        holders.forEach { $0.observer?.note(event, isLast: $0.isLast) }
        return holders.observers
    }

    // MARK: Its end

    func noteFailure() { hasFailed = true }

    private var hasEnded: Bool { operationsLeft == 0 }
    /// Whether there is something to take.
    var hasProduct: Bool { false }

    private func operationEnded() {
        let hasEnded = group.withLock { leavings in
            operationsLeft -= 1
            guard self.hasEnded else { return false }
            settleClaim(&leavings)
            if claims == 0 { retire(&leavings) }
            return true
        }
        guard hasEnded else { return }
        // Only now, as whoever is told may count on what was let go.
        let handlers = group.withLock { _ in
            isOver = true
            defer { whenOver = [:] }
            return whenOver.sorted { $0.key < $1.key }
        }
        for (_, handler) in handlers { handler.countDown() }
    }

    /// Has it no longer waited for by what it is made from.
    /// - Returns: Whether it was until now, and so may take that.
    @discardableResult
    func settleClaim(_ leavings: inout [any Sendable]) -> Bool {
        guard let upstream, !hasTaken else { return false }
        hasTaken = true
        upstream.dropClaim(&leavings)
        return true
    }

    func addClaim() { claims += 1 }

    func dropClaim(_ leavings: inout [any Sendable]) {
        claims -= 1
        if claims == 0, hasEnded || hasProduct { retire(&leavings) }
    }

    /// Nobody will take its product any more: lets go of that and of what belongs to it, and of the rest once its operations
    /// have ended, which is noticed a moment later.
    func retire(_ leavings: inout [any Sendable]) {
        leaveTable(&leavings)
        leavings.append(history.map(\.event))
        for index in history.indices { history[index].event = history[index].remembered }
        if let companion { leavings.append(companion) }
        companion = nil
        guard hasEnded else { return }
        leavings.append(holders.observers)
        leavings.append(operations.map(\.operation))
        operations = []
        holders.removeAll()
    }
}
