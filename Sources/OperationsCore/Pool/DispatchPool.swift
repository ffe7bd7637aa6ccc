import Dispatch
import Foundation

/// Runs jobs on a dispatch queue, one operation or barrier to a block, so that other work of that queue gets its turn in between.
///
/// Nothing is claimed before its block runs, but what a thread gives away that it had claimed: what is suspended, cancelled or dropped
/// meanwhile does not start.
final class DispatchPool: WorkerPool {
    let queue: DispatchQueue

    private static let mainMark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// True on the main thread, and on another that stands in for it in running the main dispatch queue.
    static var isOnMain: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: mainMark) == true }

    init(_ queue: DispatchQueue) {
        self.queue = queue
    }

    func add(_ job: WorkerJob, lane: Lane, urgency: Urgency) {
        Niceness.onOrdinaryThread { [self] in
            queue.async { [self] in
                // A dispatch queue chooses its threads itself; work of every lane goes to this one.
                let claimed = job.isSearch ? job.step(in: WorkerTurn(lane: nil, of: self)) : job
                // Nothing more is claimed: it looks for work anew.
                let next = claimed?.step(in: .over(lane: nil, of: self))
                if let next { add(next, lane: lane, urgency: urgency) }
            }
        }
    }
}
