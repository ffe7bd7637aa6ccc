/// Everything about one operation that threads race for, as one word.
///
/// `apply` is the whole state machine: a pure function from a word and an event to the next word and the
/// actions that the caller has to carry out. `Operation` runs it in a compare-and-swap loop, so that whoever
/// wins an event gets its actions, and nobody else does. Tests drive it without an operation or a thread.
struct OperationState: Equatable, RawRepresentable {
    var rawValue: UInt64

    init(rawValue: UInt64) { self.rawValue = rawValue }

    /// A new operation: in no queue, normal priority, no dependencies.
    init() {
        rawValue = 0
        priorityLevel = PriorityLevel.normal
    }

    /// Where an operation stands. It only ever moves on, but for the ways back to `waiting` and `ready` that
    /// exist before the start.
    enum Phase: UInt8 {
        /// In no queue, not started.
        case idle
        /// A queue is taking it in.
        case adopted
        /// In a queue, with unmet dependencies.
        case waiting
        /// In a queue, which may start it.
        case ready
        /// In a queue; its overridden `isReady` said no.
        case parked
        /// Taken from the store by a worker, which makes the last checks.
        case claimed
        /// Handed to `start()`.
        case starting
        /// The same, and others were told that it works, in a `start()` of its own.
        case announced
        /// In `main()`, or started and asynchronous.
        case executing
        case finished
    }

    enum Event {
        case adopt
        /// Its queue makes it a member, and may claim it in the same step. In that case there is nothing to reconcile.
        case enqueue(mayClaim: Bool)
        case dependencyAdded
        /// A dependency finished, or was removed.
        case dependencyMet
        /// A dependency finished with an error, or cancelled.
        case dependencyFailed
        case cancel
        case claim
        /// The last check passed: `start()` comes next.
        case begin
        /// It works in a `start()` of its own, of which others are to be told.
        case announce
        /// As `begin` and `run` in one, for an operation of which nothing is overridden. Refused, it changes nothing.
        case beginMain
        /// Its queue was suspended before the last check.
        case putBack
        /// The last check failed: `isReady` is overridden and false.
        case park
        /// A subclass reports a change of its `isReady`.
        case readinessChanged
        /// `Operation.start()` was called, by a queue or by hand.
        case run
        /// `start()` returned to the queue's worker.
        case startReturned
        /// `AsyncOperation.execute()` returned, or the `main()` of one that says itself when it has finished.
        case workReturned
        /// `AsyncOperation.finish(_:)` was called; the first caller wins.
        case claimFinish
        case finish
        /// As `finish`, refused when a queue has to be told.
        case finishOutsideQueue
        case addDependent
        /// It has an error.
        case fail
        /// A thread, a task or a handler waits for its end.
        case addWaiter
        case setCompletion
        case addBlock
        case readBlocks
        case setPriority(UInt8)
        /// As `setPriority`, if that is higher; and what it waits for is raised so far too, by whoever this is accepted of.
        case raisePriority(UInt8)
        /// Somebody wants to be told what becomes of it.
        case observe
        case setCancelsWithDependencies(Bool)
        /// It has keys that keep it from running beside others.
        case setExclusive
        /// Starting it neither blocks nor takes long.
        case setBeginsAtOnce
        case setQuality(UInt8)
    }

    /// What the caller of an event has to do.
    struct Actions: OptionSet {
        let rawValue: UInt16
        /// The event counted. Without it nothing changed that the caller is responsible for.
        static let accepted = Actions(rawValue: 1 << 0)
        /// The queue's store must be brought in line with the word.
        static let reconcile = Actions(rawValue: 1 << 1)
        /// The place in the queue's width is free again.
        static let releaseSlot = Actions(rawValue: 1 << 2)
        static let leaveQueue = Actions(rawValue: 1 << 3)
        static let meetDependents = Actions(rawValue: 1 << 4)
        static let wakeWaiters = Actions(rawValue: 1 << 5)
        static let runCompletion = Actions(rawValue: 1 << 6)
        /// It was cancelled with dependencies that are not met: take it off their lists.
        static let unregister = Actions(rawValue: 1 << 7)
        static let cancelExecution = Actions(rawValue: 1 << 8)
        /// Cancelled before the start: finish without `main()`.
        static let skipMain = Actions(rawValue: 1 << 9)
        /// Somebody has asked to be told.
        static let notify = Actions(rawValue: 1 << 10)
        /// The priority is higher than it was.
        static let raised = Actions(rawValue: 1 << 11)
        /// It works, or has worked, and nobody was told of that.
        static let begins = Actions(rawValue: 1 << 12)
    }

    /// Locks in the word, of which `Operation+Dependencies.swift` tells. No event changes them.
    enum EdgeLock: UInt64 {
        /// Of the edges to what it depends on.
        case dependencies = 0x4000_0000
        /// Of the links between the edges to itself.
        case dependents = 0x8000_0000
    }

    func isHeld(_ lock: EdgeLock) -> Bool { has(lock.rawValue) }
    mutating func hold(_ lock: EdgeLock) { rawValue |= lock.rawValue }

    // MARK: Layout

    private enum Bits {
        static let phase: UInt64 = 0xF
        static let cancelled: UInt64 = 1 << 4
        static let enqueued: UInt64 = 1 << 5
        static let hasDependents: UInt64 = 1 << 6
        static let hasWaiters: UInt64 = 1 << 7
        static let hasCompletion: UInt64 = 1 << 8
        static let readinessReported: UInt64 = 1 << 9
        static let workReturned: UInt64 = 1 << 10
        static let finishClaimed: UInt64 = 1 << 11
        static let failed: UInt64 = 1 << 15
        /// Its start has been accepted, and finishes it without `main()`: one that nobody else may finish meanwhile.
        static let skipsMain: UInt64 = 1 << 19
        static let startReturned: UInt64 = 1 << 20
        static let sharesBlocks: UInt64 = 1 << 21
        static let observed: UInt64 = 1 << 22
        static let cancelsWithDependencies: UInt64 = 1 << 23
        static let exclusive: UInt64 = 1 << 24
        static let adopted: UInt64 = 1 << 25
        static let beginsAtOnce: UInt64 = 1 << 26
        /// One more than the level that what it waits for was raised to; 0 for none.
        static let raisedShift: UInt64 = 27
        static let priorityShift: UInt64 = 12
        static let qualityShift: UInt64 = 16
        static let small: UInt64 = 0x7
        static let countShift: UInt64 = 32
        static let oneDependency: UInt64 = 1 << 32
    }

    var phase: Phase {
        // Of a byte this is one comparison, and of a wider raw value a search through all cases.
        get { Phase(rawValue: UInt8(truncatingIfNeeded: rawValue & Bits.phase)) ?? .finished }
        set { rawValue = rawValue & ~Bits.phase | UInt64(newValue.rawValue) }
    }

    var isCancelled: Bool { rawValue & Bits.cancelled != 0 }
    var isFinished: Bool { phase == .finished }
    /// True from the moment a queue has it in its list, for good.
    var isEnqueued: Bool { rawValue & Bits.enqueued != 0 }
    /// The same, but from the moment on that it was added.
    var isAdded: Bool { rawValue & Bits.adopted != 0 }
    var hasBegun: Bool { phase.rawValue >= Phase.starting.rawValue }
    /// `main()` was called, or will not be.
    private var hasEnteredWork: Bool { phase.rawValue >= Phase.executing.rawValue || skipsMain }
    /// `AsyncOperation.execute()` has returned, so that a cancellation is delivered at once, or the `main()` of an operation
    /// that says itself when it has finished.
    var hasWorkReturned: Bool { has(Bits.workReturned) }
    /// It was cancelled before its start, which finishes it without `main()`.
    var skipsMain: Bool { has(Bits.skipsMain) }
    var hasReturnedFromStart: Bool { rawValue & Bits.startReturned != 0 }
    /// Blocks were added or read, so that they are touched under the mutex only; settled at the finish.
    var sharesBlocks: Bool { has(Bits.sharesBlocks) }
    var isExclusive: Bool { has(Bits.exclusive) }
    var beginsAtOnce: Bool { has(Bits.beginsAtOnce) }
    /// Somebody has depended on it.
    var hasDependents: Bool { has(Bits.hasDependents) }
    var hasFailed: Bool { has(Bits.failed) }
    var isObserved: Bool { has(Bits.observed) }
    var cancelsWithDependencies: Bool { has(Bits.cancelsWithDependencies) }
    var unmetDependencies: Int { Int(rawValue >> Bits.countShift) }
    var isUnhindered: Bool { isCancelled || unmetDependencies == 0 }

    /// Index of a `QueuePriority`, 0 the lowest.
    var priorityLevel: UInt8 {
        get { UInt8(truncatingIfNeeded: rawValue >> Bits.priorityShift & Bits.small) }
        set {
            rawValue = rawValue & ~(Bits.small << Bits.priorityShift) | UInt64(newValue) << Bits.priorityShift
        }
    }

    /// One more than the level that it was raised to together with what it waits for; 0 if it never was.
    var raised: UInt8 {
        get { UInt8(truncatingIfNeeded: rawValue >> Bits.raisedShift & Bits.small) }
        set { rawValue = rawValue & ~(Bits.small << Bits.raisedShift) | UInt64(newValue) << Bits.raisedShift }
    }

    /// Code of a `QualityOfService`, 0 for one that was never set.
    var quality: UInt8 {
        get { UInt8(truncatingIfNeeded: rawValue >> Bits.qualityShift & Bits.small) }
        set { rawValue = rawValue & ~(Bits.small << Bits.qualityShift) | UInt64(newValue) << Bits.qualityShift }
    }

    private func has(_ bit: UInt64) -> Bool { rawValue & bit != 0 }

    // MARK: Transitions

    /// Moves on by `event` and says what the caller has to do.
    @inline(__always)
    mutating func apply(_ event: Event) -> Actions {
        switch event {
        case .adopt:
            guard phase == .idle else { return [] }
            phase = .adopted
            rawValue |= Bits.adopted
            return .accepted
        case .enqueue(let mayClaim):
            guard isAdded else { return [] }
            rawValue |= Bits.enqueued
            // Finished in between by a subclass that reported so.
            guard phase == .adopted else { return [] }
            if mayClaim, isUnhindered, priorityLevel >= PriorityLevel.normal, !isObserved {
                phase = .claimed
                return .accepted
            }
            phase = isUnhindered ? .ready : .waiting
            return [.accepted, .reconcile]
        case .dependencyAdded: return addDependency()
        case .dependencyMet: return meetDependency()
        case .dependencyFailed:
            let actions = meetDependency()
            return cancelsWithDependencies && !hasBegun ? actions.union(cancel()) : actions
        case .cancel: return cancel()
        case .claim:
            guard phase == .ready else { return [] }
            phase = .claimed
            rawValue &= ~Bits.readinessReported
            return .accepted
        case .begin:
            guard phase == .claimed else { return [] }
            guard isUnhindered else {
                phase = .waiting
                return .releaseSlot
            }
            phase = .starting
            return .accepted
        case .announce:
            guard phase == .starting, !skipsMain else { return [] }
            phase = .announced
            return .accepted
        case .beginMain: return beginMain()
        case .putBack:
            guard phase == .claimed else { return [] }
            phase = isUnhindered ? .ready : .waiting
            return .accepted
        case .park: return park()
        case .readinessChanged:
            if phase == .claimed { rawValue |= Bits.readinessReported }
            guard phase == .parked else { return [] }
            phase = .ready
            return .reconcile
        case .run: return run()
        case .workReturned:
            guard phase == .executing else { return [] }
            rawValue |= Bits.workReturned
            return isCancelled ? [.accepted, .cancelExecution] : .accepted
        case .claimFinish:
            guard phase != .finished, !has(Bits.finishClaimed) else { return [] }
            rawValue |= Bits.finishClaimed
            return .accepted
        case .finish: return finish()
        case .finishOutsideQueue: return isEnqueued ? [] : finish()
        case .addDependent: return flag(Bits.hasDependents)
        case .addWaiter: return flag(Bits.hasWaiters)
        case .fail: return flag(Bits.failed)
        case .setCompletion: return flag(Bits.hasCompletion)
        case .startReturned: return flag(Bits.startReturned)
        // A `start()` of its own may still add one.
        case .addBlock: return hasEnteredWork ? [] : flag(Bits.sharesBlocks)
        case .readBlocks: return flag(Bits.sharesBlocks)
        case .setPriority(let level):
            return setPriority(level)
        case .raisePriority(let level):
            guard phase != .finished, priorityLevel < level || raised <= level else { return [] }
            raised = max(raised, level + 1)
            return priorityLevel < level ? setPriority(level).union(.raised) : .accepted
        case .observe: return flag(Bits.observed)
        case .setExclusive: return flag(Bits.exclusive)
        case .setBeginsAtOnce: return flag(Bits.beginsAtOnce)
        case .setCancelsWithDependencies(let cancels):
            rawValue = rawValue & ~Bits.cancelsWithDependencies | (cancels ? Bits.cancelsWithDependencies : 0)
            return .accepted
        case .setQuality(let code):
            quality = code
            return .accepted
        }
    }

    private mutating func flag(_ bit: UInt64) -> Actions {
        guard phase != .finished else { return [] }
        rawValue |= bit
        return .accepted
    }

    private mutating func setPriority(_ level: UInt8) -> Actions {
        priorityLevel = level
        // One that is still in the intake must be seen by the next worker too.
        return phase == .ready || phase == .adopted ? [.accepted, .reconcile] : .accepted
    }

    @inline(__always)
    private mutating func addDependency() -> Actions {
        // From the start on a dependency changes nothing any more.
        guard !hasBegun else { return [] }
        rawValue += Bits.oneDependency
        guard phase == .ready || phase == .parked, !isCancelled else { return .accepted }
        phase = .waiting
        return [.accepted, .reconcile]
    }

    @inline(__always)
    private mutating func meetDependency() -> Actions {
        guard unmetDependencies > 0 else { return [] }
        rawValue -= Bits.oneDependency
        // A worker that asks just now whether it is ready may have been told that it is not.
        if phase == .claimed { rawValue |= Bits.readinessReported }
        guard unmetDependencies == 0 else { return .accepted }
        return becomeReady()
    }

    /// Nothing hinders it any more.
    private mutating func becomeReady() -> Actions {
        switch phase {
        case .waiting:
            phase = .ready
            return [.accepted, .reconcile]
        // Its queue has not looked at it, or does not have it yet, and somebody wants to be told.
        case .adopted: return isObserved ? [.accepted, .reconcile] : .accepted
        default: return .accepted
        }
    }

    private mutating func cancel() -> Actions {
        guard phase != .finished, !isCancelled else { return [] }
        rawValue |= Bits.cancelled
        switch phase {
        case .parked:
            phase = .ready
            return [.accepted, .reconcile]
        case .waiting, .adopted: return becomeReady()
        // Its queue's rate limit does not concern it any more.
        case .ready: return [.accepted, .reconcile]
        case .executing where has(Bits.workReturned): return [.accepted, .cancelExecution]
        default: return .accepted
        }
    }

    private mutating func park() -> Actions {
        guard phase == .claimed else { return [] }
        // A report that came between the question and now must not be lost.
        if isCancelled || has(Bits.readinessReported) && unmetDependencies == 0 {
            phase = .ready
        } else {
            phase = unmetDependencies == 0 ? .parked : .waiting
        }
        return [.accepted, .releaseSlot, .reconcile]
    }

    @inline(__always)
    private mutating func run() -> Actions {
        switch phase {
        case .idle where isUnhindered, .starting, .announced: has(Bits.skipsMain) ? [] : beginWork()
        default: []
        }
    }

    @inline(__always)
    private mutating func beginMain() -> Actions {
        phase == .claimed && isUnhindered ? beginWork() : []
    }

    @inline(__always)
    private mutating func beginWork() -> Actions {
        let isKnown = phase == .announced
        guard !isCancelled else {
            if !isKnown { phase = .starting }
            rawValue |= Bits.skipsMain
            return [.accepted, .skipMain]
        }
        phase = .executing
        if isKnown { return .accepted }
        return has(Bits.observed) ? [.accepted, .begins, .notify] : [.accepted, .begins]
    }

    @inline(__always)
    private mutating func finish() -> Actions {
        let last = phase
        guard last != .finished else { return [] }
        phase = .finished
        var actions: Actions = .accepted
        // In a `start()` of its own, which has not said so.
        if last == .starting, !skipsMain, !isCancelled, !has(Bits.finishClaimed) { actions.insert(.begins) }
        if isEnqueued {
            actions.insert(.leaveQueue)
            if last.rawValue >= Phase.claimed.rawValue { actions.insert(.releaseSlot) }
        }
        if has(Bits.hasDependents) { actions.insert(.meetDependents) }
        if has(Bits.hasWaiters) { actions.insert(.wakeWaiters) }
        if has(Bits.hasCompletion) { actions.insert(.runCompletion) }
        if unmetDependencies > 0 { actions.insert(.unregister) }
        if has(Bits.observed) { actions.insert(.notify) }
        return actions
    }
}

/// The five priorities as indexes of the store's buckets.
enum PriorityLevel {
    static let normal: UInt8 = 2
    static let high: UInt8 = 3
}
