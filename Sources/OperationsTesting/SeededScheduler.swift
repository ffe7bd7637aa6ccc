public import Operations
import OperationsCore

/// Runs queues one step at a time, in an order that a seed decides: the same seed, the same order.
///
/// Queues that `makeQueue()` returns run nothing by themselves. Their work waits until `run()` is called, or until a thread waits for an
/// operation of theirs or a task awaits one, or a place in `run`; each step takes one of the jobs that could come next at random, so
/// that different seeds try different interleavings. Never are two steps at work at a time, whoever waits; but the seed repeats only
/// what one thread, or one task, does with it. Observers and traces are told between the steps, and change no order.
///
/// Steps run on the calling thread, and those that a task awaits on a thread of the scheduler, as long as there are some; the task goes
/// on between two steps. Where it still waits then, the scheduler goes on when more to do comes from elsewhere. An operation that waits
/// in its own work for another one of these queues keeps its thread until a step lets it go on, and the steps between run on threads of
/// the scheduler. So an order that comes to its end on threads does so here. When a wait has had no step left that could end it for a
/// second, the log says who waits for what, and the seed; the scheduler goes on if the end comes from elsewhere.
///
/// Tasks of these queues go on in its steps too, after any suspension that a step of it or the thread that uses it
/// ends: `Task.yield()`, its clock, an operation of its queues. What other threads end (`Task.sleep`, an actor with an
/// executor of its own, a transfer) comes when it comes, and is no part of what the seed repeats.
public final class SeededScheduler: Sendable {
    /// The seed that repeats this run.
    public let seed: UInt64
    /// The clock of its queues.
    public let clock = ManualClock()

    private let pool: SeededPool

    /// Creates a scheduler.
    /// - Parameter seed: Decides the order; random by default. Print it when a test fails.
    public init(seed: UInt64 = .random(in: 0...UInt64.max)) {
        self.seed = seed
        pool = SeededPool(seed: seed)
    }

    /// A queue whose operations and completion blocks this scheduler runs.
    public func makeQueue() -> OperationQueue {
        let queue = OperationQueue(pool: pool, clock: clock)
        pool.number(queue.core)
        return queue
    }

    /// Runs one step: at most one operation, barrier or completion block, or what follows a wait in one of them, and what that waits
    /// for. Observers are told of what has happened before, and in it.
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
}
