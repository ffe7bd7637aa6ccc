import OperationsCore

/// The jobs that could come next, of which a seed draws one.
struct SeededLine {
    /// What was drawn.
    enum Draw {
        case job(WorkerJob, Lane)
        /// One of those that are drawn from beside the jobs, by its number.
        case other(Int)
    }

    private var random: SeededRandom
    /// Queues that have work to be looked for, in the order of their numbers. They are in no order of coming,
    /// because an operation that finishes wakes the queues of its dependents in an order of addresses.
    private var searches: [(queue: Int, job: WorkerJob, lane: Lane)] = []
    /// All other jobs, in the order of coming.
    private var jobs: [(job: WorkerJob, lane: Lane)] = []
    private var numbers: [ObjectIdentifier: Int] = [:]
    private var queueCount = 0

    var isEmpty: Bool { jobs.isEmpty && searches.isEmpty }

    init(_ random: SeededRandom) { self.random = random }

    /// Gives a queue its number.
    mutating func number(_ core: QueueCore) {
        queueCount += 1
        // Of another queue that is gone, if its address is used again.
        numbers[ObjectIdentifier(core)] = queueCount
    }

    mutating func add(_ job: WorkerJob, _ lane: Lane) {
        if case .search(let core, _) = job, let number = numbers[ObjectIdentifier(core)] {
            setSearch(of: number, job, lane)
        } else {
            jobs.append((job, lane))
        }
    }

    /// Has work be looked for in a queue, which waits for its newest search.
    private mutating func setSearch(of queue: Int, _ job: WorkerJob, _ lane: Lane) {
        let place = searches.partitioningIndex { $0.queue >= queue }
        if place < searches.count, searches[place].queue == queue {
            // A thread may have given an older one away.
            guard job.isNewerSearch(than: searches[place].job) else { return }
            searches.remove(at: place)
        }
        searches.insert((queue, job, lane), at: place)
    }

    /// Draws one of the jobs, which is taken out, or one of so many others; nil if there is nothing.
    mutating func draw(besides others: Int) -> Draw? {
        let count = jobs.count + searches.count + others
        guard count > 0 else { return nil }
        var index = Int.random(in: 0..<count, using: &random)
        if index < jobs.count {
            let (job, lane) = jobs.remove(at: index)
            return .job(job, lane)
        }
        index -= jobs.count
        guard index < searches.count else { return .other(index - searches.count) }
        let search = searches.remove(at: index)
        return .job(search.job, search.lane)
    }
}
