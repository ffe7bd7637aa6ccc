/// What a queue knows, but for its lock: its operations, which of them may start, and how many do.
///
/// Nothing in here locks, blocks or calls anybody else's code; `QueueCore` does all of that.
struct QueueState {
    struct Barrier {
        let sequence: UInt64
        let block: @Sendable () -> Void
    }

    /// What a worker may do next.
    enum Work {
        /// Alive for as long as the queue's lock is held; the worker has to retain it.
        case operation(Unmanaged<Operation>)
        case barrier(@Sendable () -> Void)
    }

    private(set) var members = MemberList()
    private(set) var store = ReadyStore<Operation>()
    private var nextSequence: UInt64 = 1
    /// Barriers that have not finished, the first to come first. Operations behind it stay out of the store.
    private(set) var barriers = Line<Barrier>()
    private(set) var isBarrierRunning = false
    /// Operations that hold a place, from being taken until they finish, and a running barrier.
    private(set) var running = 0
    /// A worker has been asked for and has not looked for work yet.
    private(set) var isSearching = false
    /// How often work was taken.
    private(set) var turns: UInt64 = 0
    /// As set: -1 for the default.
    var width: Int
    var isSuspended = false

    private var limiter: RateLimiter? {
        didSet { isLimited = limiter != nil }
    }
    /// Quicker to ask than the limiter.
    private(set) var isLimited = false
    /// The wait for the rate limit that is under way.
    private var rateWait: RateWait?
    private var rateWaits = 0

    /// Where events are taken down.
    private let hub: EventHub

    init(width: Int, hub: EventHub) {
        self.width = width
        self.hub = hub
    }

    /// It has operations that it could run, none of them may start, and none runs.
    var isStalled: Bool {
        members.count > 0 && running == 0 && !isSuspended && width != 0 && store.isEmpty && !isBarrierReady
    }

    /// Which of the operations that may start comes first within a priority.
    var order: ExecutionOrder {
        get { store.order }
        set { store.order = newValue }
    }

    var isDrained: Bool { members.count == 0 && barriers.isEmpty }

    /// A width that was asked for is given at once; the default one as the machine allows.
    var urgency: Urgency { width < 0 ? .elastic : .prompt }

    /// The same for looking for work, which can wait if somebody is at work already, and cannot if nobody is.
    var searchUrgency: Urgency {
        guard width < 0 else { return urgency }
        return running > 0 ? .patient : .brief
    }

    var hasFreePlace: Bool { width < 0 || running < width }

    // MARK: Operations

    /// Takes an operation in that `core`, whose state this is, has adopted, with a reference to it.
    /// - Returns: False if it finished before; then the reference is the caller's.
    mutating func add(_ reference: Unmanaged<Operation>, to core: QueueCore) -> Bool {
        reference._withUnsafeGuaranteedRef { operation in
            operation.sequence = nextSequence
            let actions = operation.transition(.enqueue)
            // Which the operation gives back; the caller has one meanwhile.
            _ = Unmanaged.passRetained(core)
            guard actions.contains(.accepted) else {
                if hub.isObserved { hub.post(.finished, operation) }
                return false
            }
            nextSequence += 1
            members.append(reference)
            reconcile(operation)
            return true
        }
    }

    /// Somebody will change the state for certain before another operation could start; so those that are added
    /// now may wait in the intake. In the order `lifo` even the one that comes next is not known without them.
    var attendsToIntake: Bool {
        !isDrained && (isSearching || isSuspended || !hasFreePlace) && order == .fifo
    }

    /// What the store would give next need not come before those in the intake: they are later, but their priority
    /// may be normal. Higher ones are not left in there.
    var needsIntake: Bool { store.highestLevel < Int(PriorityLevel.normal) }

    /// Brings the store in line with an operation's word.
    ///
    /// Whoever changed the word calls it afterwards; because it looks at the word and not at the change, it does
    /// not matter in which order two of them come.
    mutating func reconcile(_ operation: Operation) {
        let state = operation.state
        if state.phase == .ready, !isBehindBarrier(operation) {
            if operation.storePlace.isPresent {
                store.move(operation, to: state.priorityLevel)
            } else {
                store.insert(operation, level: state.priorityLevel)
                if hub.isObserved || state.isObserved { hub.post(.ready, operation) }
            }
        } else {
            store.remove(operation)
        }
    }

    /// Takes a finished operation out.
    mutating func remove(_ operation: Operation, releasingPlace: Bool) -> Unmanaged<Operation> {
        store.remove(operation)
        if releasingPlace { running -= 1 }
        return members.remove(operation)
    }

    /// Takes the place back from an operation that was taken, and does not start now.
    mutating func putAside() {
        running -= 1
        if isLimited { limiter?.giveBack() }
    }

    // MARK: Barriers

    private func isBehindBarrier(_ operation: Operation) -> Bool {
        guard !barriers.isEmpty, let barrier = barriers.first else { return false }
        return barrier.sequence < operation.sequence
    }

    mutating func addBarrier(_ block: @escaping @Sendable () -> Void) {
        barriers.append(Barrier(sequence: nextSequence, block: block))
        nextSequence += 1
    }

    /// The first barrier can run: nothing that was added before it is left.
    private var isBarrierReady: Bool {
        guard !barriers.isEmpty, let barrier = barriers.first, !isBarrierRunning else { return false }
        guard let oldest = members.first else { return true }
        return oldest._withUnsafeGuaranteedRef { $0.sequence > barrier.sequence }
    }

    mutating func finishBarrier() -> Barrier? {
        isBarrierRunning = false
        running -= 1
        let finished = barriers.popFirst()
        admitMembers()
        return finished
    }

    /// Forgets the barriers that have not begun, and returns them for release. What they held back stays out of
    /// the store until `admitMembers()`, so that it can be cancelled first.
    mutating func dropBarriers() -> [Barrier] {
        barriers.removeAll(butFirst: isBarrierRunning ? 1 : 0)
    }

    /// Puts into the store what the barriers that are gone held back.
    mutating func admitMembers() {
        var member = members.first
        while let current = member {
            let isHeld = current._withUnsafeGuaranteedRef { operation in
                guard !isBehindBarrier(operation) else { return true }
                reconcile(operation)
                member = operation.nextMember
                return false
            }
            if isHeld { return }
        }
    }

    // MARK: Work

    /// A worker could be asked for, if there were work.
    var mayBeginSearch: Bool { !isSearching && !isSuspended && hasFreePlace }

    /// There is something for a worker to take. Mutating, because a call that only reads copies all of the state.
    mutating func hasWork() -> Bool { !store.isEmpty && isWithinRate || isBarrierReady }

    /// The next thing to do, which takes a place in the width.
    mutating func takeWork() -> Work? {
        guard !isSuspended, hasFreePlace else { return nil }
        if isBarrierReady, let barrier = barriers.first {
            isBarrierRunning = true
            running += 1
            turns += 1
            return .barrier(barrier.block)
        }
        while isWithinRate, let operation = store.popFirst() {
            let isClaimed = operation._withUnsafeGuaranteedRef { $0.transition(.claim).contains(.accepted) }
            // Otherwise somebody has just changed the word, and will reconcile.
            guard isClaimed else { continue }
            if isLimited { takeToken(for: operation) }
            running += 1
            turns += 1
            return .operation(operation)
        }
        return nil
    }

    /// True if a worker should be asked for, which the caller has to do.
    mutating func beginSearch() -> Bool {
        guard mayBeginSearch, hasWork() else { return false }
        isSearching = true
        return true
    }

    mutating func endSearch() { isSearching = false }
}

// MARK: - The rate limit

extension QueueState {
    /// A sleep of the queue's clock, after which it looks for work again.
    struct RateWait {
        let delay: Duration
        fileprivate let number: Int
    }

    var rateLimit: RateLimit? {
        get { limiter?.limit }
        set {
            limiter = newValue.map { RateLimiter($0) }
            // The wait that is under way is for another limit.
            rateWait = nil
        }
    }

    @inline(__always)
    private var isWithinRate: Bool {
        guard isLimited, let limiter else { return true }
        return limiter.delay(at: hub.elapsed) <= .zero
    }

    private mutating func takeToken(for operation: Unmanaged<Operation>) {
        guard operation._withUnsafeGuaranteedRef({ !$0.state.isCancelled }) else { return }
        let now = hub.elapsed
        limiter?.take(at: now)
    }

    /// Says how long to sleep, if only the rate limit holds work back and nobody sleeps for it yet.
    @inline(__always)
    mutating func beginRateWait() -> RateWait? {
        guard isLimited, let limiter, rateWait == nil, !isSuspended, hasFreePlace, !store.isEmpty else { return nil }
        let delay = limiter.delay(at: hub.elapsed)
        guard delay > .zero else { return nil }
        rateWaits += 1
        rateWait = RateWait(delay: delay, number: rateWaits)
        return rateWait
    }

    mutating func endRateWait(_ wait: RateWait) {
        if rateWait?.number == wait.number { rateWait = nil }
    }
}
