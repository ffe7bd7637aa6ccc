import Operations
import OperationsCore
public import PhotoPipeline

/// Counts how many threads compute at a time for a pipeline: those that decode and those that filter.
public final class ThreadCount: Sendable {
    /// Beginnings (1) and ends (-1) of work, by their times.
    struct Changes: Sendable {
        private var changes: [(time: Duration, change: Int)] = []

        /// Somebody begins, or ends.
        mutating func note(_ change: Int, at time: Duration) { changes.append((time, change)) }

        /// The most at a time. Of two queues one may be heard of later than the other, so that the times decide.
        var most: Int {
            var (count, most) = (0, 0)
            for (_, change) in changes.sorted(by: { ($0.time, $0.change) < ($1.time, $1.change) }) {
                count += change
                most = max(most, count)
            }
            return most
        }
    }

    private let changes: Lock<Changes>
    private let tokens: [ObservationToken]

    /// Begins to count; before the first photo is asked for.
    public convenience init(_ pipeline: PhotoPipeline) {
        self.init([pipeline.pending.decodeQueue, pipeline.pending.filtrationQueue])
    }

    init(_ queues: [OperationQueue]) {
        let changes = Lock(Changes())
        self.changes = changes
        tokens = queues.map { queue in
            // The clocks of queues begin when they are made. The machine may do something else in between.
            let made = queues.first?.creationTime(of: queue) ?? .zero
            let begun = Lock<Set<ObjectIdentifier>>([])
            return queue.observe { event in
                let operation = ObjectIdentifier(event.operation)
                switch event.kind {
                case .started:
                    begun.withLock { _ = $0.insert(operation) }
                    changes.withLock { $0.note(1, at: made + event.time) }
                case .finished:
                    // One that was cancelled before has not begun.
                    let hasBegun = begun.withLock { $0.remove(operation) != nil }
                    if hasBegun { changes.withLock { $0.note(-1, at: made + event.time) } }
                case .added, .ready: break
                }
            }
        }
    }

    /// The most threads at a time so far.
    public var most: Int { changes.withLock { $0.most } }
}
