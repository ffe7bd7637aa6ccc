import Foundation
import Synchronization

/// The engine's own threads: as many as are asked for, and gone some seconds after they are needed.
package final class ThreadPool: WorkerPool {
    /// The pool of all queues that were not given another.
    package static let shared = ThreadPool()

    // A variable only because the lanes know the pool, which has to be there before. The initializer sets it before anyone else
    // has the pool, and nobody does again: that makes reading it safe.
    private nonisolated(unsafe) var lanes: [ThreadLane] = []

    package init() {
        lanes = Lane.allCases.map { ThreadLane($0, of: ObjectIdentifier(self)) }
        if !ThreadSpawner.isNeeded { ThreadSpawner.shared.start() }
    }

    package func add(_ job: WorkerJob, lane: Lane, urgency: Urgency) {
        lanes[lane.rawValue].add(job, urgency: urgency)
    }

    package func taskExecutor(in lane: Lane) -> (any TaskExecutor)? {
        lane.niceness == 0 ? nil : lanes[lane.rawValue]
    }

    /// For tasks that may block their thread, which is one of the engine's then and none of Swift's few. They have normal priority.
    package var executorForBlockingTasks: any TaskExecutor { lanes[Lane.standard.rawValue] }

    /// Threads that exist now, in all lanes.
    package var threadCount: Int { lanes.reduce(0) { $0 + $1.threadCount } }
}

/// The threads of one lane and the jobs that wait for one.
///
/// The decisions are `LaneState`'s; this shell locks, blocks, wakes and creates threads. The state is touched
/// only under the monitor, which makes it `Sendable`.
final class ThreadLane: @unchecked Sendable {
    private let lane: Lane
    /// The pool that it is part of.
    private let pool: ObjectIdentifier
    private let monitor = Monitor()
    private var state = LaneState(processors: processors)
    /// Rung by the scout: the turn of every job is over.
    private let bell = TurnBell()

    /// Asked once: the answer takes reading files.
    private static let processors = max(2, ProcessInfo.processInfo.activeProcessorCount)
    /// An idle thread leaves after this time.
    private static let idleMilliseconds = 5_000
    /// How long the scout sleeps, which is the length of a turn while jobs wait.
    private static let turnMicroseconds = UInt32(LaneState.lookNanoseconds / 1_000)
    /// It sleeps so much longer for each thread that it looks at, so that looking takes a small part of the time: to ask the
    /// kernel about one takes 7.
    private static let lookMicroseconds: UInt32 = 20
    /// The same for one that was blocked and that it only asks for its processor time, which takes the kernel less than 1.
    private static let glanceMicroseconds: UInt32 = 2
    /// How many of those that were blocked the scout looks at closely at a time, beside all others. What was blocked and now
    /// waits for a processor shows by that; it shows by its time soon after.
    private static let closeLooks = 32

    init(_ lane: Lane, of pool: ObjectIdentifier) {
        self.lane = lane
        self.pool = pool
    }

    var threadCount: Int { monitor.withLock { state.threads } }

    func add(_ job: WorkerJob, urgency: Urgency) {
        monitor.lock()
        let supply = state.add(job, urgency: urgency)
        monitor.unlock()
        provide(supply)
    }

    private func provide(_ supply: LaneState.Supply) {
        switch supply {
        case .none: return
        case .wake(let sleeper): sleeper.wake()
        case .create:
            if ThreadSpawner.isNeeded { return ThreadSpawner.shared.request(createThread) }
            // It may be gone with a fork.
            ThreadSpawner.shared.start()
            createThread()
        }
    }

    @Sendable
    private func createThread() {
        if lane.niceness != 0 { Niceness.sharedQueuesExist }
        var thread: pthread_t = 0
        let argument = Unmanaged.passRetained(self)
        let result = ThreadSignals.inheritOnlyFaults(and: ThreadSignals.ofWorkers) {
            pthread_create(
                &thread, nil,
                { argument in
                    guard let argument else { return nil }
                    Unmanaged<ThreadLane>.fromOpaque(argument).takeRetainedValue().serve()
                    return nil
                }, argument.toOpaque())
        }
        guard result != 0 else { return }
        argument.release()
        monitor.withLock { state.threadWasRefused() }
        RefusedThread.askAgain(after: result) { [self] in provide(monitor.withLock { state.supply() }) }
    }

    // MARK: A thread's life

    private func serve() {
        pthread_detach(pthread_self())
        // Once, when the thread is new. Who created it may be a thread of another niceness.
        Niceness.ofThread = Niceness.ofProcess + lane.niceness
        if lane.niceness != 0 { ExecutionContext.current.hasLowPriority = true }
        let thread = LaneThread()
        thread.clock = ThreadClock()
        monitor.lock()
        state.threadArrived()
        while true {
            switch state.take(for: thread) {
            case .run(let job, let kind, let supply):
                monitor.unlock()
                provide(supply)
                run(job, kind, thread)
                monitor.lock()
            case .watch: watch()
            case .wait:
                thread.sleep(in: monitor, until: Moment(millisecondsFromNow: Self.idleMilliseconds))
                guard state.wakeUp(thread) else {
                    monitor.unlock()
                    return
                }
            }
        }
    }

    /// Runs a job to its end, or until too many compute.
    private func run(_ first: consuming WorkerJob, _ kind: LaneState.Kind, _ thread: LaneThread) {
        var job = first
        var turn = WorkerTurn(lane: lane, of: pool, until: bell)
        while let next = (consume job).step(in: turn) {
            job = next
            // Whoever has claimed something runs it, and looks for work later only if its turn is over.
            guard job.isSearch else { continue }
            turn = WorkerTurn(lane: lane, of: pool, until: bell)
            guard let other = monitor.withLock({ state.endTurn(of: thread, before: job) }) else { return }
            job = other
        }
        monitor.withLock { state.jobEnded(on: thread) }
    }

    /// The scout's turn: sleeps, finds out who is blocked, and ends the turns of the others.
    private func watch() {
        let (blocked, all) = (state.blocked, state.working.count)
        monitor.unlock()
        usleep(
            Self.turnMicroseconds + UInt32(all - blocked) * Self.lookMicroseconds
                + UInt32(blocked) * Self.glanceMicroseconds)
        monitor.lock()
        let watched = state.working.enumerated().map { index, thread in
            let isNext = (index + Int(state.looks)) % (all / Self.closeLooks + 1) == 0
            return (thread: thread, turn: thread.turns, isClose: isNext || state.matters(thread))
        }
        monitor.unlock()
        let sights = watched.map { sight(of: $0.thread, inTurn: $0.turn, isClose: $0.isClose) }
        bell.ring()
        monitor.lock()
        for (watched, sight) in zip(watched, sights) {
            state.saw(watched.thread, sight, inTurn: watched.turn, used: watched.thread.sample.usedSinceLast)
        }
        state.watchEnded()
    }

    /// What a thread does in the turn that it is in.
    /// - Parameter isClose: The kernel is asked, too, whether one that was blocked still is.
    private func sight(of thread: LaneThread, inTurn turn: UInt, isClose: Bool) -> ThreadClock.Sight {
        guard let clock = thread.clock else { return .awake }
        return thread.sample.look(clock.used, inTurn: turn) { wasBlocked in wasBlocked && !isClose || clock.isAsleep }
    }
}

/// Where tasks of operations of a lower quality of service go on after they were suspended: on the threads of their lane.
///
/// On Swift's own they would have the usual priority, and the thread that gives them work there may have to make one, which
/// would keep the lower priority; see `Niceness`.
extension ThreadLane: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        add(.block { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }, urgency: .first)
    }
}
