@testable import OperationsCore

/// Keeps the jobs that it is given, for the test to run on its own thread.
final class HandPool: WorkerPool {
    private let jobs = Lock<[WorkerJob]>([])

    var count: Int { jobs.withLock { $0.count } }

    func add(_ job: WorkerJob, lane: Lane, urgency: Urgency) { jobs.withLock { $0.append(job) } }

    /// Runs one step of the job that came first; what it goes on with comes first then.
    func runFirst() {
        let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let next = job?.step(in: WorkerTurn(lane: .standard, of: self)) { jobs.withLock { $0.insert(next, at: 0) } }
    }
}
