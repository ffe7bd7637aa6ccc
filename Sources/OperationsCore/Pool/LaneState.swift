/// How many threads a lane has, what they do, and which job comes next: a plain value.
///
/// A job of either kind that computes holds one of a few places, and one that is blocked holds none: its thread is replaced.
/// Who is blocked is found out by the scout: one thread that looks at the others while jobs wait, and that also ends the
/// turns of those that run.
struct LaneState {
    /// What the shell has to do for a new job.
    enum Supply: Equatable {
        case none
        case wake(LaneThread)
        case create
    }

    /// What a thread does next.
    enum Turn {
        case run(WorkerJob, Kind, Supply)
        case watch
        case wait
    }

    /// The two kinds of jobs, each with places of its own.
    enum Kind: Int {
        /// A width that was set, blocks beside others.
        case prompt
        /// The default width, completion blocks.
        case elastic
    }

    static let elasticCeiling = 64
    /// Prompt jobs that compute at once, for each processor: enough that those of a usual width need no scout.
    static let promptJobsPerProcessor = 4
    /// After so many looks of the scout in which no prompt job began or ended, one more may run: they may wait for another
    /// without sleeping.
    static let patience = 50

    private(set) var threads = 0
    /// The threads that wait for a job. The last that went to sleep is woken first: its caches are warm, and those that a
    /// burst left behind are not woken in turn with it, so that they sleep their time out and leave.
    private var sleepers: [LaneThread] = []
    /// Threads that were woken or created and have not asked for a job yet.
    private var arriving = 0
    /// The threads that run jobs, in no order.
    private(set) var working: [LaneThread] = []
    private var prompt: Share
    private var elastic: Share
    private var hasScout = false

    init(processors: Int) {
        prompt = Share(computing: processors * Self.promptJobsPerProcessor, ceiling: .max)
        elastic = Share(computing: processors, ceiling: max(Self.elasticCeiling, processors))
    }

    mutating func add(_ job: WorkerJob, urgency: Urgency) -> Supply {
        switch urgency {
        case .prompt: prompt.fresh.append(job)
        case .elastic: elastic.fresh.append(job)
        case .patient: elastic.continuing.append(job)
        }
        return supply()
    }

    /// Asks for a thread if those on their way are fewer than the waiting jobs that may run.
    private mutating func supply() -> Supply {
        let watching = !hasScout && (prompt.isFull || elastic.isFull) ? 1 : 0
        guard arriving < prompt.startable + elastic.startable + watching else { return .none }
        arriving += 1
        if let sleeper = sleepers.popLast() {
            sleeper.isWoken = true
            return .wake(sleeper)
        }
        threads += 1
        return .create
    }

    /// A thread that was asked for is there, and calls `take` next.
    mutating func threadArrived() { arriving -= 1 }

    /// What the calling thread, which holds no job, does now.
    /// - Parameter thread: The thread itself.
    mutating func take(for thread: LaneThread) -> Turn {
        if let job = prompt.begin() { return .run(job, begin(.prompt, thread), supply()) }
        if let job = elastic.begin() { return .run(job, begin(.elastic, thread), supply()) }
        if !hasScout, prompt.isFull || elastic.isFull {
            hasScout = true
            return .watch
        }
        thread.isWoken = false
        sleepers.append(thread)
        return .wait
    }

    private mutating func begin(_ kind: Kind, _ thread: LaneThread) -> Kind {
        thread.running = kind
        thread.turns &+= 1
        thread.position = working.count
        working.append(thread)
        return kind
    }

    /// An idle thread stops waiting.
    /// - Returns: False if nobody woke it, and it leaves.
    mutating func wakeUp(_ thread: LaneThread) -> Bool {
        guard thread.isWoken else {
            sleepers.removeAll { $0 === thread }
            threads -= 1
            return false
        }
        arriving -= 1
        return true
    }

    /// The end of a turn: `job` goes to the end of the line.
    /// - Returns: The job that comes next; nil if too many compute, and the thread's job has ended with this.
    mutating func endTurn(of thread: LaneThread, before job: WorkerJob) -> WorkerJob? {
        thread.turns &+= 1
        unblock(thread)
        guard let kind = thread.running else { return job }
        let next = kind == .prompt ? prompt.exchange(job) : elastic.exchange(job)
        if next == nil { leave(thread) }
        return next
    }

    /// The thread's job has ended.
    mutating func jobEnded(on thread: LaneThread) {
        unblock(thread)
        switch thread.running {
        case .prompt?: prompt.end()
        case .elastic?: elastic.end()
        case nil: return
        }
        leave(thread)
    }

    private mutating func leave(_ thread: LaneThread) {
        thread.running = nil
        let last = working.removeLast()
        guard last !== thread else { return }
        working[thread.position] = last
        last.position = thread.position
    }

    private mutating func unblock(_ thread: LaneThread) {
        guard thread.isBlocked else { return }
        thread.isBlocked = false
        count(-1, thread.running)
    }

    private mutating func count(_ change: Int, _ kind: Kind?) {
        switch kind {
        case .prompt?: prompt.blocked += change
        case .elastic?: elastic.blocked += change
        case nil: return
        }
    }

    /// The scout has looked at a thread that runs a job, in the turn that it was in then.
    mutating func saw(_ thread: LaneThread, isBlocked: Bool, inTurn turn: UInt) {
        guard thread.running != nil, thread.turns == turn, thread.isBlocked != isBlocked else { return }
        thread.isBlocked = isBlocked
        count(isBlocked ? 1 : -1, thread.running)
    }

    /// The scout has looked at all.
    mutating func watchEnded() {
        hasScout = false
        prompt.wait(Self.patience)
    }

    /// - Returns: The threads that there are all the same.
    mutating func threadWasRefused() -> Int {
        threads -= 1
        arriving -= 1
        return threads
    }
}

extension LaneState {
    /// The jobs of one kind: those that wait, and how many run.
    private struct Share {
        /// How many of those that run may compute.
        private let computing: Int
        private let ceiling: Int
        /// Jobs that come from outside, and those that had a turn and go on. The former are first, since they are of somebody
        /// who had nothing, but not for ever.
        var fresh = Line<WorkerJob>()
        var continuing = Line<WorkerJob>()
        private var freshInARow = 0
        private var running = 0
        var blocked = 0
        /// Jobs that may run although none is known to be blocked.
        private var extra = 0
        private var looksInVain = 0

        private static let longestRow = 8

        init(computing: Int, ceiling: Int) {
            self.computing = computing
            self.ceiling = ceiling
        }

        private var limit: Int { min(computing + blocked + extra, ceiling) }
        private var waiting: Int { fresh.count + continuing.count }

        /// How many of those that wait may begin.
        var startable: Int { min(waiting, max(0, limit - running)) }

        /// Some wait that may not begin.
        var isFull: Bool { waiting > max(0, limit - running) }

        mutating func begin() -> WorkerJob? {
            guard startable > 0 else { return nil }
            running += 1
            looksInVain = 0
            return popFirst()
        }

        mutating func exchange(_ job: WorkerJob) -> WorkerJob? {
            looksInVain = 0
            continuing.append(job)
            if running <= limit { return popFirst() }
            running -= 1
            return nil
        }

        mutating func end() {
            running -= 1
            looksInVain = 0
            if running <= computing { extra = 0 }
        }

        mutating func wait(_ patience: Int) {
            guard isFull else { return }
            looksInVain += 1
            guard looksInVain == patience else { return }
            looksInVain = 0
            extra += 1
        }

        private mutating func popFirst() -> WorkerJob? {
            if !fresh.isEmpty, freshInARow < Self.longestRow || continuing.isEmpty {
                freshInARow += 1
                return fresh.popFirst()
            }
            freshInARow = 0
            return continuing.popFirst()
        }
    }
}
