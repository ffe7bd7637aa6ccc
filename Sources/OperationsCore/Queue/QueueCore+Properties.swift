import Dispatch
import Synchronization

// What the queue's properties read and write.
extension QueueCore {
    var name: String {
        get { monitor.withLock { nameStorage } }
        set { monitor.withLock { nameStorage = newValue } }
    }

    var width: Int {
        get { monitor.withLock { state.width } }
        set { tell(.widthSet(newValue)) { mayHaveTooMany.store($0.hasTooMany, ordering: .relaxed) } }
    }

    var order: ExecutionOrder {
        get { monitor.withLock { state.order } }
        set {
            tell(.orderSet(newValue))
            Operation.orderExclusion(of: self)
        }
    }

    var rateLimit: RateLimit? {
        get { monitor.withLock { state.rateLimit } }
        set { tell(.rateLimitSet(newValue)) { isRateLimited.store($0.isLimited, ordering: .relaxed) } }
    }

    var isSuspended: Bool {
        get { monitor.withLock { state.isSuspended } }
        set { tell(.suspensionSet(newValue)) { mayHaveTooMany.store($0.hasTooMany, ordering: .relaxed) } }
    }

    /// The code of the quality for operations that have none; 0 while it was never set.
    var quality: UInt8 {
        get { laneQuality.load(ordering: .relaxed) }
        set {
            // Those who add from now on compare with it, and what was added before is seen to then.
            laneQuality.store(newValue, ordering: .relaxed)
            // Of two who set it the later one counts here, too.
            tell(.qualitySet(newValue)) { laneQuality.store($0.quality, ordering: .relaxed) }
        }
    }

    var operationCount: Int { tell(.added) { $0.count } }

    var isDrained: Bool { tell(.added) { $0.isDrained } }

    /// The operations, listed some at a time, so that whoever uses the queue meanwhile does not wait for long.
    var operations: [Operation] {
        admitAll()
        return operations(upTo: .max)
    }

    /// So many operations are listed under one lock.
    private static let operationsPerVisit = 256

    private func operations(upTo most: UInt64) -> [Operation] {
        let (visit, last, count) = monitor.withLock {
            (state.members.beginVisit(), min(most, state.lastAdmitted), state.members.count)
        }
        var operations: [Operation] = []
        operations.reserveCapacity(count)
        while monitor.withLock({ state.members.visit(visit, upTo: last, Self.operationsPerVisit, &operations) }) {}
        return operations
    }

    /// What diagnostics look at.
    var snapshot: (members: [Operation], barriers: [UInt64]) {
        (operations, monitor.withLock { state.barriers.all.map(\.sequence) })
    }

    var underlyingQueue: DispatchQueue? { monitor.withLock { (pool as? DispatchPool)?.queue } }

    /// Drops the barriers and cancels the operations, of which none starts because a barrier has gone.
    func cancelAll() {
        let last = tell(.dropBarriers) { $0.lastAdded }
        admitAll()
        for operation in operations(upTo: last) { operation.cancel() }
        tell(.barriersWereDropped)
    }

    /// Blocks until the queue has no operations and no barriers.
    /// - Parameter suspicion: What to report if that takes long; nil for nothing.
    func waitUntilDrained(_ suspicion: String?) {
        let context = ExecutionContext.current
        context.giveClaimedAway()
        let isDrained: @Sendable () -> Bool = { [self] in monitor.withLock { state.isDrained } }
        if isDrained() { return }
        let place = context.place
        // What is suspicious is reported below.
        let wait = suspicion == nil ? place.map { $0.core.beginWait(for: .queue(self), of: $0.number) } : nil
        defer { if let wait { place?.core.endWait(wait) } }
        help(BlockingWait(for: .queue(self), at: place, until: isDrained))
        monitor.lock()
        drainWaiters += 1
        if let suspicion {
            let deadline = Moment(millisecondsFromNow: Operation.suspiciousMilliseconds)
            while !state.isDrained, monitor.wait(until: deadline) {}
            if !state.isDrained {
                monitor.unlock()
                Log.report(suspicion)
                monitor.lock()
            }
        }
        while !state.isDrained { monitor.wait() }
        drainWaiters -= 1
        monitor.unlock()
    }

    /// Has somebody told of what happens from now on. Under the lock: what is seen to have finished has been posted then.
    func addObserver(_ observer: EventHub.Observer) -> Int { monitor.withLock { hub.add(observer) } }

    /// Has the work run that ends a wait of the calling thread, if it has no threads.
    func help(_ wait: @autoclosure () -> BlockingWait) {
        let pool = monitor.withLock { self.pool }
        if pool !== ThreadPool.shared { pool.help(wait()) }
    }

    /// What has to drive the work that a task is about to wait for; nil where threads take it by themselves.
    var driver: (any WorkerPool)? {
        let pool = monitor.withLock { self.pool }
        return pool === ThreadPool.shared ? nil : pool
    }

    /// Runs `block`, which is short, when workers that were asked for until now have probably begun.
    func afterSearch(_ block: @escaping @Sendable () -> Void) {
        let urgency: Urgency = monitor.withLock { state.urgency == .prompt ? .prompt : .brief }
        completionPool.add(.block(block), lane: lane(nil), urgency: urgency)
    }

    /// Runs `block` beside the operation that calls, on what runs this queue's work, but for the main queue's.
    func runBeside(_ block: @escaping @Sendable () -> Void, of operation: Operation) {
        // Beside the main thread, which has one to run itself.
        let (pool, lane) = monitor.withLock { (isMain ? completionPool : self.pool, self.lane(of: operation)) }
        let work: @Sendable () -> Void = { [self] in
            let context = ExecutionContext.current
            context.working(for: self) { context.running(operation, block) }
        }
        pool.add(.block(work), lane: lane, urgency: .prompt)
    }
}
