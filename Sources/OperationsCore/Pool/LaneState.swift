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

    /// The kinds of jobs, each with places of its own, those first that come first.
    enum Kind: Int, CaseIterable {
        /// A width that was set, blocks beside others.
        case prompt
        /// The default width.
        case elastic
        /// The first of an idle queue of the default width, which is served beside a full lane. One that finds an elastic place
        /// free takes that instead. If it blocks, so that there are as many as queues, it is replaced all the same: otherwise
        /// those of some queues could keep all others from getting on.
        case first
        /// The delivery of events and what the engine itself has to do, which are served in the same way.
        case brief
        /// Completion blocks, also served so, but in places of their own: many that block do not hold up the events.
        case completion
    }

    /// The most threads of elastic jobs, and also of brief ones and of completion blocks; more if all of them are blocked for
    /// long, as those may wait for what has no thread.
    static let elasticCeiling = 64
    /// Prompt jobs that compute at once, for each processor: enough that those of a usual width need no scout.
    static let promptJobsPerProcessor = 4
    /// After so many looks of the scout in which no prompt job began or ended, one more may run: they may wait for another
    /// without sleeping.
    static let patience = 50
    /// The same for elastic jobs. It is longer than most of them compute, since more at once than there are processors only
    /// share those. A look counts as far as those that compute had the processors meanwhile.
    static let elasticPatience = 200
    /// The least time between two looks of the scout.
    static let lookNanoseconds: Int64 = 1_000_000
    /// The same for brief jobs and completion blocks, which are waited for.
    static let briefPatience = 5

    private(set) var threads = 0
    /// The threads that wait for a job. The last that went to sleep is woken first: its caches are warm, and those that a
    /// burst left behind are not woken in turn with it, so that they sleep their time out and leave.
    private var sleepers: [LaneThread] = []
    /// Threads that were woken or created and have not asked for a job yet.
    private var arriving = 0
    /// The threads that run jobs, in no order.
    private(set) var working: [LaneThread] = []
    /// Of each kind.
    private var shares: [LaneShare]
    private var hasScout = false
    /// How often the scout has looked.
    private(set) var looks: UInt = 0

    init(processors: Int) {
        let ceiling = max(Self.elasticCeiling, processors)
        shares = Kind.allCases.map { kind in
            switch kind {
            case .prompt:
                LaneShare(computing: processors * Self.promptJobsPerProcessor, ceiling: .max, patience: Self.patience)
            case .elastic:
                LaneShare(computing: processors, ceiling: ceiling, patience: Self.elasticPatience, countsUse: true)
            case .first: LaneShare(computing: processors, ceiling: .max, patience: Self.briefPatience)
            case .brief, .completion:
                LaneShare(computing: processors, ceiling: ceiling, patience: Self.briefPatience)
            }
        }
    }

    /// The threads that run jobs and are blocked.
    var blocked: Int { shares.reduce(0) { $0 + $1.blocked } }

    private subscript(_ kind: Kind) -> LaneShare {
        _read { yield shares[kind.rawValue] }
        _modify { yield &shares[kind.rawValue] }
    }

    /// Elastic places that others may take.
    private func spare(for kind: Kind) -> Int { kind == .prompt || kind == .elastic ? 0 : self[.elastic].spare }

    mutating func add(_ job: WorkerJob, urgency: Urgency) -> Supply {
        switch urgency {
        case .prompt: self[.prompt].fresh.append(job)
        case .elastic: self[.elastic].fresh.append(job)
        case .patient: self[.elastic].continuing.append(job)
        case .first: self[.first].fresh.append(job)
        case .brief: self[.brief].fresh.append(job)
        case .completion: self[.completion].fresh.append(job)
        }
        return supply()
    }

    /// Asks for a thread if those on their way are fewer than the waiting jobs that may run.
    mutating func supply() -> Supply {
        let watching = !hasScout && isFull ? 1 : 0
        let startable = Kind.allCases.reduce(0) { $0 + self[$1].startable(beside: spare(for: $1)) }
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
    private var isFull: Bool { Kind.allCases.contains { isFull($0) } }

    private func isFull(_ kind: Kind) -> Bool { self[kind].isFull(beside: spare(for: kind)) }

    /// A thread that was asked for is there, and calls `take` next.
    mutating func threadArrived() { arriving -= 1 }

    /// What the calling thread, which holds no job, does now.
    /// - Parameter thread: The thread itself.
    mutating func take(for thread: LaneThread) -> Turn {
        for kind in Kind.allCases {
            // In an elastic place, if one is spare.
            let place = spare(for: kind) > 0 ? .elastic : kind
            guard self[place].hasRoom, let job = self[kind].popFirst() else { continue }
            self[place].begin()
            begin(place, thread)
            return .run(job, place, supply())
        }
        if !hasScout, isFull {
            hasScout = true
            return .watch
        }
        thread.isWoken = false
        sleepers.append(thread)
        return .wait
    }

    private mutating func begin(_ kind: Kind, _ thread: LaneThread) {
        thread.running = kind
        thread.turns &+= 1
        thread.turnBegan = looks
        thread.position = working.count
        working.append(thread)
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
        guard let kind = thread.running else { return job }
        thread.turns &+= 1
        unblock(thread)
        let length = looks &- thread.turnBegan
        thread.turnBegan = looks
        var next: WorkerJob?
        if kind == .prompt || kind == .elastic || kind == .first && self[.elastic].isAtCeiling {
            next = self[kind].exchange(job, after: length)
        } else {
            // It goes on as any other of the default width.
            self[kind].end(after: length)
            self[.elastic].continuing.append(job)
        }
        if next == nil { leave(thread) }
        return next
    }

    /// The thread's job has ended.
    mutating func jobEnded(on thread: LaneThread) {
        guard let kind = thread.running else { return }
        unblock(thread)
        self[kind].end(after: looks &- thread.turnBegan)
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
        guard thread.isBlocked, let kind = thread.running else { return }
        thread.isBlocked = false
        self[kind].blocked -= 1
    }

    /// Whether the scout has to look at a thread closely: if those that are its like are blocked, too, many more begin.
    func matters(_ thread: LaneThread) -> Bool { thread.running.map { self[$0].areAsleep } ?? false }

    /// The scout has looked at a thread that runs a job, in the turn that it was in then.
    /// - Parameter used: Nanoseconds of processor time since the last look.
    mutating func saw(
        _ thread: LaneThread, _ sight: ThreadClock.Sight, inTurn turn: UInt, used: Int64 = LaneState.lookNanoseconds
    ) {
        guard let kind = thread.running, thread.turns == turn else { return }
        self[kind].saw(sight, used: used)
        let isBlocked = sight == .blocked
        guard thread.isBlocked != isBlocked else { return }
        thread.isBlocked = isBlocked
        self[kind].blocked += isBlocked ? 1 : -1
    }

    /// The scout has looked at all.
    mutating func watchEnded() {
        hasScout = false
        looks &+= 1
        for kind in Kind.allCases { self[kind].lookEnded(isFull: isFull(kind)) }
    }

    /// The system has none to give now.
    mutating func threadWasRefused() {
        threads -= 1
        arriving -= 1
    }
}
