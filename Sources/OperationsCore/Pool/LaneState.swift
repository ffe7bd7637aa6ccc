/// How many threads a lane has, what they do, and which job comes next: a plain value.
///
/// Prompt jobs have a thread each. Of elastic jobs as many run as there are processors; when none of those made
/// progress for a while they are taken to be blocked, and one more may run, up to `elasticCeiling`. That is
/// noticed by the scout: one thread that sleeps while elastic jobs wait.
struct LaneState {
    /// What the shell has to do for a new job.
    enum Supply: Equatable {
        case none
        case wake(Sleeper)
        case create
    }

    /// What a thread does next.
    enum Turn {
        case run(WorkerJob, Urgency, Supply)
        case watch
        case wait
    }

    static let elasticCeiling = 64

    private let processors: Int
    private(set) var threads = 0
    /// The threads that wait for a job. The last that went to sleep is woken first: its caches are warm, and those that a
    /// burst left behind are not woken in turn with it, so that they sleep their time out and leave.
    private var sleepers: [Sleeper] = []
    /// Threads that were woken or created and have not asked for a job yet.
    private var arriving = 0
    private var prompt = JobLine()
    private var elastic = JobLine()
    private var elasticRunning = 0
    /// Elastic jobs that may run beyond the processors, since the others are blocked.
    private var allowance = 0
    private var hasScout = false

    init(processors: Int) {
        self.processors = processors
    }

    mutating func add(_ job: WorkerJob, urgency: Urgency) -> Supply {
        switch urgency {
        case .prompt: prompt.append(job)
        case .elastic: elastic.append(job)
        }
        return supply()
    }

    private var elasticLimit: Int { min(processors + allowance, max(Self.elasticCeiling, processors)) }

    private var needsScout: Bool { !hasScout && elasticLimit < Self.elasticCeiling }

    /// Asks for a thread if those on their way are fewer than the waiting jobs that may run.
    private mutating func supply() -> Supply {
        let room = max(0, elasticLimit - elasticRunning)
        let watching = elastic.count > room && needsScout ? 1 : 0
        guard arriving < prompt.count + min(elastic.count, room) + watching else { return .none }
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
    /// - Parameter sleeper: The thread's own.
    mutating func take(for sleeper: Sleeper) -> Turn {
        if let job = prompt.popFirst() { return .run(job, .prompt, supply()) }
        if !elastic.isEmpty {
            if elasticRunning < elasticLimit, let job = elastic.popFirst() {
                elasticRunning += 1
                return .run(job, .elastic, supply())
            }
            if needsScout {
                hasScout = true
                return .watch
            }
        }
        sleeper.isWoken = false
        sleepers.append(sleeper)
        return .wait
    }

    /// An idle thread stops waiting.
    /// - Returns: False if nobody woke it, and it leaves.
    mutating func wakeUp(_ sleeper: Sleeper) -> Bool {
        guard sleeper.isWoken else {
            sleepers.removeAll { $0 === sleeper }
            threads -= 1
            return false
        }
        arriving -= 1
        return true
    }

    /// At the end of a turn: the job that waited longest, in place of `job`.
    mutating func swap(_ job: WorkerJob) -> WorkerJob {
        guard let next = elastic.popFirst() else { return job }
        elastic.append(job)
        return next
    }

    mutating func elasticJobEnded() {
        elasticRunning -= 1
        if elasticRunning <= processors { allowance = 0 }
    }

    mutating func watchEnded(isStalled: Bool) {
        hasScout = false
        if isStalled, !elastic.isEmpty, elasticRunning >= elasticLimit { allowance += 1 }
    }

    /// - Returns: The threads that there are all the same.
    mutating func threadWasRefused() -> Int {
        threads -= 1
        arriving -= 1
        return threads
    }
}

/// Jobs in the order of arrival.
struct JobLine {
    private var jobs: [WorkerJob?] = []
    private var head = 0

    var count: Int { jobs.count - head }
    var isEmpty: Bool { count == 0 }

    mutating func append(_ job: WorkerJob) { jobs.append(job) }

    mutating func popFirst() -> WorkerJob? {
        guard head < jobs.count else { return nil }
        let job = jobs[head].take()
        head += 1
        if head == jobs.count {
            jobs.removeAll(keepingCapacity: head <= 256)
            head = 0
        } else if head >= 256, head * 2 >= jobs.count {
            jobs.removeFirst(head)
            head = 0
        }
        return job
    }
}
