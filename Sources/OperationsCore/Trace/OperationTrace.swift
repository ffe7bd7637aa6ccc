/// A record of what queues do: who waited for what, was queued when, and ran where.
///
/// It begins when it is made and ends with `stop()`, or when it is released. Of each operation it keeps a
/// record, but not the operation once that has finished. It may be used from any thread.
public final class OperationTrace: Sendable {
    private struct State {
        private(set) var records: [TraceRecord] = []
        /// How many records were let go before them.
        private(set) var dropped = 0
        /// How many records stay at least.
        let leastKept: Int
        var seen: [ObjectIdentifier: Seen] = [:]
        /// From so many on it forgets those of `seen` that are gone.
        private var most = 1_024
        var observed: [Observed] = []

        init(leastKept: Int) { self.leastKept = leastKept }

        /// The number of the operation's record, which is made if there is none.
        mutating func number(of operation: Operation) -> Int {
            let identity = ObjectIdentifier(operation)
            // An address may have been given to another operation since. And the record of one that waits for long may be gone.
            if let seen = seen[identity], seen.operation === operation, seen.number >= dropped { return seen.number }
            if records.count >= leastKept, records.count - leastKept >= leastKept {
                records.removeFirst(leastKept)
                dropped += leastKept
            }
            let number = dropped + records.count
            records.append(TraceRecord(identifier: number))
            seen[identity] = Seen(operation: operation, number: number)
            return number
        }

        /// Changes the operation's record.
        mutating func change(_ operation: Operation, _ body: (inout TraceRecord) -> Void) {
            let number = number(of: operation)
            body(&records[number - dropped])
        }

        /// Forgets operations that are gone, each time that so many more have been seen as there are.
        /// - Returns: Operations to release with no lock held.
        mutating func forgetGone() -> [Operation] {
            guard seen.count >= most else { return [] }
            let alive = seen.values.compactMap(\.operation)
            let identities = Set(alive.map { ObjectIdentifier($0) })
            seen = seen.filter { identities.contains($0.key) }
            most = max(1_024, 2 * seen.count)
            return alive
        }

        /// The numbers of those that are of the traced queues. Of one in another queue than the dependent's the events
        /// may be delivered later than the dependent's.
        mutating func numbers(of dependencies: [Operation]) -> [Int] {
            dependencies.compactMap { dependency in
                let hub = dependency.enqueuedCore?.hub
                return observed.contains { $0.hub === hub } ? number(of: dependency) : nil
            }
        }
    }

    /// An operation with a record, for as long as it exists.
    private struct Seen {
        weak var operation: Operation?
        let number: Int
    }

    /// A queue that is recorded.
    private struct Observed {
        weak var core: QueueCore?
        let hub: EventHub
        let identifier: Int
    }

    private let state: Lock<State>

    /// Begins to record.
    /// - Parameter queues: What to record. Operations that were added before are taken up at their next event. The
    ///   queues have to be on clocks of one kind, as their times go into one picture.
    public convenience init(of queues: [OperationQueue]) { self.init(of: queues, keeping: .max) }

    /// Begins to record, for however long it goes on.
    /// - Parameters:
    ///   - queues: What to record, as for ``init(of:)``.
    ///   - count: How many of the last operations are kept at least. The eldest are let go when there are twice as many; one of them that
    ///     has not finished gets another record at its next event.
    package init(of queues: [OperationQueue], keeping count: Int) {
        state = Lock(State(leastKept: max(1, count)))
        // The trace's time begins now, whenever the queues were made. All of them count from the same moment: what one of
        // them began after another had done its part would otherwise seem to come before.
        guard let first = queues.first?.core.hub.watch else { return }
        let start = first.elapsed
        for queue in queues {
            let watch = queue.core.hub.watch
            observe(queue, from: watch.reading(when: first, reads: start) ?? watch.elapsed)
        }
    }

    deinit { stopObserving() }

    private func observe(_ queue: OperationQueue, from start: Duration) {
        let hub = queue.core.hub
        let identifier = queue.core.addObserver(
            EventHub.Observer(
                receive: { [weak self, weak core = queue.core] event in
                    self?.note(event, at: event.time - start, queue: core?.name ?? "")
                }, needsDependencies: true))
        state.withLock { $0.observed.append(Observed(core: queue.core, hub: hub, identifier: identifier)) }
    }

    /// Ends recording; what was recorded stays.
    ///
    /// All that happened before the call is in the record when it returns: whoever has waited for a queue to become
    /// empty finds every operation finished in the trace.
    public func stop() {
        flush()
        stopObserving()
    }

    private func flush() {
        for queue in state.withLock({ $0.observed }) {
            // An operation is seen to have finished a moment before its event is posted, but under the same lock.
            queue.core?.monitor.withLock {}
            queue.hub.flush()
        }
    }

    private func stopObserving() {
        let observed = state.withLock { state in
            defer { state.observed = [] }
            return state.observed
        }
        for queue in observed { queue.hub.remove(queue.identifier) }
    }

    /// How many operations it would know again.
    var seenCount: Int { state.withLock { $0.seen.count } }

    /// What has happened until now, in the order of the first events.
    var records: [TraceRecord] {
        flush()
        var (records, dropped) = state.withLock { ($0.records, $0.dropped) }
        for index in records.indices {
            records[index].identifier -= dropped
            records[index].dependencies = records[index].dependencies.compactMap { $0 < dropped ? nil : $0 - dropped }
        }
        for index in records.indices {
            // One that had finished before was waited for by nobody.
            let added = records[index].added ?? .zero
            let met = records[index].dependencies.filter { (records[$0].finished ?? .zero) > added }
            records[index].waitedFor = met.max {
                (records[$0].finished ?? .zero) < (records[$1].finished ?? .zero)
            }
        }
        return records
    }

    private func note(_ event: QueueEvent, at time: Duration, queue: String) {
        let operation = event.operation
        // What asks the operation comes before the lock.
        let name = operation.label
        let isAsynchronous = event.kind == .finished && operation.isAsynchronous
        let hasFailed = event.kind == .finished && operation.failure != nil
        let alive = state.withLock { state in
            state.change(operation) { record in
                record.name = name
                record.queue = queue
                switch event.kind {
                case .added: record.added = time
                case .ready: record.ready = time
                case .started:
                    record.started = time
                    record.thread = event.thread
                case .finished:
                    record.finished = time
                    record.isCancelled = operation.state.isCancelled
                    record.hasFailed = hasFailed
                    record.isAsynchronous = isAsynchronous
                    record.phases = event.phases.map { ($0.name, $0.began - (event.time - time)) }
                }
            }
            if event.kind == .finished {
                // Those that had no record get one, for which others may go.
                let dependencies = state.numbers(of: event.dependencies)
                state.change(operation) { $0.dependencies = dependencies }
            }
            return state.forgetGone()
        }
        withExtendedLifetime(alive) {}
    }
}
