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
        /// Completion blocks and the delivery of events, which are served in the same way.
        case brief
    }

    /// The most threads of elastic jobs, and also of brief ones; more if all of them are blocked for long, as those may wait for
    /// what has no thread.
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
    /// Of each kind.
    private var shares: [Share]
    private var hasScout = false
    /// How often the scout has looked.
    private var looks: UInt = 0

    init(processors: Int) {
        let ceiling = max(Self.elasticCeiling, processors)
        shares = [
            Share(computing: processors * Self.promptJobsPerProcessor, ceiling: .max, patience: Self.patience),
            Share(computing: processors, ceiling: ceiling, patience: Self.elasticPatience, countsUse: true),
            Share(computing: processors, ceiling: .max, patience: Self.briefPatience),
            Share(computing: processors, ceiling: ceiling, patience: Self.briefPatience),
        ]
    }

    private subscript(_ kind: Kind) -> Share {
        get { shares[kind.rawValue] }
        _modify { yield &shares[kind.rawValue] }
    }

    /// Elastic places that others may take.
    private func spare(for kind: Kind) -> Int { kind == .first || kind == .brief ? self[.elastic].spare : 0 }

    mutating func add(_ job: WorkerJob, urgency: Urgency) -> Supply {
        switch urgency {
        case .prompt: self[.prompt].fresh.append(job)
        case .elastic: self[.elastic].fresh.append(job)
        case .patient: self[.elastic].continuing.append(job)
        case .first: self[.first].fresh.append(job)
        case .brief: self[.brief].fresh.append(job)
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

    /// The scout has looked at a thread that runs a job, in the turn that it was in then.
    /// - Parameter used: Nanoseconds of processor time since the last look.
    mutating func saw(
        _ thread: LaneThread, isBlocked: Bool, inTurn turn: UInt, used: Int64 = LaneState.lookNanoseconds
    ) {
        guard let kind = thread.running, thread.turns == turn else { return }
        if !isBlocked { self[kind].used += used }
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

extension LaneState {
    /// The jobs of one kind: those that wait, and how many run.
    private struct Share {
        /// How many of those that run may compute.
        private let computing: Int
        private let ceiling: Int
        /// After so many looks in which none began or ended one more may run.
        private let patience: Int
        /// A look counts as far as those that compute had a processor. Who has none because of others neither computes nor is
        /// blocked, and one more would only have less of what there is.
        private let countsUse: Bool
        /// Jobs that come from outside, and those that had a turn and go on. The former are first, since they are of somebody
        /// who had nothing, but not for ever.
        var fresh = Line<WorkerJob>()
        var continuing = Line<WorkerJob>()
        private var freshInARow = 0
        private var running = 0
        var blocked = 0
        /// Jobs that may run although none is known to be blocked, beside those that have computed for long.
        private var extra = 0
        /// Jobs that may run beyond the ceiling, as all below it are blocked.
        private var surplus = 0
        /// Nanoseconds of processor time that those that compute have used since the last look.
        var used: Int64 = 0
        /// Nanoseconds of looks in which none began or ended.
        private var waited: Int64 = 0

        private static let longestRow = 8

        init(computing: Int, ceiling: Int, patience: Int, countsUse: Bool = false) {
            self.computing = computing
            self.ceiling = ceiling
            self.patience = patience
            self.countsUse = countsUse
        }

        private var limit: Int {
            let wanted = computing + blocked + extra
            return wanted > ceiling ? min(wanted, ceiling + surplus) : wanted
        }
        private var waiting: Int { fresh.count + continuing.count }
        private var free: Int { max(0, limit - running) }

        /// As many run as may ever.
        var isAtCeiling: Bool { running >= ceiling }

        /// Another one may run.
        var hasRoom: Bool { free > 0 }

        /// Free places that none of its own jobs waits for.
        var spare: Int { max(0, free - waiting) }

        /// How many of those that wait may begin, with so many places beside its own.
        func startable(beside spare: Int) -> Int { min(waiting, free + spare) }

        /// Some wait that may not begin.
        func isFull(beside spare: Int) -> Bool { waiting > free + spare }

        mutating func begin() {
            running += 1
            waited = 0
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
            if running < ceiling { surplus = 0 }
        }

        /// One that has computed for long needs no other beside it any more.
        private mutating func turnEnded(after length: UInt) {
            waited = 0
            if extra > 0, length >= UInt(patience) { extra -= 1 }
        }

        /// The scout has looked.
        /// - Parameter isFull: Some wait that may not begin.
        mutating func lookEnded(isFull: Bool) {
            defer { used = 0 }
            guard isFull else { return }
            let computing = Int64(running - blocked)
            let look = LaneState.lookNanoseconds
            waited += countsUse && computing > 0 ? min(used / computing, look) : look
            guard waited >= Int64(patience) * look else { return }
            waited = 0
            if limit < ceiling { extra += 1 } else if computing == 0 { surplus += 1 }
        }

        mutating func popFirst() -> WorkerJob? {
            waited = 0
            if !fresh.isEmpty, freshInARow < Self.longestRow || continuing.isEmpty {
                freshInARow += 1
                return fresh.popFirst()
            }
            freshInARow = 0
            return continuing.popFirst()
        }
    }
}
