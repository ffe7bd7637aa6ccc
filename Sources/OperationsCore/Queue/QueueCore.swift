import Foundation
import Synchronization

/// The engine of one queue: its state, the lock around it, and the one place where what follows from an event is carried out.
///
/// It is apart from `OperationQueue`, because operations refer to it for as long as they live, and they must not
/// keep their queue alive for longer than they are in it. The variables are touched only under the monitor,
/// which makes it `Sendable`. It never calls out, nor releases an operation, with the monitor locked; the order
/// of locks is the monitor first, then one operation's.
///
/// The way of an operation: `QueueCore+Adding`, `QueueState`, `QueueCore+Taking`, `Operation.start()` (of a plain
/// block `BlockOperation.runBlocks`), `QueueCore+Ending`.
package final class QueueCore: @unchecked Sendable {
    let monitor = Monitor()
    let intake = Intake()
    /// The mark of `intake`.
    @exclusivity(unchecked) var isAttended = false
    let isMain: Bool
    let clock: any Clock<Duration>
    let hub: EventHub
    // The monitor is what makes accesses exclusive; the run-time checks of the hottest variables cost more than it.
    @exclusivity(unchecked) var state: QueueState
    private(set) var pool: any WorkerPool {
        didSet { poolIdentity = ObjectIdentifier(pool) }
    }
    /// Of the pool, so that those who compare it leave its reference count alone.
    @exclusivity(unchecked) private(set) var poolIdentity: ObjectIdentifier
    /// Where completion blocks run: never on an underlying dispatch queue.
    let completionPool: any WorkerPool
    /// The code of the queue's quality of service; 0 while it was never set.
    let laneQuality = Atomic<UInt8>(0)
    /// Whether workers tell of starts; see `QueueState.isLimited`.
    let isRateLimited = Atomic<Bool>(false)
    /// Whether workers ask if they may begin what they have claimed; see `QueueState.hasTooMany`.
    let mayHaveTooMany = Atomic<Bool>(false)
    var nameStorage: String
    /// The queue, for as long as somebody holds it.
    weak var queue: OperationQueue?
    /// The queue of Foundation's class that forwards to it, once there is one.
    weak var forwarding: Foundation.OperationQueue?
    /// The queue again, while it has operations.
    @exclusivity(unchecked) var keptQueue: OperationQueue?
    var drainWaiters = 0
    /// What this queue's work waits for.
    var waits = WaitList()
    let progress = QueueProgress()
    #if DEBUG
        /// The count of work claimed at the last stall that is being looked into.
        var stalledTurn: UInt64?
    #endif

    init(name: String, width: Int, pool: any WorkerPool, clock: any Clock<Duration>, isMain: Bool = false) {
        nameStorage = name
        self.pool = pool
        poolIdentity = ObjectIdentifier(pool)
        completionPool = isMain ? ThreadPool.shared : pool
        hub = EventHub(clock, pool: completionPool)
        state = QueueState(width: width)
        self.clock = clock
        self.isMain = isMain
    }

    /// Called before anyone else knows of the queue.
    func attach(_ queue: OperationQueue) {
        monitor.withLock { self.queue = queue }
    }

    /// The queue that this is the engine of; nil once it is gone.
    var owner: OperationQueue? { monitor.withLock { keptQueue ?? queue } }

    func lane(of operation: Operation) -> Lane { lane(operation.state) }

    /// Where an operation with this word has to run; nil for what is no operation, and goes where those go that have no quality
    /// of service of their own.
    func lane(_ state: OperationState?) -> Lane { Lane(of: state, in: laneQuality.load(ordering: .relaxed)) }

    // MARK: Events

    /// Tells the state of an event that comes from outside of its workers, and carries out what follows.
    /// - Parameters:
    ///   - list: What is added in one step.
    ///   - read: Called under the lock, with what the event has made of the state.
    @inline(__always)
    @discardableResult
    func tell<Result>(
        _ event: QueueState.Event, _ list: ArrivalList? = nil, reading read: (inout QueueState) -> Result
    ) -> Result {
        monitor.lock()
        collect()
        if let list { state.receive(list) }
        let actions = apply(event, by: .other)
        let result = read(&state)
        carryOutAndUnlock(actions)
        return result
    }

    func tell(_ event: QueueState.Event) { tell(event) { _ in } }

    /// Applies an event under the lock.
    @inline(__always)
    func apply(_ event: QueueState.Event, by caller: QueueState.Caller) -> QueueState.Actions {
        state.isObserved = hub.isObserved
        return state.apply(event, by: caller, at: state.isLimited ? hub.elapsed : .zero)
    }

    /// Has the work run elsewhere; false if the queue has operations.
    func replacePool(by pool: any WorkerPool) -> Bool {
        monitor.lock()
        collect()
        guard state.isDrained else {
            carryOutAndUnlock(apply(.added, by: .other))
            return false
        }
        self.pool = pool
        carryOutAndUnlock(apply(.poolReplaced, by: .other))
        return true
    }

    // MARK: Actions

    /// Carries out what follows from an event, all but the work for the worker that told of it.
    ///
    /// Threads that work off one queue side by side pay most for what they touch of it in turns, its reference count included,
    /// so that this and what it is part of is inlined into its callers.
    /// - Parameters:
    ///   - claimed: What the calling thread has claimed, and goes on with afterwards.
    ///   - isLeaving: It is a worker whose turn is over, which begins nothing.
    /// - Returns: What was claimed; nil if another thread goes on with it.
    @inline(__always)
    @discardableResult
    func carryOutAndUnlock(
        _ actions: QueueState.Actions, claimed: consuming WorkerJob? = nil, isLeaving: Bool = false
    ) -> WorkerJob? {
        let isUsual =
            actions.search == nil && actions.rateWait == nil && !actions.looksOn && !actions.isDrained
            && state.outbox == nil && actions.attendsToIntake == isAttended
        #if DEBUG
            guard isUsual, !state.isStalled else { return carryOutAllAndUnlock(actions, claimed, isLeaving: isLeaving) }
        #else
            guard isUsual else { return carryOutAllAndUnlock(actions, claimed, isLeaving: isLeaving) }
        #endif
        monitor.unlock()
        if hub.hasPosted { hub.deliver() }
        return claimed
    }

    @inline(never)
    private func carryOutAllAndUnlock(
        _ first: QueueState.Actions, _ claimed: consuming WorkerJob?, isLeaving: Bool
    ) -> WorkerJob? {
        var actions = first
        var begun: WorkerJob?
        if claimed == nil, !isLeaving, let search = actions.search, mayBeWorker(for: search) {
            // The calling thread is the worker that is asked for. One that has claimed something goes on with that: what it
            // started here would keep it from that for as long as others' code takes that goes with it.
            actions.search = nil
            collect()
            actions = apply(.workerCame(search.number), by: .worker).following(actions)
            begun = actions.work.map { job(for: $0) }
        }
        while !markIntake(actions) { actions = apply(.added, by: .other).following(actions) }
        watchForStall()
        // The last reference to the queue may be this one.
        let released = actions.isDrained ? keptQueue.take() : nil
        if actions.isDrained, drainWaiters > 0 { monitor.broadcast() }
        let outbox = state.outbox.take()
        for event in outbox?.events ?? [] { hub.post(event.kind, event.operation) }
        let pool = pool
        monitor.unlock()
        if let search = actions.search {
            pool.add(.search(self, number: search.number), lane: search.lane, urgency: search.urgency)
        }
        if hub.hasPosted { hub.deliver() }
        if actions.looksOn {
            completionPool.addDelivery { [self] in tell(.lookedOn) }
        }
        if let wait = actions.rateWait { sleep(for: wait) }
        if let begun { work(on: begun) }
        return Self.letGo(consume released, consume outbox, claimed)
    }

    /// Lets go of what may be gone with it: others may take what the calling thread has claimed until that is done.
    private static func letGo(
        _ queue: consuming OperationQueue?, _ outbox: consuming QueueState.Outbox?, _ claimed: consuming WorkerJob?
    ) -> WorkerJob? {
        let context = claimed == nil ? nil : ExecutionContext.current
        context?.claim.hold(claimed)
        for operation in outbox?.refused ?? [] { operation.release() }
        outbox = nil
        queue = nil
        return context?.claim.take()
    }

    /// Takes off the intake's mark when nobody can be relied on to look in, and sets it when somebody can.
    /// - Returns: False if there was something in it, which has been received and may change the matter.
    private func markIntake(_ actions: QueueState.Actions) -> Bool {
        let attends = actions.attendsToIntake
        guard attends != isAttended else { return true }
        guard intake.mark(isAttended: attends) else {
            collect()
            return false
        }
        isAttended = attends
        return true
    }

    /// Tells the state when its rate limit allows it to go on.
    private func sleep(for wait: QueueState.RateWait) {
        let executor = completionPool.taskExecutor(in: .standard)
        Niceness.onOrdinaryThread { [weak self, clock] in
            Task.detached(executorPreference: executor) {
                try? await clock.pause(for: wait.delay)
                // It may be gone: nobody has to wait for the end of a period.
                self?.tell(.rateWaitEnded(wait))
            }
        }
    }

    /// In debug builds, has a stall looked into that has just begun.
    @inline(__always)
    private func watchForStall() {
        #if DEBUG
            guard state.isStalled, stalledTurn != state.turns, pool === ThreadPool.shared else { return }
            stalledTurn = state.turns
            lookIntoStall(at: state.turns)
        #endif
    }
}

extension QueueState.Actions {
    /// All that follows from this event and the one before it, which was not carried out. The work that the other one led to
    /// is left out: whoever told of it has made a job of it.
    fileprivate func following(_ other: QueueState.Actions) -> QueueState.Actions {
        var all = self
        all.search = search ?? other.search
        all.rateWait = rateWait ?? other.rateWait
        all.looksOn = looksOn || other.looksOn
        return all
    }
}
