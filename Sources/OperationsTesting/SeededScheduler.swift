import Foundation
public import Operations
import OperationsCore

/// Runs queues on the calling thread, in an order that a seed decides: the same seed, the same order.
///
/// Queues that `makeQueue()` returns start no threads. Their work waits until `run()` is called, or until
/// a thread waits for an operation of theirs or a task awaits one, or a place in `run`; each step takes one of the jobs that could come next at random,
/// so that different seeds try different interleavings. Use it from one thread.
///
/// Tasks of these queues go on in its steps too, after any suspension that a step of it or the thread that uses it
/// ends: `Task.yield()`, its clock, an operation of its queues. What other threads end (`Task.sleep`, an actor with an
/// executor of its own, a transfer) comes when it comes, and is no part of what the seed repeats.
public final class SeededScheduler: Sendable {
    /// The seed that repeats this run.
    public let seed: UInt64
    /// The clock of its queues.
    public let clock = ManualClock()

    private let pool: Pool

    /// Creates a scheduler.
    /// - Parameter seed: Decides the order; random by default. Print it when a test fails.
    public init(seed: UInt64 = .random(in: 0...UInt64.max)) {
        self.seed = seed
        pool = Pool(SeededRandom(seed: seed))
    }

    /// A queue whose operations and completion blocks this scheduler runs.
    public func makeQueue() -> OperationQueue {
        let queue = OperationQueue(pool: pool, clock: clock)
        pool.number(queue.core)
        return queue
    }

    /// Runs one step: at most one operation, barrier or completion block.
    /// - Returns: False if there was nothing to do.
    @discardableResult
    public func step() -> Bool { pool.step() }

    /// Runs steps until there is nothing left to do.
    /// - Returns: The number of steps.
    @discardableResult
    public func run() -> Int {
        var steps = 0
        while step() { steps += 1 }
        return steps
    }

    private final class Pool: WorkerPool, TaskExecutor {
        private struct State {
            var random: SeededRandom
            /// Queues that have work to be looked for, in the order of their numbers. They are in no order of coming,
            /// because an operation that finishes wakes the queues of its dependents in an order of addresses.
            var searches: [(queue: Int, job: WorkerJob, lane: Lane)] = []
            /// All other jobs, in the order of coming.
            var jobs: [(job: WorkerJob, lane: Lane)] = []
            var numbers: [ObjectIdentifier: Int] = [:]
            var queueCount = 0
            /// How many steps are under way, one inside the other.
            var depth = 0

            /// Has work be looked for in a queue, which waits for its newest search.
            mutating func setSearch(of queue: Int, _ job: WorkerJob, _ lane: Lane) {
                let place = searches.partitioningIndex { $0.queue >= queue }
                if place < searches.count, searches[place].queue == queue {
                    // A thread may have given an older one away.
                    guard job.isNewerSearch(than: searches[place].job) else { return }
                    searches.remove(at: place)
                }
                searches.insert((queue, job, lane), at: place)
            }

            mutating func takeNext() -> (job: WorkerJob, lane: Lane)? {
                let count = searches.count + jobs.count
                guard count > 0 else { return nil }
                let index = Int.random(in: 0..<count, using: &random)
                if index < jobs.count { return jobs.remove(at: index) }
                let search = searches.remove(at: index - jobs.count)
                return (search.job, search.lane)
            }
        }

        private let state: Lock<State>

        init(_ random: SeededRandom) {
            state = Lock(State(random: random))
        }

        func add(_ job: WorkerJob, lane: Lane, urgency: Urgency) {
            state.withLock { state in
                if case .search(let core, _) = job, let number = state.numbers[ObjectIdentifier(core)] {
                    state.setSearch(of: number, job, lane)
                } else {
                    state.jobs.append((job, lane))
                }
            }
        }

        func help(until isDone: () -> Bool) {
            while !isDone() {
                // What ends elsewhere may end it, or bring more to do.
                if !step() { usleep(500) }
            }
        }

        func drive(until isDone: () -> Bool) {
            // The step that the task is in returns when the task is suspended, and another one follows.
            if state.withLock({ $0.depth == 0 }) { while !isDone(), step() {} }
        }

        func number(_ core: QueueCore) {
            state.withLock { state in
                state.queueCount += 1
                // Of another queue that is gone, if its address is used again.
                state.numbers[ObjectIdentifier(core)] = state.queueCount
            }
        }

        func taskExecutor(in lane: Lane) -> (any TaskExecutor)? { self }

        /// A task that was suspended can go on.
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            add(
                .block { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }, lane: .standard,
                urgency: .prompt)
        }

        func step() -> Bool {
            let next = state.withLock { state in
                let next = state.takeNext()
                if next != nil { state.depth += 1 }
                return next
            }
            guard let next else { return false }
            defer { state.withLock { $0.depth -= 1 } }
            let following = next.job.step(in: WorkerTurn(lane: next.lane, of: self))
            if let following { add(following, lane: next.lane, urgency: .prompt) }
            return true
        }
    }
}
