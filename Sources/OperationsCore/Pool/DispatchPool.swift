import Dispatch

/// Runs jobs on a dispatch queue, one step to a block, so that other work of that queue gets its turn in between.
final class DispatchPool: WorkerPool {
    let queue: DispatchQueue

    init(_ queue: DispatchQueue) {
        self.queue = queue
    }

    func add(_ job: WorkerJob, lane: Lane, urgency: Urgency) {
        queue.async { [self] in
            // A dispatch queue chooses its threads itself; work of every lane goes to this one.
            if let next = job.step(on: lane) { add(next, lane: lane, urgency: urgency) }
        }
    }
}
