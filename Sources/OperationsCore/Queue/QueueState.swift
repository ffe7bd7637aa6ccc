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

    /// So many operations become members, or are placed in the store, under one lock, so that others get on.
    static let operationsPerLock = 64
    /// The same; a test may have fewer.
    var operationsPerLock = Self.operationsPerLock
    var members = MemberList()
    private var store = ReadyStore<Operation>()
    /// What was added and is no member yet. It gets its numbers when it becomes one.
    private var arrivals = ArrivalList()
    /// The number of the last operation that became a member.
    private(set) var lastAdmitted: UInt64 = 0
    private var lookAhead = LookAhead()
    /// The intake was emptied in this step.
    var knowsIntake = false
    /// Operations behind them stay out of the store.
    private(set) var barriers = Barriers()
    /// Operations that hold a place, from being claimed until they finish, and a running barrier.
    private(set) var running = 0
    /// A worker has been asked for and is not there yet.
    private(set) var isSearching = false
    /// Of the search that is under way, or was the last one. Workers of earlier ones are welcome, but nobody waits for them.
    private(set) var search: UInt32 = 0
    /// Where that search asked for a worker.
    private(set) var searchLane = Lane.standard
    /// The code of the queue's quality of service; 0 while it was never set.
    private(set) var quality: UInt8 = 0
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
    /// Somebody was asked to look at some more for those who want to be told.
    private var isLookingOn = false
    var outbox: Outbox?

    init(width: Int) { self.width = width }

    // MARK: Looking at it

    var count: Int { members.count + arrivals.count }
    var isDrained: Bool { count == 0 && barriers.isEmpty }
    /// The number that the last one has or will have.
    var lastAdded: UInt64 { lastAdmitted + UInt64(arrivals.count) }
    var order: ExecutionOrder { store.order }
    var rateLimit: RateLimit? { limiter?.limit }
    var hasFreePlace: Bool { width < 0 || running < width }
    /// More hold a place than may start now.
    var hasTooMany: Bool { isSuspended || width >= 0 && running > width }

    /// It has operations that it could run, none of them may start, and none runs.
    var isStalled: Bool {
        count > 0 && running == 0 && !isSuspended && width != 0 && store.isEmpty && !hasNext && !isBarrierReady
    }

    /// A width that was asked for is given at once; the default one as the machine allows.
    var urgency: Urgency { width < 0 ? .elastic : .prompt }

    /// What is in the intake may come before what the store has: it is later, but its priority is normal. Higher ones are not
    /// left in there.
    @inline(__always)
    var needsIntake: Bool { storeIsLow && (arrivals.isEmpty || !store.isEmpty) }

    @inline(__always)
    private var storeIsLow: Bool { store.highestLevel < Int(PriorityLevel.normal) }

    // MARK: Events

    /// Takes over what was added, before the event that comes next.
    @inline(__always)
    mutating func receive(_ list: ArrivalList?) {
        if let list { arrivals.append(list) }
    }

    /// Moves on by what happened at a time, and says what follows.
    @inline(__always)
    mutating func apply(_ event: Event, by caller: Caller, at now: Duration = .zero) -> Actions {
        self.now = now
        if caller == .other { placeSome() }
        if case .workerGoesOn = event {} else { lookAhead.beginClaim() }
        switch event {
        case .added, .started: break
        case .workerCame(let number), .workerGoesOn(let number):
            if caller != .strayWorker, number == search { isSearching = false }
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
        if isObserved { placeSome() }
        let actions = actions(for: caller)
        knowsIntake = false
        return actions
    }

    @inline(never)
    private mutating func applyRare(_ event: Event) {
        switch event {
        case .noticeableAdded(let notice): lookAhead.note(notice, upTo: lastAdded)
        case .lookedOn:
            isLookingOn = false
            lookAhead.observed = min(lookAhead.observed, lastAdded)
        case .admissionWanted:
            for _ in 0..<operationsPerLock where !arrivals.isEmpty { _ = admit(mayClaim: false) }
        case .barrierAdded(let reference):
            barriers.append(reference.takeRetainedValue(), after: lastAdded)
        case .widthSet(let width):
            // The worker that is on its way may be long in coming, if it waits for one of the threads of the default width.
            if self.width < 0, width >= 0 { isSearching = false }
            self.width = width
        case .suspensionSet(let isSuspended): self.isSuspended = isSuspended
        case .orderSet(let order): store.order = order
        case .qualitySet(let code):
            // What was added may have one of its own.
            if Lane(quality: quality).comesBefore(Lane(quality: code)) { lookAhead.betterLane = lastAdded }
            quality = code
        case .rateLimitSet(let limit):
            limiter = limit.map { RateLimiter($0) }
            // The wait that is under way is for another limit.
            rateWait = nil
        case .poolReplaced: isSearching = false
        case .rateWaitEnded(let wait): if rateWait == wait { rateWait = nil }
        case .dropBarriers:
            let dropped = barriers.drop(upTo: lastAdded)
            letGo { $0.barriers += dropped }
        case .barriersWereDropped:
            if barriers.dropEnded(), members.left != nil {
                // What was left comes before what was not.
                lookAhead.lookAgain(upTo: lastLookedAt)
                members.returnToLeft()
            }
        case .putAside(let operation):
            running -= 1
            limiter?.giveBack()
            operation._withUnsafeGuaranteedRef { place($0) }
        case .begun(let isCharged):
            let now = now
            if isCharged { limiter?.take(at: now) } else { limiter?.giveBack() }
        case .placeFreed: running -= 1
        case .barrierPutBack:
            running -= 1
            if let dropped = barriers.putBack() { letGo { $0.barriers.append(dropped) } }
        case .barrierEnded:
            running -= 1
            if let ended = barriers.end() { letGo { $0.barriers.append(ended) } }
        case .added, .started, .workerCame, .workerGoesOn, .ended, .wordsChanged: break
        }
    }

    /// What follows, whatever has happened.
    @inline(__always)
    private mutating func actions(for caller: Caller) -> Actions {
        var actions = Actions()
        if caller == .worker { actions.work = claim() }
        if !isSearching || searchLane != .standard, !isSuspended, hasFreePlace {
            let isBehind = !placeWhatIsNext()
            let isWaiting = !store.isEmpty && !isBehind
            let delay = isWaiting && !isWithinRate && !isCancelledNext ? limiter?.delay(at: now) ?? .zero : .zero
            if isBehind || isWaiting && delay <= .zero || isBarrierReady {
                // What comes first is not known as long as more have to be looked at.
                let first = isBehind ? nil : store.first?._withUnsafeGuaranteedRef { $0.state }
                let mayBeBetter = isBehind && lastLookedAt < lookAhead.betterLane
                let lane = mayBeBetter ? .standard : Lane(of: first, in: quality)
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
        if isObserved || lookAhead.observed > 0, needsLook {
            isLookingOn = true
            actions.looksOn = true
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

    /// The number of the last operation that was looked at, as all before it.
    @inline(__always)
    private var lastLookedAt: UInt64 {
        guard let unplaced = members.unplaced else { return lastAdmitted }
        return unplaced._withUnsafeGuaranteedRef { $0.sequence - 1 }
    }

    /// There is one that has to be looked at before it is known what comes next.
    @inline(__always)
    private var needsNext: Bool {
        hasNext && lastLookedAt < lookAhead.limit(top: store.highestLevel, order: order, last: lastAdded)
    }

    /// There is one that was not looked at, and that no barrier holds back.
    @inline(__always)
    private var hasNext: Bool {
        if members.unplaced == nil && arrivals.isEmpty { return false }
        return lastLookedAt < barriers.lastUnhindered
    }

    /// There may be one of which somebody wants to be told that it may start, and nobody was asked to look at it.
    private var needsLook: Bool {
        if isLookingOn { return false }
        return lookAhead.observed == .max || hasNext && (isObserved || lastLookedAt < lookAhead.observed)
    }

    /// Looks at operations until it is known what comes next.
    ///
    /// A worker does no more than that, so that it has to do with one operation at a time and finds it in its cache.
    /// - Returns: False if they are more than are looked at under one lock.
    @inline(__always)
    private mutating func placeWhatIsNext() -> Bool {
        var most = operationsPerLock
        while needsNext {
            guard most > 0 else { return false }
            most -= 1
            placeNext()
        }
        return true
    }

    /// Looks at as many operations as one may under one lock.
    private mutating func placeSome() {
        var most = operationsPerLock
        while most > 0, hasNext {
            most -= 1
            placeNext()
        }
    }

    /// Looks at the next operation, and places it if it may start.
    private mutating func placeNext() {
        guard let next = members.unplaced else {
            _ = admit(mayClaim: false)
            return
        }
        next._withUnsafeGuaranteedRef {
            members.unplaced = $0.nextMember
            place($0)
        }
    }

    /// Makes the first of the arrivals a member.
    /// - Parameter mayClaim: It may be claimed in the same step, and need not take its way through the store.
    /// - Returns: What was claimed.
    @inline(__always)
    private mutating func admit(mayClaim: Bool) -> Unmanaged<Operation>? {
        guard let reference = arrivals.popFirst() else { return nil }
        return reference._withUnsafeGuaranteedRef { operation in
            lastAdmitted += 1
            operation.sequence = lastAdmitted
            let actions = operation.enterQueue(mayClaim: mayClaim)
            guard actions.contains(.accepted) else {
                refuse(operation)
                return nil
            }
            members.append(reference)
            guard actions.contains(.reconcile) else { return reference }
            if members.unplaced == nil {
                if lastAdmitted <= barriers.lastUnhindered {
                    place(operation)
                    return nil
                }
                members.unplaced = reference
            }
            lookAhead.note(level: operation.state.priorityLevel, upTo: lastAdmitted)
            return nil
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
        guard state.phase == .ready else {
            // It is not among the arrivals for certain.
            if state.phase == .adopted {
                lookAhead.note(Notice(state, in: Lane(quality: quality)), upTo: lastAdded)
                if state.isObserved { lookAhead.observed = .max }
            }
            return store.remove(operation)
        }
        if operation.storePlace.isPresent { return store.move(operation, to: state.priorityLevel) }
        guard lastLookedAt >= operation.sequence else {
            return lookAhead.note(Notice(state, in: Lane(quality: quality)), upTo: operation.sequence)
        }
        if barriers.holdUntilCancelled(operation) { return members.leave(operation) }
        store.insert(operation, level: state.priorityLevel)
        if isObserved || state.isObserved { letGo { $0.events.append((.ready, operation)) } }
    }

    /// It is what a worker would claim now, if there is a place for it.
    mutating func comesNext(_ operation: Operation) -> Bool {
        guard placeWhatIsNext(), barriers.isEmpty, !barriers.areBeingDropped else { return false }
        return store.first?.toOpaque() == Unmanaged.passUnretained(operation).toOpaque()
    }

    // MARK: Taking

    /// The first barrier can run: nothing that was added before it is left.
    private var isBarrierReady: Bool {
        let last = barriers.lastUnhindered
        guard !barriers.isEmpty, !barriers.isRunning, lastAdmitted >= last else { return false }
        guard let oldest = members.first else { return true }
        return oldest._withUnsafeGuaranteedRef { $0.sequence > last }
    }

    /// The next thing to do, which takes a place in the width.
    @inline(__always)
    private mutating func claim() -> Work? {
        guard !isSuspended, hasFreePlace else { return nil }
        if isBarrierReady, let barrier = barriers.first {
            barriers.claim()
            running += 1
            turns += 1
            return .barrier(.passUnretained(barrier))
        }
        var most = operationsPerLock
        while isWithinRate || isCancelledNext {
            if needsNext {
                guard most > 0 else {
                    lookAhead.keepClaim(after: lastAdded)
                    return nil
                }
                most -= 1
                guard members.unplaced == nil, lookAhead.isClear(after: lastAdmitted, in: order) else {
                    placeNext()
                    continue
                }
                let mayClaim = !isObserved && !barriers.areBeingDropped
                if let operation = admit(mayClaim: mayClaim) { return claimed(operation) }
            } else if storeIsLow, !knowsIntake, !store.isEmpty {
                // What is in there may come before that.
                return nil
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

    /// The block of the barrier that was claimed is about to begin; false if it was dropped meanwhile.
    mutating func beginBarrier() -> Bool { barriers.begin() }

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
            guard placeWhatIsNext() else { return false }
            return store.first?._withUnsafeGuaranteedRef { $0.state.isCancelled } ?? false
        }
    }

    @inline(__always)
    private var isWithinRate: Bool {
        guard isLimited, let limiter else { return true }
        return limiter.delay(at: now) <= .zero
    }
}
