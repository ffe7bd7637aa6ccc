/// What a queue knows: its operations, which of them may start, and how many do. A plain value.
///
/// `apply` is all of its rules: it takes what happened and returns what follows from it. Nothing in here locks, blocks, reads a
/// clock or calls anybody else's code; `QueueCore` does that, and carries the actions out. Beside itself it changes only the
/// words of its operations, each in one atomic step.
struct QueueState {
    /// A sleep of the queue's clock, after which it looks for work again.
    struct RateWait: Equatable {
        let delay: Duration
        fileprivate let number: Int
    }

    /// What has gathered for whoever holds the lock: to be told of before it is released, and to be let go of afterwards.
    struct Outbox {
        var events: [(kind: QueueEvent.Kind, operation: Operation)] = []
        /// Operations that had finished before they arrived.
        var refused: [Unmanaged<Operation>] = []
        var barriers: [Barrier] = []
    }

    private(set) var members = MemberList()
    private var store = ReadyStore<Operation>()
    /// What came out of the intake and is not in the store yet, from the first on.
    private var arrivals: Unmanaged<Operation>?
    private var nextSequence: UInt64 = 1
    /// Barriers that have not finished, the first to come first. Operations behind it stay out of the store.
    private(set) var barriers = Line<Barrier>()
    private(set) var isBarrierRunning = false
    /// How many are about to cancel what barriers held back that they have dropped, the number of the first of those, and where
    /// those end that are about to be cancelled.
    private var drops = 0
    private var firstDropped = UInt64.max
    private var cancelledUpTo: UInt64 = 0
    /// Operations that hold a place, from being claimed until they finish, and a running barrier.
    private(set) var running = 0
    /// A worker has been asked for and is not there yet.
    private(set) var isSearching = false
    /// Of the search that is under way, or was the last one. Workers of earlier ones are welcome, but nobody waits for them.
    private(set) var search: UInt32 = 0
    /// Where that search asked for a worker.
    private var searchLane = Lane.standard
    /// The code of the queue's quality of service; 0 while it was never set.
    private var quality: UInt8 = 0
    /// How often work was claimed.
    private(set) var turns: UInt64 = 0
    /// -1 for the default.
    private(set) var width: Int
    private(set) var isSuspended = false
    private var limiter: RateLimiter? {
        didSet { isLimited = limiter != nil }
    }
    /// Quicker to ask than the limiter. Events of a limited queue have to say when they happened.
    private(set) var isLimited = false
    /// The wait for the rate limit that is under way.
    private var rateWait: RateWait?
    private var rateWaits = 0
    /// The time of the last event.
    private var now = Duration.zero
    /// Somebody wants to be told of all that happens to operations.
    var isObserved = false
    var outbox: Outbox?

    init(width: Int) { self.width = width }

    // MARK: Looking at it

    var isDrained: Bool { members.count == 0 && barriers.isEmpty }
    var order: ExecutionOrder { store.order }
    var rateLimit: RateLimit? { limiter?.limit }
    var hasFreePlace: Bool { width < 0 || running < width }
    var hasArrivals: Bool { arrivals != nil }

    /// It has operations that it could run, none of them may start, and none runs.
    var isStalled: Bool {
        members.count > 0 && running == 0 && !isSuspended && width != 0 && store.isEmpty && !isBarrierReady
    }

    /// A width that was asked for is given at once; the default one as the machine allows.
    var urgency: Urgency { width < 0 ? .elastic : .prompt }

    /// What is in the intake may come before what the store has: it is later, but its priority is normal. Higher ones are not
    /// left in there.
    @inline(__always)
    var needsIntake: Bool { arrivals == nil && storeIsLow }

    @inline(__always)
    private var storeIsLow: Bool { store.highestLevel < Int(PriorityLevel.normal) }

    // MARK: Events

    /// Takes over what came out of the intake, before the event that comes next.
    @inline(__always)
    mutating func receive(_ list: Unmanaged<Operation>?) {
        guard list != nil else { return }
        admitArrivals()
        arrivals = list
    }

    /// Moves on by what happened at a time, and says what follows.
    @inline(__always)
    mutating func apply(_ event: Event, by caller: Caller, at now: Duration = .zero) -> Actions {
        self.now = now
        if caller == .other { admitArrivals() }
        switch event {
        case .started: break
        case .workerCame(let number): if caller != .strayWorker, number == search { isSearching = false }
        case .ended(let operation, let freesPlace, let woken):
            operation._withUnsafeGuaranteedRef {
                store.remove($0)
                members.remove($0)
            }
            if freesPlace { running -= 1 }
            place(woken)
        case .wordsChanged(let woken): place(woken)
        default: applyRare(event)
        }
        return actions(for: caller)
    }

    @inline(never)
    private mutating func applyRare(_ event: Event) {
        switch event {
        case .added(let batch):
            arrivals = batch
            admitArrivals()
        case .barrierAdded(let reference):
            let barrier = reference.takeRetainedValue()
            barrier.sequence = nextSequence
            barriers.append(barrier)
            nextSequence += 1
        case .widthSet(let width):
            // The worker that is on its way may be long in coming, if it waits for one of the threads of the default width.
            if self.width < 0, width >= 0 { isSearching = false }
            self.width = width
        case .suspensionSet(let isSuspended): self.isSuspended = isSuspended
        case .orderSet(let order): store.order = order
        case .qualitySet(let code): quality = code
        case .rateLimitSet(let limit):
            limiter = limit.map { RateLimiter($0) }
            // The wait that is under way is for another limit.
            rateWait = nil
        case .poolReplaced: isSearching = false
        case .rateWaitEnded(let wait): if rateWait == wait { rateWait = nil }
        case .dropBarriers:
            let dropped = barriers.removeAll(butFirst: isBarrierRunning ? 1 : 0)
            drops += 1
            firstDropped = min(firstDropped, dropped.first?.sequence ?? .max)
            cancelledUpTo = nextSequence
            letGo { $0.barriers += dropped }
            // Nobody will tell of those that were cancelled before.
            if firstDropped < .max { placeMembers() }
        case .barriersWereDropped:
            drops -= 1
            if drops == 0 { firstDropped = .max }
            placeMembers()
        case .putAside(let operation):
            running -= 1
            limiter?.giveBack()
            operation._withUnsafeGuaranteedRef { place($0) }
        case .begun(let isCharged):
            let now = now
            if isCharged { limiter?.take(at: now) } else { limiter?.giveBack() }
        case .placeFreed: running -= 1
        case .barrierPutBack:
            isBarrierRunning = false
            running -= 1
        case .barrierEnded:
            isBarrierRunning = false
            running -= 1
            if let ended = barriers.popFirst() { letGo { $0.barriers.append(ended) } }
            placeMembers()
        case .started, .workerCame, .ended, .wordsChanged: break
        }
    }

    /// What follows, whatever has happened.
    @inline(__always)
    private mutating func actions(for caller: Caller) -> Actions {
        var actions = Actions()
        if caller == .worker { actions.work = claim() }
        if !isSearching || searchLane != .standard, !isSuspended, hasFreePlace {
            admitWhatIsNext()
            let isWaiting = !store.isEmpty
            let delay = isWaiting && !isWithinRate && !isCancelledNext ? limiter?.delay(at: now) ?? .zero : .zero
            if isWaiting && delay <= .zero || isBarrierReady {
                let first = store.first?._withUnsafeGuaranteedRef { $0.state }
                let lane = Lane(of: first, in: quality)
                // A worker that was asked for in a lower lane may be long in coming.
                if !isSearching || lane.comesBefore(searchLane) {
                    isSearching = true
                    search &+= 1
                    searchLane = lane
                    actions.search = Search(number: search, urgency: searchUrgency, lane: lane, first: first)
                }
            } else if delay > .zero, rateWait == nil {
                rateWaits += 1
                rateWait = RateWait(delay: delay, number: rateWaits)
                actions.rateWait = rateWait
            }
        }
        actions.isDrained = isDrained
        // In the order `lifo` even the one that comes next is not known without those in the intake.
        actions.attendsToIntake = !actions.isDrained && (isSearching || isSuspended || !hasFreePlace) && order == .fifo
        return actions
    }

    /// Of looking for work, which can wait if somebody is at work already, and cannot if nobody is.
    private var searchUrgency: Urgency {
        guard width < 0 else { return urgency }
        return running > 0 ? .patient : .first
    }

    private mutating func letGo(_ body: (inout Outbox) -> Void) {
        var box = outbox.take() ?? Outbox()
        body(&box)
        outbox = box
    }

    // MARK: Adding

    @inline(__always)
    private mutating func admitArrivals() {
        while let operation = arrivals { _ = admit(operation, mayClaim: false) }
    }

    /// Admits what has arrived until the store has what comes next.
    ///
    /// A worker does no more than that, so that it has to do with one operation at a time and finds it in its cache.
    @inline(__always)
    private mutating func admitWhatIsNext() {
        while let operation = arrivals, storeIsLow { _ = admit(operation, mayClaim: false) }
    }

    /// Makes the first of the arrivals a member.
    /// - Parameter mayClaim: It may be claimed in the same step, and need not take its way through the store.
    /// - Returns: Whether it was claimed.
    @inline(__always)
    private mutating func admit(_ reference: Unmanaged<Operation>, mayClaim: Bool) -> Bool {
        reference._withUnsafeGuaranteedRef { operation in
            arrivals = operation.nextMember
            operation.sequence = nextSequence
            let actions = operation.enterQueue(mayClaim: mayClaim)
            guard actions.contains(.accepted) else {
                refuse(operation)
                return false
            }
            nextSequence += 1
            members.append(reference)
            if actions.contains(.reconcile) { place(operation) }
            return !actions.contains(.reconcile)
        }
    }

    private mutating func refuse(_ operation: Operation) {
        let isObserved = isObserved
        letGo {
            $0.refused.append(.passUnretained(operation))
            if isObserved { $0.events.append((.finished, operation)) }
        }
    }

    @inline(__always)
    private mutating func place(_ woken: Woken) {
        woken.take { place($0) }
    }

    /// Brings the store in line with an operation's word.
    ///
    /// Whoever changed the word has it done afterwards; because this looks at the word and not at the change, it does not
    /// matter in which order two of them come.
    private mutating func place(_ operation: Operation) {
        let state = operation.state
        guard state.phase == .ready, !isBehindBarrier(operation) else { return store.remove(operation) }
        if operation.storePlace.isPresent { return store.move(operation, to: state.priorityLevel) }
        store.insert(operation, level: state.priorityLevel)
        if isObserved || state.isObserved { letGo { $0.events.append((.ready, operation)) } }
    }

    /// It is what a worker would claim now, if there is a place for it.
    mutating func comesNext(_ operation: Operation) -> Bool {
        admitWhatIsNext()
        return heldFrom == .max && store.first?.toOpaque() == Unmanaged.passUnretained(operation).toOpaque()
    }

    // MARK: Barriers

    /// What was held back by a barrier that was dropped just now waits until it is cancelled, and not for longer: an overridden
    /// `cancel()` may wait for it, or for one that it adds.
    private func isBehindBarrier(_ operation: Operation) -> Bool {
        let number = operation.sequence
        if number <= heldFrom { return false }
        if let barrier = barriers.first, number > barrier.sequence { return true }
        return number < cancelledUpTo && !operation.state.isCancelled
    }

    /// The number of the barrier, waiting or dropped just now, behind which all operations are held back.
    @inline(__always)
    private var heldFrom: UInt64 {
        barriers.isEmpty ? firstDropped : min(barriers.first?.sequence ?? .max, firstDropped)
    }

    /// The first barrier can run: nothing that was added before it is left.
    private var isBarrierReady: Bool {
        guard !barriers.isEmpty, let barrier = barriers.first, !isBarrierRunning else { return false }
        guard let oldest = members.first else { return true }
        return oldest._withUnsafeGuaranteedRef { $0.sequence > barrier.sequence }
    }

    /// Puts into the store what the barriers that are gone held back.
    private mutating func placeMembers() {
        var member = members.first
        while let current = member {
            let isHeld = current._withUnsafeGuaranteedRef { operation in
                member = operation.nextMember
                guard !isBehindBarrier(operation) else { return true }
                place(operation)
                return false
            }
            // Behind a barrier all are held back, and behind one that was dropped those that are yet to be cancelled.
            if isHeld, drops == 0 { return }
        }
    }

    // MARK: Taking

    /// The next thing to do, which takes a place in the width.
    @inline(__always)
    private mutating func claim() -> Work? {
        guard !isSuspended, hasFreePlace else { return nil }
        if isBarrierReady, let barrier = barriers.first {
            isBarrierRunning = true
            running += 1
            turns += 1
            return .barrier(.passUnretained(barrier))
        }
        while isWithinRate || isCancelledNext {
            if storeIsLow, let operation = arrivals {
                if admit(operation, mayClaim: heldFrom == .max && !isObserved) { return claimed(operation) }
            } else if let operation = store.popFirst() {
                // Otherwise somebody has just changed the word, and will tell of it.
                let isClaimed = operation._withUnsafeGuaranteedRef { $0.transition(.claim).contains(.accepted) }
                if isClaimed { return claimed(operation) }
            } else {
                return nil
            }
        }
        return nil
    }

    @inline(__always)
    private mutating func claimed(_ operation: Unmanaged<Operation>) -> Work {
        if isLimited { limiter?.claim() }
        running += 1
        turns += 1
        return .operation(operation)
    }

    /// The rate limit does not concern what comes next, since it was cancelled.
    private var isCancelledNext: Bool {
        mutating get {
            admitWhatIsNext()
            return store.first?._withUnsafeGuaranteedRef { $0.state.isCancelled } ?? false
        }
    }

    @inline(__always)
    private var isWithinRate: Bool {
        guard isLimited, let limiter else { return true }
        return limiter.delay(at: now) <= .zero
    }
}
