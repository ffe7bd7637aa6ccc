/// How many threads a lane has, what they do, and which job comes next: a plain value.
///
/// A job of any kind that computes holds one of a few places, and one that is blocked holds none: its thread is replaced.
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

    /// The kinds of jobs, each with places of its own.
    enum Kind: Int {
        /// A width that was set, blocks beside others.
        case prompt
        /// The default width.
        case elastic
        /// What is to be served beside a full lane: the first of an idle queue, completion blocks, the delivery of events. One
        /// that finds an elastic place free takes that instead.
        case brief
    }

    /// The most threads of elastic jobs, and also of brief ones.
    static let elasticCeiling = 64
    /// Prompt jobs that compute at once, for each processor: enough that those of a usual width need no scout.
    static let promptJobsPerProcessor = 4
    /// After so many looks of the scout in which no prompt job began or ended, one more may run: they may wait for another
    /// without sleeping.
    static let patience = 50
    /// The same for elastic jobs. It is longer than most of them compute, since more at once than there are processors only
    /// share those.
    static let elasticPatience = 200
    /// The same for brief jobs, which are waited for.
    static let briefPatience = 5

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
    private var brief: Share
    private var hasScout = false
    /// How often the scout has looked.
    private var looks: UInt = 0

    init(processors: Int) {
        let ceiling = max(Self.elasticCeiling, processors)
        prompt = Share(
            computing: processors * Self.promptJobsPerProcessor, ceiling: .max, patience: Self.patience)
        elastic = Share(computing: processors, ceiling: ceiling, patience: Self.elasticPatience)
        brief = Share(computing: processors, ceiling: ceiling, patience: Self.briefPatience)
    }

    mutating func add(_ job: WorkerJob, urgency: Urgency) -> Supply {
        switch urgency {
        case .prompt: prompt.fresh.append(job)
        case .brief: brief.fresh.append(job)
        case .elastic: elastic.fresh.append(job)
        case .patient: elastic.continuing.append(job)
        }
        return supply()
    }

    /// Asks for a thread if those on their way are fewer than the waiting jobs that may run.
    private mutating func supply() -> Supply {
        let watching = !hasScout && isFull ? 1 : 0
        let startable = prompt.startable + elastic.startable + brief.startable(beside: elastic)
        guard arriving < startable + watching else { return .none }
        arriving += 1
        if let sleeper = sleepers.popLast() {
            sleeper.isWoken = true
            return .wake(sleeper)
        }
        threads += 1
        return .create
    }

    /// Some jobs wait that may not begin.
    private var isFull: Bool { prompt.isFull || elastic.isFull || brief.isFull(beside: elastic) }

    /// A thread that was asked for is there, and calls `take` next.
    mutating func threadArrived() { arriving -= 1 }

    /// What the calling thread, which holds no job, does now.
    /// - Parameter thread: The thread itself.
    mutating func take(for thread: LaneThread) -> Turn {
        if let job = prompt.begin() { return .run(job, begin(.prompt, thread), supply()) }
        if let job = elastic.begin() { return .run(job, begin(.elastic, thread), supply()) }
        if let job = brief.begin(in: &elastic) { return .run(job, begin(.elastic, thread), supply()) }
        if let job = brief.begin() { return .run(job, begin(.brief, thread), supply()) }
        if !hasScout, isFull {
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
        thread.turnBegan = looks
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
        let length = looks &- thread.turnBegan
        thread.turnBegan = looks
        var next: WorkerJob?
        switch thread.running {
        case .prompt?: next = prompt.exchange(job, after: length)
        case .elastic?: next = elastic.exchange(job, after: length)
        case .brief?:
            // It goes on as any other of the default width.
            brief.end(after: length)
            elastic.continuing.append(job)
        case nil: return job
        }
        if next == nil { leave(thread) }
        return next
    }

    /// The thread's job has ended.
    mutating func jobEnded(on thread: LaneThread) {
        unblock(thread)
        let length = looks &- thread.turnBegan
        switch thread.running {
        case .prompt?: prompt.end(after: length)
        case .elastic?: elastic.end(after: length)
        case .brief?: brief.end(after: length)
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
        case .brief?: brief.blocked += change
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
        looks &+= 1
        if prompt.isFull { prompt.wait() }
        if elastic.isFull { elastic.wait() }
        if brief.isFull(beside: elastic) { brief.wait() }
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
        /// After so many looks in which none began or ended one more may run.
        private let patience: Int
        /// Jobs that come from outside, and those that had a turn and go on. The former are first, since they are of somebody
        /// who had nothing, but not for ever.
        var fresh = Line<WorkerJob>()
        var continuing = Line<WorkerJob>()
        private var freshInARow = 0
        private var running = 0
        var blocked = 0
        /// Jobs that may run although none is known to be blocked, beside those that have computed for long.
        private var extra = 0
        private var looksInVain = 0

        private static let longestRow = 8

        init(computing: Int, ceiling: Int, patience: Int) {
            self.computing = computing
            self.ceiling = ceiling
            self.patience = patience
        }

        private var limit: Int { min(computing + blocked + extra, ceiling) }
        private var waiting: Int { fresh.count + continuing.count }
        private var free: Int { max(0, limit - running) }

        /// How many of those that wait may begin.
        var startable: Int { min(waiting, free) }

        /// Some wait that may not begin.
        var isFull: Bool { waiting > free }

        /// Free places that none of its own jobs waits for.
        var spare: Int { max(0, free - waiting) }

        /// As `startable`, of jobs that may also have the spare places of `other`.
        func startable(beside other: Share) -> Int { min(waiting, free + other.spare) }

        /// As `isFull`, of the same.
        func isFull(beside other: Share) -> Bool { waiting > free + other.spare }

        mutating func begin() -> WorkerJob? {
            guard startable > 0 else { return nil }
            running += 1
            looksInVain = 0
            return popFirst()
        }

        /// Begins one in a spare place of `other`.
        mutating func begin(in other: inout Share) -> WorkerJob? {
            guard waiting > 0, other.spare > 0 else { return nil }
            looksInVain = 0
            other.running += 1
            other.looksInVain = 0
            return popFirst()
        }

        mutating func exchange(_ job: WorkerJob, after length: UInt) -> WorkerJob? {
            turnEnded(after: length)
            continuing.append(job)
            if running <= limit { return popFirst() }
            running -= 1
            return nil
        }

        mutating func end(after length: UInt) {
            running -= 1
            turnEnded(after: length)
            if running <= computing { extra = 0 }
        }

        /// One that has computed for long needs no other beside it any more.
        private mutating func turnEnded(after length: UInt) {
            looksInVain = 0
            if extra > 0, length >= UInt(patience) { extra -= 1 }
        }

        /// The scout has looked, and some wait that may not begin.
        mutating func wait() {
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
