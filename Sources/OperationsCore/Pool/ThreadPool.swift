import Foundation
import Synchronization

/// The engine's own threads: as many as are asked for, and gone some seconds after they are needed.
package final class ThreadPool: WorkerPool {
    /// The pool of all queues that were not given another.
    package static let shared = ThreadPool()

    private let lanes = Lane.allCases.map { ThreadLane($0) }

    package init() {}

    package func add(_ job: WorkerJob, lane: Lane, urgency: Urgency) {
        lanes[lane.rawValue].add(job, urgency: urgency)
    }

    /// Threads that exist now, in all lanes.
    package var threadCount: Int { lanes.reduce(0) { $0 + $1.threadCount } }
}

/// The threads of one lane and the jobs that wait for one.
///
/// The decisions are `LaneState`'s; this shell locks, blocks, wakes and creates threads. The state is touched
/// only under the monitor, which makes it `Sendable`.
final class ThreadLane: @unchecked Sendable {
    private let lane: Lane
    private let monitor = Monitor()
    private var state = LaneState(processors: processors)
    /// See `Progress`: how the scout learns that elastic jobs get on, at the price of one load a step.
    private let progress = Atomic<UInt8>(Progress.unwatched)

    private enum Progress {
        static let unwatched: UInt8 = 0
        static let watched: UInt8 = 1
        static let seen: UInt8 = 2
    }

    /// Asked once: the answer takes reading files.
    private static let processors = max(2, ProcessInfo.processInfo.activeProcessorCount)
    /// An idle thread leaves after this time.
    private static let idleMilliseconds = 5_000
    /// Elastic jobs that made no progress for this time get another thread.
    private static let stallMilliseconds = 5
    /// After so many steps an elastic job lets another one have its thread.
    private static let stepsPerTurn = 64

    init(_ lane: Lane) {
        self.lane = lane
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
            if ExecutionContext.current.hasLowPriority {
                ThreadSpawner.shared.request(createThread)
            } else {
                if lane.niceness != 0 { ThreadSpawner.shared.start() }
                createThread()
            }
        }
    }

    @Sendable
    private func createThread() {
        var thread: pthread_t = 0
        let argument = Unmanaged.passRetained(self)
        let result = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<ThreadLane>.fromOpaque(argument).takeRetainedValue().serve()
                return nil
            }, argument.toOpaque())
        guard result != 0 else { return }
        argument.release()
        let remaining = monitor.withLock { state.threadWasRefused() }
        precondition(remaining > 0, "The system refused the engine its first thread (error \(result)).")
    }

    // MARK: A thread's life

    private func serve() {
        pthread_detach(pthread_self())
        // On Linux this concerns the calling thread alone, and so it is done once, when it is new. It counts from the
        // main thread, which has the process's own number: who created this one may be a thread of another niceness.
        let which = __priority_which_t(PRIO_PROCESS.rawValue)
        let niceness = getpriority(which, id_t(getpid())) + lane.niceness
        if getpriority(which, 0) != niceness { setpriority(which, 0, niceness) }
        if lane.niceness != 0 { ExecutionContext.current.hasLowPriority = true }
        let sleeper = Sleeper()
        monitor.lock()
        state.threadArrived()
        while true {
            switch state.take(for: sleeper) {
            case .run(let job, let urgency, let supply):
                monitor.unlock()
                provide(supply)
                run(job, urgency)
                monitor.lock()
            case .watch: watch()
            case .wait:
                sleeper.sleep(in: monitor, until: Moment(millisecondsFromNow: Self.idleMilliseconds))
                guard state.wakeUp(sleeper) else {
                    monitor.unlock()
                    return
                }
            }
        }
    }

    /// Runs a job to its end, or to the end of its turn.
    private func run(_ first: consuming WorkerJob, _ urgency: Urgency) {
        var job = first
        var steps = 0
        while true {
            let next = (consume job).step(on: lane)
            if urgency == .elastic, progress.load(ordering: .relaxed) == Progress.watched {
                progress.store(Progress.seen, ordering: .relaxed)
            }
            guard let next else { break }
            job = next
            steps += 1
            if urgency == .elastic, steps % Self.stepsPerTurn == 0 { job = monitor.withLock { state.swap(job) } }
        }
        if urgency == .elastic { monitor.withLock { state.elasticJobEnded() } }
    }

    /// The scout's turn: sleeps while elastic jobs get on, and makes room for one more when they do not.
    private func watch() {
        monitor.unlock()
        progress.store(Progress.watched, ordering: .relaxed)
        usleep(UInt32(Self.stallMilliseconds) * 1_000)
        let isStalled = progress.exchange(Progress.unwatched, ordering: .relaxed) == Progress.watched
        monitor.lock()
        state.watchEnded(isStalled: isStalled)
    }
}
