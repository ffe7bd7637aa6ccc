public import Operations
import OperationsCore

/// Runs queues on the calling thread, in an order that a seed decides: the same seed, the same order.
///
/// Queues that `makeQueue()` returns start no threads. Their work waits until `run()` is called, or until
/// somebody waits for an operation of theirs; each step takes one of the jobs that could come next at random,
/// so that different seeds try different interleavings. Use it from one thread.
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
    public func makeQueue() -> OperationQueue { OperationQueue(pool: pool, clock: clock) }

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

    private final class Pool: WorkerPool {
        private struct State {
            var random: SeededRandom
            var jobs: [(job: WorkerJob, lane: Lane)] = []
        }

        private let state: Lock<State>

        init(_ random: SeededRandom) {
            state = Lock(State(random: random))
        }

        func add(_ job: WorkerJob, lane: Lane, urgency: Urgency) {
            state.withLock { $0.jobs.append((job, lane)) }
        }

        func help(until isDone: () -> Bool) {
            while !isDone(), step() {}
        }

        func step() -> Bool {
            let next = state.withLock { state -> (job: WorkerJob, lane: Lane)? in
                guard !state.jobs.isEmpty else { return nil }
                let index = Int.random(in: state.jobs.indices, using: &state.random)
                return state.jobs.remove(at: index)
            }
            guard let next else { return false }
            if let following = next.job.step(on: next.lane) { add(following, lane: next.lane, urgency: .prompt) }
            return true
        }
    }
}
