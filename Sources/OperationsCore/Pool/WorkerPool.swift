import Foundation

/// The kinds of threads: a thread is never moved from one to another, because it could not go back.
package enum Lane: Int, CaseIterable, Sendable {
    case standard
    case utility
    case background

    init(quality code: UInt8) {
        switch code {
        case 1: self = .background
        case 2: self = .utility
        default: self = .standard
        }
    }

    /// Added to the niceness of the process.
    var niceness: Int32 {
        switch self {
        case .standard: 0
        case .utility: 5
        case .background: 10
        }
    }
}

/// How fast a job must get a thread.
package enum Urgency: Sendable {
    /// At once: somebody asked for this width.
    case prompt
    /// As many at once as there are processors, more when those make no progress.
    case elastic
}

/// Runs the jobs of queues: threads of the engine's own, a dispatch queue, or a test's scheduler.
package protocol WorkerPool: AnyObject, Sendable {
    /// Runs `job`, then the job that its step returns, and so on until a step returns none.
    ///
    /// Never runs it before returning, and may be called from any thread.
    func add(_ job: WorkerJob, lane: Lane, urgency: Urgency)

    /// Called by a thread that is about to block until `isDone`. A pool without threads runs its jobs here.
    func help(until isDone: () -> Bool)

    /// Called by a task that is about to be suspended until `isDone`. A pool without threads runs its jobs here, unless the
    /// task is in one of them.
    func drive(until isDone: () -> Bool)

    /// Where a task that began on this pool goes on after it was suspended; nil, the default, for Swift's own threads.
    var taskExecutor: (any TaskExecutor)? { get }
}

extension WorkerPool {
    package func help(until isDone: () -> Bool) {}
    package func drive(until isDone: () -> Bool) {}
    package var taskExecutor: (any TaskExecutor)? { nil }
}

/// One step of work for a pool.
package enum WorkerJob: Sendable {
    /// Look for work in a queue.
    case search(QueueCore)
    /// Run an operation that was taken from its queue's store.
    case operation(Operation)
    /// The same for one of `BlockOperation` itself. Only this step can finish it, and so its queue holds it so long.
    case blocks(Unmanaged<BlockOperation>)
    case barrier(@Sendable () -> Void, QueueCore)
    /// Run a block that belongs to no queue's width.
    case block(@Sendable () -> Void)

    /// Carries out the step.
    /// - Parameter lane: The lane that the calling thread belongs to.
    /// - Returns: What the same thread goes on with.
    package consuming func step(on lane: Lane) -> WorkerJob? {
        switch consume self {
        case .search(let core): return core.takeWork(on: lane)
        case .operation(let operation):
            // The operation keeps its queue's engine for good, and this job keeps the operation.
            guard let core = operation.unretainedCore else { return nil }
            return core._withUnsafeGuaranteedRef { $0.run(operation, on: lane) }
        case .blocks(let reference):
            let end = reference._withUnsafeGuaranteedRef { operation in
                operation.unretainedCore?._withUnsafeGuaranteedRef { $0.runBlocks(of: operation, on: lane) }
            }
            // The queue's reference goes last: it may be the engine's last one too.
            end?.finished?.release()
            return end?.next
        case .barrier(let block, let core):
            ExecutionContext.current.working(for: core, block)
            return core.finishBarrier(on: lane)
        case .block(let block):
            block()
            return nil
        }
    }
}
