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
    private let intake = Intake()
    /// The mark of `intake`.
    @exclusivity(unchecked) private var isAttended = false
    /// What was taken out of `intake` and not yet taken in, as a list from the first on.
    @exclusivity(unchecked) private var nextToTakeIn: Unmanaged<Operation>?
    /// Operations that had finished before the queue took them in, to be released outside the lock.
    @exclusivity(unchecked) private var refused: [Unmanaged<Operation>] = []
    let isMain: Bool
    let clock: any Clock<Duration>
    let hub: EventHub
    // The monitor is what makes accesses exclusive; the run-time checks of the hottest variables cost more than it.
    @exclusivity(unchecked) private var state: QueueState
    private var pool: any WorkerPool
    /// Where completion blocks run: never on an underlying dispatch queue.
    let completionPool: any WorkerPool
    /// The code of the queue's quality of service; 0 while it was never set.
    private let laneQuality = Atomic<UInt8>(0)
    private var nameStorage: String
    /// The queue, for as long as somebody holds it.
    private weak var queue: OperationQueue?
    /// The queue again, while it has operations.
    @exclusivity(unchecked) private var keptQueue: OperationQueue?
    private var drainWaiters = 0
    /// Threads that work for this queue and wait for an operation.
    private var waits: [Wait] = []
    let progress = QueueProgress()
    #if DEBUG
        /// The count of work taken at the last stall that is being looked into.
        private var stalledTurn: UInt64?

        func isStalled(since turn: UInt64) -> Bool {
            monitor.withLock { state.isStalled && state.turns == turn }
        }
    #endif

    init(name: String, width: Int, pool: any WorkerPool, clock: any Clock<Duration>, isMain: Bool = false) {
        nameStorage = name
        hub = EventHub(clock)
        state = QueueState(width: width, hub: hub)
        self.pool = pool
        completionPool = isMain ? ThreadPool.shared : pool
        self.clock = clock
        self.isMain = isMain
    }

    /// Called once, before anyone else knows of it.
    func attach(_ queue: OperationQueue) {
        self.queue = queue
    }

    /// The queue that this is the engine of; nil once it is gone.
    var owner: OperationQueue? { monitor.withLock { keptQueue ?? queue } }

    // MARK: Changing the state

    /// Changes the state under the lock, asks for a worker if there is work for one, wakes those who wait for
    /// the end of all operations, and lets the queue go when it has none.
    @inline(__always)
    private func change<Result>(_ body: (inout QueueState) -> Result) -> Result {
        monitor.lock()
        takeIn()
        let result = body(&state)
        unlockAfterChange()
        return result
    }

    /// Takes in all that has been added.
    @inline(__always)
    private func takeIn() {
        while takeInNext() {}
    }

    /// Takes in what has been added until the store has what comes next.
    ///
    /// A worker does no more than that, so that it has to do with one operation at a time and finds it in its cache.
    @inline(__always)
    private func takeInWhatIsNext() {
        while state.needsIntake, takeInNext() {}
    }

    @inline(__always)
    private func takeInNext() -> Bool {
        guard let operation = nextToTakeIn ?? intake.takeAll() else { return false }
        nextToTakeIn = operation._withUnsafeGuaranteedRef { $0.nextMember }
        takeIn(operation)
        return true
    }

    @inline(__always)
    private func takeIn(_ operation: Unmanaged<Operation>) {
        if !state.add(operation, to: self) { refused.append(operation) }
    }

    /// Takes off the intake's mark when nobody can be relied on to look in, and sets it when somebody can.
    /// - Returns: False if there was something in it, which has been taken in and may change the matter.
    @inline(__always)
    private func settleIntake() -> Bool {
        let attends = state.attendsToIntake
        guard attends != isAttended else { return true }
        guard attends || nextToTakeIn == nil, intake.mark(isAttended: attends) else {
            takeIn()
            return false
        }
        isAttended = attends
        return true
    }

    /// The end of every change. Threads that work off one queue side by side pay most for what they touch of it
    /// in turns, its reference count included, so that this and what it is part of is inlined into its callers.
    @inline(__always)
    private func unlockAfterChange() {
        guard isSettled else { return settleAndUnlock() }
        monitor.unlock()
        if hub.hasPosted { hub.deliver() }
    }

    /// Nothing follows from the change, as after most steps of a queue at work.
    @inline(__always)
    private var isSettled: Bool {
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
    private func settleAndUnlock() {
        var worker = askForWorker()
        while !settleIntake() { worker = worker ?? askForWorker() }
        watchForStall()
        let rateWait = state.beginRateWait()
        let released = takeReleased()
        monitor.unlock()
        worker?.start(self)
        if hub.hasPosted { hub.deliver() }
        if let rateWait { waitForRate(rateWait) }
        released.release()
    }

    /// What a change lets go of, to be released outside the lock.
    private struct Released {
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
    private func takeReleased() -> Released {
        var released = Released()
        if !refused.isEmpty { swap(&released.operations, &refused) }
        if state.isDrained {
            released.queue = keptQueue.take()
            if drainWaiters > 0 { monitor.broadcast() }
        }
        return released
    }

    /// Has the queue look for work again when its rate limit allows it.
    private func waitForRate(_ wait: QueueState.RateWait) {
        Task.detached(executorPreference: completionPool.taskExecutor) { [self] in
            try? await clock.sleep(for: wait.delay)
            change { $0.endRateWait(wait) }
        }
    }

    /// A worker to be asked for outside the lock.
    private struct Worker {
        let pool: any WorkerPool
        let lane: Lane
        let urgency: Urgency

        func start(_ core: QueueCore) { pool.add(.search(core), lane: lane, urgency: urgency) }
    }

    @inline(__always)
    private func askForWorker() -> Worker? {
        guard state.mayBeginSearch else { return nil }
        takeInWhatIsNext()
        guard state.beginSearch() else { return nil }
        let lane = state.store.first.map { $0._withUnsafeGuaranteedRef { self.lane(of: $0) } }
        return Worker(pool: pool, lane: lane ?? defaultLane, urgency: state.urgency)
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

    private func lane(of operation: Operation) -> Lane {
        let quality = operation.state.quality
        return quality == 0 ? defaultLane : Lane(quality: quality)
    }

    private var defaultLane: Lane { Lane(quality: laneQuality.load(ordering: .relaxed)) }

    // MARK: Adding

    /// Makes an operation this queue's, for the queue to take it in.
    @inline(__always)
    private func adopt(_ operation: Operation) -> Unmanaged<Operation> {
        let isIdle = operation.state.phase == .idle
        // Before the word says so. Two that add one operation at once end in the trap, whichever is first.
        if isIdle { operation.unretainedCore = .passUnretained(self) }
        let isNew = isIdle && operation.transition(.adopt).contains(.accepted)
        precondition(isNew, Misuse.added(operation, to: name))
        if hub.isObserved { hub.post(.added, operation) }
        return .passRetained(operation)
    }

    func add(_ operation: Operation, to queue: OperationQueue) {
        let isAttended = intake.push(adopt(operation))
        // Only now: whoever raises it from now on finds it in the intake.
        let isUrgent = operation.state.priorityLevel > PriorityLevel.normal
        // While somebody attends the queue has other operations, and is kept.
        if isAttended, !isUrgent, !hub.isObserved { return }
        change { _ in keep(queue) }
    }

    func add(_ operations: [Operation], to queue: OperationQueue) {
        let references = operations.map { adopt($0) }
        change { _ in
            for operation in references { takeIn(operation) }
            keep(queue)
        }
    }

    /// Keeps the queue for as long as it has operations.
    @inline(__always)
    private func keep(_ queue: OperationQueue) {
        if keptQueue == nil, !state.isDrained { keptQueue = queue }
    }

    func addBarrier(_ block: @escaping @Sendable () -> Void, to queue: OperationQueue) {
        change { state in
            state.addBarrier(block)
            keep(queue)
        }
    }

    /// Brings the store in line with the word of an operation of this queue.
    func reconcile(_ operation: Operation) {
        change { $0.reconcile(operation) }
    }

    func reconcile(_ operations: some Sequence<Operation>) {
        change { state in
            for operation in operations { state.reconcile(operation) }
        }
    }

    // MARK: Working

    /// A worker that was asked for looks for work.
    func takeWork(on lane: Lane) -> WorkerJob? {
        continueWork(on: lane) { $0.endSearch() }
    }

    /// Changes the state and takes the next work under the same lock.
    @inline(__always)
    private func continueWork(on workerLane: Lane, _ body: (inout QueueState) -> Void) -> WorkerJob? {
        monitor.lock()
        body(&state)
        return takeWorkAndUnlock(on: workerLane)
    }

    /// The end of a step: the next work, taken under the lock that the caller holds.
    @inline(__always)
    private func takeWorkAndUnlock(on workerLane: Lane) -> WorkerJob? {
        takeInWhatIsNext()
        switch state.takeWork() {
        case nil:
            unlockAfterChange()
            return nil
        case .barrier(let block):
            unlockAfterChange()
            return .barrier(block, self)
        case .operation(let reference):
            if let operation = blockOperation(reference, for: workerLane) {
                unlockAfterChange()
                return .blocks(operation)
            }
            // Retained under the lock: the operation may finish, and leave the queue, before it is begun.
            let claimed = reference.retain()
            unlockAfterChange()
            let operation = claimed.takeRetainedValue()
            let lane = lane(of: operation)
            if lane == workerLane { return .operation(operation) }
            return hand(operation, to: lane)
        }
    }

    /// The operation, if it is one that takes the short way and that the worker itself will run.
    @inline(__always)
    private func blockOperation(_ reference: Unmanaged<Operation>, for worker: Lane) -> Unmanaged<BlockOperation>? {
        reference._withUnsafeGuaranteedRef { operation in
            guard type(of: operation) == BlockOperation.self, !operation.state.isExclusive,
                lane(of: operation) == worker
            else { return nil }
            // The class was just compared.
            return .passUnretained(unsafeDowncast(operation, to: BlockOperation.self))
        }
    }

    /// A thread keeps to its lane: the job goes to one of the other, and the calling thread has nothing to do.
    private func hand(_ operation: Operation, to lane: Lane) -> WorkerJob? {
        let (pool, urgency) = monitor.withLock { (self.pool, state.urgency) }
        pool.add(.operation(operation), lane: lane, urgency: urgency)
        return nil
    }

    /// Runs an operation that was taken from the store.
    func run(_ operation: Operation, on lane: Lane) -> WorkerJob? {
        // The thread holds it.
        let context = ExecutionContext.unretained
        return context._withUnsafeGuaranteedRef { run(operation, on: lane, $0) }
    }

    @inline(__always)
    private func run(_ operation: Operation, on lane: Lane, _ context: ExecutionContext) -> WorkerJob? {
        let (outerCore, outerStep) = (context.core, context.stepping)
        context.core = .passUnretained(self)
        context.stepping = .passUnretained(operation)
        defer { (context.core, context.stepping) = (outerCore, outerStep) }

        if operation.state.cancelsWithDependencies { operation.takeOverFailure() }
        if operation.isFinished {
            operation.finishNow()
        } else if !operation.isCancelled, !operation.isReady || !operation.acquireExclusion() {
            let isParked = operation.transition(.park).contains(.releaseSlot)
            return continueWork(on: lane) { state in
                if isParked { state.releasePlace() }
                state.reconcile(operation)
            }
        } else {
            let actions = operation.transition(.begin)
            if !actions.contains(.accepted) { operation.releaseExclusion() }
            if actions.contains(.releaseSlot) { return continueWork(on: lane) { $0.releasePlace() } }
            guard actions.contains(.accepted) else { return continueWork(on: lane) { _ in } }
            reportStart(of: operation)
            operation.start()
            if operation.isFinished {
                operation.finishNow()
            } else {
                _ = operation.transition(.startReturned)
            }
        }
        return continueWork(on: lane) { _ in }
    }

    /// What a step of the short way came to.
    struct BlocksEnd {
        var finished: Unmanaged<Operation>?
        let next: WorkerJob?
    }

    /// The short way for an operation of which nothing is overridden: finishing it and taking the next is one lock.
    func runBlocks(of operation: BlockOperation, on lane: Lane) -> BlocksEnd {
        if operation.state.cancelsWithDependencies { operation.takeOverFailure() }
        let actions = operation.transition(.beginMain)
        guard actions.contains(.accepted) else {
            return BlocksEnd(
                next: continueWork(on: lane) { if actions.contains(.releaseSlot) { $0.releasePlace() } })
        }
        if !actions.contains(.skipMain) {
            reportStart(of: operation)
            ExecutionContext.unretained._withUnsafeGuaranteedRef { context in
                let (outerCore, outerStep) = (context.core, context.stepping)
                context.core = .passUnretained(self)
                context.stepping = .passUnretained(operation)
                operation.runBlocks(on: context, in: self)
                (context.core, context.stepping) = (outerCore, outerStep)
            }
        }
        monitor.lock()
        let ending = leave(operation, &state)
        let next = takeWorkAndUnlock(on: lane)
        operation.settle(ending)
        return BlocksEnd(finished: ending.member, next: next)
    }

    @inline(__always)
    private func reportStart(of operation: Operation) {
        guard hub.isObserved || operation.state.isObserved, !operation.state.isCancelled else { return }
        hub.post(.started, operation)
        hub.deliver()
    }

    func finishBarrier(on lane: Lane) -> WorkerJob? {
        var finished: QueueState.Barrier?
        let next = continueWork(on: lane) { finished = $0.finishBarrier() }
        withExtendedLifetime(finished) {}
        return next
    }

    // MARK: Finishing

    /// What is left to do for a finished operation, outside the lock.
    struct Ending {
        var actions: OperationState.Actions = []
        /// Dependents in other queues, to reconcile there.
        var woken: [Operation] = []
        /// The queue's reference.
        var member: Unmanaged<Operation>?
    }

    /// Finishes an operation of this queue; does nothing when it has finished.
    ///
    /// The word changes under the lock, so that whoever sees a finished operation sees it gone from the queue.
    func finish(_ operation: Operation) {
        var ending = Ending()
        let stepping = ExecutionContext.unretained._withUnsafeGuaranteedRef { $0.stepping }
        if stepping?.toOpaque() == Unmanaged.passUnretained(operation).toOpaque() {
            // The worker that runs it takes the next work itself as soon as `start()` has returned.
            monitor.lock()
            ending = leave(operation, &state)
            while !settleIntake() {}
            let released = takeReleased()
            monitor.unlock()
            if hub.hasPosted { hub.deliver() }
            released.release()
        } else {
            ending = change { leave(operation, &$0) }
        }
        operation.settle(ending)
        ending.member?.release()
    }

    @inline(__always)
    private func leave(_ operation: Operation, _ state: inout QueueState) -> Ending {
        let actions = operation.transition(.finish)
        guard actions.contains(.accepted) else { return Ending() }
        var ending = Ending(actions: actions)
        if hub.isObserved || actions.contains(.notify) { hub.post(.finished, operation) }
        if actions.contains(.meetDependents) {
            ending.woken = operation.meetDependents(inside: self) { state.reconcile($0) }
        }
        ending.member = state.remove(operation, releasingPlace: actions.contains(.releaseSlot))
        return ending
    }
}

// MARK: - What the queue's properties read and write

extension QueueCore {
    var name: String {
        get { monitor.withLock { nameStorage } }
        set { monitor.withLock { nameStorage = newValue } }
    }

    var width: Int {
        get { monitor.withLock { state.width } }
        set { change { $0.width = newValue } }
    }

    var order: ExecutionOrder {
        get { monitor.withLock { state.order } }
        set { change { $0.order = newValue } }
    }

    var rateLimit: RateLimit? {
        get { monitor.withLock { state.rateLimit } }
        set { change { $0.rateLimit = newValue } }
    }

    var isSuspended: Bool {
        get { monitor.withLock { state.isSuspended } }
        set { change { $0.isSuspended = newValue } }
    }

    /// The code of the quality for operations that have none; 0 while it was never set.
    var quality: UInt8 {
        get { laneQuality.load(ordering: .relaxed) }
        set { laneQuality.store(newValue, ordering: .relaxed) }
    }

    var operationCount: Int { change { $0.members.count } }

    var operations: [Operation] { change { $0.members.all } }

    var underlyingQueue: DispatchQueue? { monitor.withLock { (pool as? DispatchPool)?.queue } }

    /// Has the work run elsewhere; false if the queue has operations.
    func replacePool(by pool: any WorkerPool) -> Bool {
        monitor.withLock {
            guard state.isDrained else { return false }
            self.pool = pool
            return true
        }
    }

    /// Drops the barriers and cancels the operations, of which none starts because a barrier has gone.
    func cancelAll() {
        let (dropped, operations) = change { ($0.dropBarriers(), $0.members.all) }
        withExtendedLifetime(dropped) {}
        for operation in operations { operation.cancel() }
        change { $0.admitMembers() }
    }

    /// Blocks until the queue has no operations and no barriers.
    func waitUntilDrained() {
        let pool = monitor.withLock { self.pool }
        pool.help { monitor.withLock { state.isDrained } }
        monitor.lock()
        drainWaiters += 1
        while !state.isDrained { monitor.wait() }
        drainWaiters -= 1
        monitor.unlock()
    }

    // MARK: Waits inside the queue's work

    /// One thread's wait. It holds both operations until it has taken this off the list.
    struct Wait {
        /// The operation whose `start()` the thread is in; nil in a barrier, or in a block beside others.
        let waiting: ObjectIdentifier?
        let target: Unmanaged<Operation>
    }

    func beginWait(_ wait: Wait) { monitor.withLock { waits.append(wait) } }

    func endWait(_ wait: Wait) {
        monitor.withLock {
            let index = waits.firstIndex {
                $0.waiting == wait.waiting && $0.target.toOpaque() == wait.target.toOpaque()
            }
            if let index { waits.remove(at: index) }
        }
    }

    /// What the operation, which this queue has started, waits for.
    func targets(of operation: Operation) -> [Operation] {
        let identity = ObjectIdentifier(operation)
        return monitor.withLock { waits.filter { $0.waiting == identity }.map { $0.target.takeUnretainedValue() } }
    }

    /// If nothing of this queue can start before something else ends: what all that runs waits for, nothing if the
    /// queue is suspended. Nil if something can start, or something that runs does not wait.
    var jam: [Operation]? {
        monitor.withLock {
            if state.isSuspended { return [] }
            guard !state.hasFreePlace, waits.count >= state.running else { return nil }
            return waits.map { $0.target.takeUnretainedValue() }
        }
    }

    func help(until isDone: () -> Bool) {
        let pool = monitor.withLock { self.pool }
        pool.help(until: isDone)
    }

    /// Asks for a worker if a step that is still under way left that for later.
    func resume() { change { _ in } }

    /// Runs `block` beside the operation that calls, on whatever runs this queue's work.
    func runBeside(_ block: @escaping @Sendable () -> Void, of operation: Operation) {
        let (pool, lane) = monitor.withLock { (self.pool, self.lane(of: operation)) }
        pool.add(
            .block { [self] in ExecutionContext.current.working(for: self, block) }, lane: lane, urgency: .prompt)
    }

    /// What diagnostics look at.
    var snapshot: (members: [Operation], barriers: [UInt64]) {
        change { ($0.members.all, $0.barriers.map(\.sequence)) }
    }
}
