import Foundation
import Synchronization

/// The engine of one queue: its state, the lock around it, and what follows from each change.
///
/// It is apart from `OperationQueue`, because operations refer to it for as long as they live, and they must not
/// keep their queue alive for longer than they are in it. The variables are touched only under the monitor,
/// which makes it `Sendable`. It never calls out, nor releases an operation, with the monitor locked; the order
/// of locks is the monitor first, then one operation's mutex.
package final class QueueCore: @unchecked Sendable {
    let monitor = Monitor()
    let intake = Intake()
    /// The mark of `intake`.
    @exclusivity(unchecked) var isAttended = false
    /// What was taken out of `intake` and not yet taken in, as a list from the first on.
    @exclusivity(unchecked) var nextToTakeIn: Unmanaged<Operation>?
    /// Operations that had finished before the queue took them in, to be released outside the lock.
    @exclusivity(unchecked) var refused: [Unmanaged<Operation>] = []
    let isMain: Bool
    let clock: any Clock<Duration>
    let hub: EventHub
    // The monitor is what makes accesses exclusive; the run-time checks of the hottest variables cost more than it.
    @exclusivity(unchecked) var state: QueueState
    var pool: any WorkerPool
    /// Where completion blocks run: never on an underlying dispatch queue.
    let completionPool: any WorkerPool
    /// The code of the queue's quality of service; 0 while it was never set.
    let laneQuality = Atomic<UInt8>(0)
    var nameStorage: String
    /// The queue, for as long as somebody holds it.
    weak var queue: OperationQueue?
    /// The queue of Foundation's class that forwards to it, once there is one.
    weak var forwarding: Foundation.OperationQueue?
    /// The queue again, while it has operations.
    @exclusivity(unchecked) var keptQueue: OperationQueue?
    var drainWaiters = 0
    /// What this queue's work waits for.
    var waits = Waits()
    let progress = QueueProgress()
    #if DEBUG
        /// The count of work taken at the last stall that is being looked into.
        var stalledTurn: UInt64?

        func isStalled(since turn: UInt64) -> Bool {
            monitor.withLock { state.isStalled && state.turns == turn }
        }
    #endif

    init(name: String, width: Int, pool: any WorkerPool, clock: any Clock<Duration>, isMain: Bool = false) {
        nameStorage = name
        self.pool = pool
        completionPool = isMain ? ThreadPool.shared : pool
        hub = EventHub(clock, pool: completionPool)
        state = QueueState(width: width, hub: hub)
        self.clock = clock
        self.isMain = isMain
    }

    /// Called before anyone else knows of the queue.
    func attach(_ queue: OperationQueue) {
        monitor.withLock { self.queue = queue }
    }

    /// The queue that this is the engine of; nil once it is gone.
    var owner: OperationQueue? { monitor.withLock { keptQueue ?? queue } }

    // MARK: Changing the state

    /// Changes the state under the lock, asks for a worker if there is work for one, wakes those who wait for
    /// the end of all operations, and lets the queue go when it has none.
    @inline(__always)
    func change<Result>(_ body: (inout QueueState) -> Result) -> Result {
        monitor.lock()
        takeIn()
        let result = body(&state)
        unlockAfterChange()
        return result
    }

    /// The end of every change. Threads that work off one queue side by side pay most for what they touch of it
    /// in turns, its reference count included, so that this and what it is part of is inlined into its callers.
    @inline(__always)
    func unlockAfterChange() {
        guard isSettled else { return settleAndUnlock() }
        monitor.unlock()
        if hub.hasPosted { hub.deliver() }
    }

    /// Nothing follows from the change, as after most steps of a queue at work.
    @inline(__always)
    var isSettled: Bool {
        if state.mayBeginSearch {
            takeInWhatIsNext()
            if state.hasWork() { return false }
        }
        #if DEBUG
            if state.isStalled { return false }
        #endif
        return state.attendsToIntake == isAttended && !state.isDrained && !state.isLimited && refused.isEmpty
    }

    @inline(never)
    func settleAndUnlock() {
        let taken = takeWhatBeginsAtOnce()
        var worker = askForWorker()
        while !settleIntake() { worker = worker ?? askForWorker() }
        watchForStall()
        let rateWait = state.beginRateWait()
        let released = takeReleased()
        monitor.unlock()
        worker?.start(self)
        if hub.hasPosted { hub.deliver() }
        if let rateWait { waitForRate(rateWait) }
        if let taken { start(taken) }
        released.release()
    }

    /// What comes next, for the calling thread to start, if that is not starting something already.
    private func takeWhatBeginsAtOnce() -> Operation? {
        guard state.mayBeginSearch else { return nil }
        takeInWhatIsNext()
        // A pool with rules of its own decides where its work runs, and a quality of service has its threads.
        guard pool === ThreadPool.shared, state.barriers.isEmpty, let first = state.store.first,
            first._withUnsafeGuaranteedRef({ mayBeginAnywhere($0) }),
            ExecutionContext.unretained._withUnsafeGuaranteedRef({ $0.stepping == nil && !$0.startsForOthers }),
            case .operation(let taken) = state.takeWork()
        else { return nil }
        return taken.takeUnretainedValue()
    }

    private func mayBeginAnywhere(_ operation: Operation) -> Bool {
        operation.state.beginsAtOnce && lane(of: operation) == .standard
    }

    /// Has the calling thread, whose task is about to wait for `operation`, begin that if it is what comes next.
    func beginAwaited(_ operation: Operation) {
        let isBusy = ExecutionContext.unretained._withUnsafeGuaranteedRef { $0.stepping != nil || $0.startsForOthers }
        guard !isBusy, AwaitedStart.begin() else { return }
        defer { AwaitedStart.end() }
        monitor.lock()
        takeInWhatIsNext()
        var taken: Operation?
        if pool === ThreadPool.shared, state.barriers.isEmpty, lane(of: operation) == .standard,
            state.store.first?.toOpaque() == Unmanaged.passUnretained(operation).toOpaque(),
            case .operation(let reference) = state.takeWork()
        {
            taken = reference.takeUnretainedValue()
        }
        unlockAfterChange()
        if let taken { start(taken, awaited: operation) }
    }

    /// Starts an operation that was taken, and those of its kind after it. Whatever else comes next is a worker's: also
    /// what was taken in place of the first of the store, when somebody changed that at the same moment.
    /// - Parameter awaited: What the calling thread may begin whatever it is.
    private func start(_ taken: Operation, awaited: Operation? = nil) {
        ExecutionContext.unretained._withUnsafeGuaranteedRef { context in
            context.startsForOthers = true
            defer { context.startsForOthers = false }
            var next: WorkerJob? = .operation(taken)
            while let job = next {
                guard case .operation(let operation) = job else { return give(job, to: .standard) }
                guard operation === awaited || mayBeginAnywhere(operation) else {
                    return give(job, to: lane(of: operation))
                }
                next = run(operation, in: WorkerTurn(lane: .standard), context)
            }
        }
    }

    /// What a change lets go of, to be released outside the lock.
    struct Released {
        var queue: OperationQueue?
        var operations: [Unmanaged<Operation>] = []

        @inline(__always)
        consuming func release() {
            for operation in operations { operation.release() }
            // The last reference to the queue may be this one.
            queue = nil
        }
    }

    /// Lets the queue go when it has no operations, and wakes those who wait for that.
    @inline(__always)
    func takeReleased() -> Released {
        var released = Released()
        if !refused.isEmpty { swap(&released.operations, &refused) }
        if state.isDrained {
            released.queue = keptQueue.take()
            if drainWaiters > 0 { monitor.broadcast() }
        }
        return released
    }

    /// Has the queue look for work again when its rate limit allows it.
    func waitForRate(_ wait: QueueState.RateWait) {
        Task.detached(executorPreference: completionPool.taskExecutor) { [self] in
            try? await clock.sleep(for: wait.delay)
            change { $0.endRateWait(wait) }
        }
    }

    /// A worker to be asked for outside the lock.
    struct Worker {
        let pool: any WorkerPool
        let lane: Lane
        let urgency: Urgency

        func start(_ core: QueueCore) { pool.add(.search(core), lane: lane, urgency: urgency) }
    }

    @inline(__always)
    func askForWorker() -> Worker? {
        guard state.mayBeginSearch else { return nil }
        takeInWhatIsNext()
        guard state.beginSearch() else { return nil }
        let lane = state.store.first.map { $0._withUnsafeGuaranteedRef { self.lane(of: $0) } }
        return Worker(pool: pool, lane: lane ?? defaultLane, urgency: state.searchUrgency)
    }

    /// In debug builds, has a stall looked into that has just begun.
    @inline(__always)
    func watchForStall() {
        #if DEBUG
            guard state.isStalled, stalledTurn != state.turns, pool === ThreadPool.shared else { return }
            stalledTurn = state.turns
            lookIntoStall(at: state.turns)
        #endif
    }

    func lane(of operation: Operation) -> Lane {
        let quality = operation.state.quality
        return quality == 0 ? defaultLane : Lane(quality: quality)
    }

    var defaultLane: Lane { Lane(quality: laneQuality.load(ordering: .relaxed)) }
}
