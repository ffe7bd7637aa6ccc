@testable import OperationsCore

/// Keeps the jobs that it is given, for the test to run on its own thread.
final class HandPool: WorkerPool {
    private let jobs = Lock<[WorkerJob]>([])
    /// Where jobs were asked for.
    let lanes = Lock<[Lane]>([])

    var count: Int { jobs.withLock { $0.count } }
    /// How many of the jobs are to look for work.
    var searchCount: Int { jobs.withLock { $0.count { $0.isSearch } } }

    func add(_ job: WorkerJob, lane: Lane, urgency: Urgency) {
        lanes.withLock { $0.append(lane) }
        jobs.withLock { $0.append(job) }
    }

    /// Runs one step of the job that came first; what it goes on with comes first then.
    func runFirst() {
        step(in: WorkerTurn(lane: .standard, of: self)) { $0.insert($1, at: 0) }
    }

    /// Runs one step of the job that came first, in a turn that is over: it looks for more work when all others have had theirs.
    func runFirstWhoseTurnIsOver() {
        let bell = TurnBell()
        let turn = WorkerTurn(lane: .standard, of: ObjectIdentifier(self), until: bell)
        bell.ring()
        step(in: turn) { if $1.isSearch { $0.append($1) } else { $0.insert($1, at: 0) } }
    }

    private func step(in turn: WorkerTurn, putBack: (inout [WorkerJob], WorkerJob) -> Void) {
        let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let next = job?.step(in: turn) { jobs.withLock { putBack(&$0, next) } }
    }
}
