import Synchronization

/// The kinds of threads: a thread is never moved from one to another, because it could not go back.
package enum Lane: Int, CaseIterable, Sendable {
    case standard
    case utility
    case background

    init(quality code: UInt8) {
        switch code {
        case 1: self = .background
        case 2: self = .utility
        default: self = .standard
        }
    }

    /// Where an operation with a word has to run; nil for what is no operation.
    /// - Parameter code: That of its queue's quality of service, for what has none of its own.
    init(of state: OperationState?, in code: UInt8) {
        let own = state?.quality ?? 0
        self.init(quality: own == 0 ? code : own)
    }

    /// Its threads come before those of the other when there is more to do than processors.
    func comesBefore(_ other: Lane) -> Bool { rawValue < other.rawValue }

    /// Added to the niceness of the process.
    var niceness: Int32 {
        switch self {
        case .standard: 0
        case .utility: 5
        case .background: 10
        }
    }
}

/// How fast a job must get a thread.
package enum Urgency: Sendable {
    /// At once: somebody asked for this width.
    case prompt
    /// Within some milliseconds, also beside full queues: events, and what the engine itself has to do.
    case brief
    /// The same for completion blocks, which may block.
    case completion
    /// The same, of a queue that was idle.
    case first
    /// As many at once as there are processors, more when some of those are blocked.
    case elastic
    /// As elastic, behind those: it is for somebody who has a thread already.
    case patient
}

/// What ends the turns of threads, so that others get theirs.
final class TurnBell: Sendable {
    fileprivate let rings = Atomic<UInt32>(0)

    /// One that nobody rings any more.
    fileprivate static let rung = TurnBell()

    func ring() { rings.wrappingAdd(1, ordering: .relaxed) }
}

/// The time for which the calling thread may go on with a queue while others wait for a thread.
package struct WorkerTurn {
    /// The lane that the thread belongs to; nil where threads serve all of them.
    private let lane: Lane?
    /// The pool that the thread works for. A queue that has got another one meanwhile has no work for it.
    let pool: ObjectIdentifier
    /// The calling thread's, which keeps it.
    let context: Unmanaged<ExecutionContext>
    /// The thread's lane keeps it.
    private let bell: Unmanaged<TurnBell>?
    private let rings: UInt32

    /// A turn that ends when `bell` rings.
    init(lane: Lane, of pool: ObjectIdentifier, until bell: TurnBell) {
        self.init(lane: lane, of: pool, until: bell, since: bell.rings.load(ordering: .relaxed))
    }

    /// A turn that never ends, of a pool that runs one step at a time.
    package init(lane: Lane?, of pool: some WorkerPool) {
        self.lane = lane
        self.pool = ObjectIdentifier(pool)
        context = ExecutionContext.unretained
        bell = nil
        rings = 0
    }

    /// A turn that is over: for one step, after which the job looks for work anew.
    static func over(lane: Lane?, of pool: some WorkerPool) -> WorkerTurn {
        WorkerTurn(lane: lane, of: ObjectIdentifier(pool), until: .rung, since: .max)
    }

    /// Work of a lane may run on the thread.
    @inline(__always)
    func serves(_ lane: Lane) -> Bool { self.lane == nil || self.lane == lane }

    private init(lane: Lane?, of pool: ObjectIdentifier, until bell: TurnBell, since rings: UInt32) {
        self.lane = lane
        self.pool = pool
        context = ExecutionContext.unretained
        self.bell = .passUnretained(bell)
        self.rings = rings
    }

    /// True if the thread must claim nothing more.
    @inline(__always)
    var isOver: Bool {
        guard let bell else { return false }
        return bell._withUnsafeGuaranteedRef { $0.rings.load(ordering: .relaxed) } != rings
    }
}

/// Runs the jobs of queues: threads of the engine's own, a dispatch queue, or a test's scheduler.
package protocol WorkerPool: AnyObject, Sendable {
    /// Runs `job`, then the job that its step returns, and so on until a step returns none.
    ///
    /// Never runs it before returning, and may be called from any thread.
    func add(_ job: WorkerJob, lane: Lane, urgency: Urgency)

    /// Runs `block`, which tells those who look on of what has happened, and is no part of the work.
    ///
    /// Never runs it before returning, and may be called from any thread.
    func addDelivery(_ block: @escaping @Sendable () -> Void)

    /// Called by a thread that is about to block until `wait` is over. A pool without threads has its jobs run meanwhile.
    func help(_ wait: BlockingWait)

    /// Called by a task that is about to be suspended until `isDone`. A pool without threads returns when its jobs have brought that
    /// about, or there are none; at once where the task is in one of them.
    /// - Parameter isDone: May be asked later on, too, by any thread. Holds nothing of what is waited for.
    nonisolated(nonsending) func drive(until isDone: @escaping @Sendable () -> Bool) async

    /// Where a task that began in a lane of this pool goes on after it was suspended; nil, the default, for Swift's own threads.
    func taskExecutor(in lane: Lane) -> (any TaskExecutor)?

    /// Chance for what queues do by it, such as the delays between attempts; the system's by default.
    func random(in range: ClosedRange<Double>) -> Double
}

extension WorkerPool {
    package func addDelivery(_ block: @escaping @Sendable () -> Void) {
        add(.block(block), lane: .standard, urgency: .brief)
    }

    package func help(_ wait: BlockingWait) {}
    package nonisolated(nonsending) func drive(until isDone: @escaping @Sendable () -> Bool) async {}
    package func taskExecutor(in lane: Lane) -> (any TaskExecutor)? { nil }
    package func random(in range: ClosedRange<Double>) -> Double { Double.random(in: range) }
}

/// One step of work for a pool.
package enum WorkerJob: Sendable {
    /// Look for work in a queue, which has asked for that by a number.
    case search(QueueCore, number: UInt32)
    /// Run an operation that was claimed. It is held for this step, or by its queue if it is a plain one.
    case operation(Unmanaged<Operation>, isPlain: Bool)
    /// Run a barrier that was claimed. Its queue holds it, so that it does not go with the job.
    case barrier(Unmanaged<Barrier>, QueueCore)
    /// Run a block that belongs to no queue's width.
    case block(@Sendable () -> Void)

    var isSearch: Bool { if case .search = self { true } else { false } }

    /// It looks for work of the same queue, and was asked for later.
    package func isNewerSearch(than other: WorkerJob) -> Bool {
        guard case .search(_, let number) = self, case .search(_, let otherNumber) = other else { return false }
        return Int32(bitPattern: number &- otherNumber) > 0
    }

    /// Carries out the step; what was claimed is put back if its queue was suspended since, or has too few places.
    /// - Parameter turn: Of the calling thread; when it is over nothing more is claimed, but by a search.
    /// - Returns: What the same thread goes on with.
    package consuming func step(in turn: WorkerTurn) -> WorkerJob? {
        // The thread is in what it lets go of, and runs other work there.
        turn.context._withUnsafeGuaranteedRef { if $0.claim.isHeld { $0.giveClaimedAway() } }
        switch consume self {
        case .search(let core, let number): return core.advance(by: .workerCame(number), in: turn, hasJustCome: true)
        case .operation(let claimed, let isPlain):
            // The operation keeps its queue's engine for good.
            return claimed._withUnsafeGuaranteedRef { $0.unretainedCore }?._withUnsafeGuaranteedRef { core in
                guard core.mayBegin(.operation(claimed, isPlain: isPlain)) else { return nil }
                return core.run(claimed, isPlain: isPlain, in: turn)
            }
        case .barrier(let claimed, let core):
            guard core.mayBegin(.barrier(claimed, core)) else { return nil }
            if core.monitor.withLock({ core.state.beginBarrier() }) {
                ExecutionContext.current.working(for: core) { claimed._withUnsafeGuaranteedRef { $0.block() } }
            }
            return core.advance(by: .barrierEnded, in: turn)
        case .block(let block):
            block()
            return nil
        }
    }
}
