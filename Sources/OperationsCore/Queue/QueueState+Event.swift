// What the state is told, and what it answers.
extension QueueState {
    /// What happens to a queue. It owns nothing, so that telling of it costs nothing; what is said to come with a reference is
    /// handed over.
    enum Event {
        /// Operations may have been added, and are among the arrivals.
        case added
        /// The same, and this is so of some of them.
        case noticeableAdded(Notice)
        /// Whoever was to look at some more, because of those who want to be told, is there.
        case lookedOn
        /// Somebody wants all that was added to be members, also what barriers hold back.
        case admissionWanted
        /// It comes with a reference.
        case barrierAdded(Unmanaged<Barrier>)
        /// Somebody has changed the words of operations.
        case wordsChanged(Woken)
        case widthSet(Int)
        case suspensionSet(Bool)
        case orderSet(ExecutionOrder)
        /// The code of the queue's quality of service.
        case qualitySet(UInt8)
        case rateLimitSet(RateLimit?)
        case rateWaitEnded(RateWait)
        /// The barriers that have not begun are dropped. What they held back stays out of the store until it is cancelled, or
        /// `barriersWereDropped`, so that none of it runs beside what the barriers waited for.
        case dropBarriers
        case barriersWereDropped
        /// A worker that was asked for is there, by the number of that search.
        case workerCame(UInt32)
        /// A worker that had to release the lock before it could claim something goes on with that, as the one of that search.
        case workerGoesOn(UInt32)
        /// A worker's operation goes on without it, or has ended by itself.
        case started
        /// An operation that was claimed cannot start now.
        case putAside(Unmanaged<Operation>)
        /// One that was claimed starts, or has ended without it. A queue without a rate limit need not be told.
        case begun(isCharged: Bool)
        /// A barrier that was claimed cannot begin now.
        case barrierPutBack
        /// An operation has finished; those that become ready by it are of this queue.
        /// - `freesPlace`: It had a place in the width, and gives it back.
        case ended(Unmanaged<Operation>, freesPlace: Bool, Woken)
        /// A place was kept beyond the end of its operation until now.
        case placeFreed
        case barrierEnded
        /// Its work runs elsewhere from now on. It is empty.
        case poolReplaced
    }

    /// What has to be known of operations before they are looked at.
    struct Notice: Equatable {
        /// They have a priority up to this one; lower ones than normal need not be known.
        var level = PriorityLevel.normal
        /// Somebody wants to be told what becomes of them.
        var isObserved = false
        /// They are for threads of a better lane than the queue's.
        var isForBetterLane = false

        /// There is nothing that has to be known.
        static let none = Notice()

        @inline(__always)
        init() {}

        /// - Parameters:
        ///   - state: The word of one operation.
        ///   - lane: The queue's.
        @inline(__always)
        init(_ state: OperationState, in lane: @autoclosure () -> Lane) {
            level = max(level, state.priorityLevel)
            isObserved = state.isObserved
            isForBetterLane = state.quality != 0 && Lane(quality: state.quality).comesBefore(lane())
        }

        mutating func add(_ other: Notice) {
            level = max(level, other.level)
            isObserved = isObserved || other.isObserved
            isForBetterLane = isForBetterLane || other.isForBetterLane
        }
    }

    /// Who tells of an event.
    enum Caller {
        /// A worker, which takes work if there is some.
        case worker
        /// A worker whose turn is over.
        case leavingWorker
        /// A worker of the pool that the queue had before: nobody waits for it any more.
        case strayWorker
        case other
    }

    /// What follows from an event.
    struct Actions {
        /// For the worker that has told of the event, and holds a place now.
        var work: Work?
        /// Ask for a worker.
        var search: Search?
        /// Tell of `rateWaitEnded` after a while.
        var rateWait: RateWait?
        /// Tell of `lookedOn` soon, as a job of its own.
        var looksOn = false
        /// Those who add may leave it in the intake: there will be another event for certain before it could start.
        var attendsToIntake = false
        /// It has neither operations nor barriers.
        var isDrained = false
    }

    /// What a worker may do next.
    enum Work {
        /// Alive for as long as the queue's lock is held; the worker has to retain it.
        case operation(Unmanaged<Operation>)
        /// Alive until it has ended.
        case barrier(Unmanaged<Barrier>)
    }

    /// A worker that is to be asked for.
    struct Search {
        let number: UInt32
        let urgency: Urgency
        /// Of the operation that comes first, or may come first.
        let lane: Lane
        /// The word of the operation that comes first; nil for a barrier, and where more have to be looked at.
        let first: OperationState?
    }
}
