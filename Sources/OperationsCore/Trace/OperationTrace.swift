/// A record of what queues do: who waited for what, was queued when, and ran where.
///
/// It begins when it is made and ends with `stop()`, or when it is released. Of each operation it keeps a
/// record, but not the operation once that has finished. It may be used from any thread.
public final class OperationTrace: Sendable {
    private struct State {
        var records: [TraceRecord] = []
        /// Operations that have not finished.
        var open: [ObjectIdentifier: Int] = [:]
        /// Finished operations, which others may still name as dependencies.
        var closed: [ObjectIdentifier: Closed] = [:]
        var observed: [(hub: EventHub, identifier: Int)] = []

        mutating func index(of operation: Operation, name: String, queue: String) -> Int {
            if let index = open[ObjectIdentifier(operation)] { return index }
            let index = records.count
            records.append(TraceRecord(identifier: index, name: name, queue: queue))
            open[ObjectIdentifier(operation)] = index
            return index
        }

        mutating func close(_ index: Int, _ operation: Operation, _ dependencies: [Operation]) {
            open[ObjectIdentifier(operation)] = nil
            closed[ObjectIdentifier(operation)] = Closed(operation: operation, index: index)
            let known = dependencies.compactMap { dependency -> Int? in
                let identity = ObjectIdentifier(dependency)
                // An address may have been given to another operation since.
                if let open = open[identity] { return open }
                return closed[identity].flatMap { $0.operation === dependency ? $0.index : nil }
            }
            records[index].dependencies = known
            records[index].waitedFor = known.max { (records[$0].finished ?? .zero) < (records[$1].finished ?? .zero) }
        }
    }

    /// An operation that has finished, for as long as it exists.
    private struct Closed {
        weak var operation: Operation?
        let index: Int
    }

    private let state = Lock(State())

    /// Begins to record.
    /// - Parameter queues: What to record. Operations that were added before are taken up at their next event. The
    ///   queues have to be on clocks of one kind, as their times go into one picture.
    public init(of queues: [OperationQueue]) {
        for queue in queues { observe(queue) }
    }

    deinit { stopObserving() }

    private func observe(_ queue: OperationQueue) {
        let hub = queue.core.hub
        // The trace's time begins now, whenever the queue was made.
        let start = hub.elapsed
        let identifier = hub.add(
            EventHub.Observer(
                receive: { [weak self, weak core = queue.core] event in
                    self?.note(event, at: event.time - start, queue: core?.name ?? "")
                }, end: {}))
        state.withLock { $0.observed.append((hub, identifier)) }
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
        for (hub, _) in state.withLock({ $0.observed }) { hub.flush() }
    }

    private func stopObserving() {
        let observed = state.withLock { state in
            defer { state.observed = [] }
            return state.observed
        }
        for (hub, identifier) in observed { hub.remove(identifier) }
    }

    /// What has happened until now, in the order of the first events.
    var records: [TraceRecord] {
        flush()
        return state.withLock { $0.records }
    }

    private func note(_ event: QueueEvent, at time: Duration, queue: String) {
        let operation = event.operation
        // What asks the operation comes before the lock.
        let name = operation.label
        let dependencies = event.kind == .finished ? operation.locked { Array(operation.dependencyList) } : []
        let isAsynchronous = operation.isAsynchronous
        let hasFailed = event.kind == .finished && operation.error != nil
        state.withLock { state in
            let index = state.index(of: operation, name: name, queue: queue)
            switch event.kind {
            case .added: state.records[index].added = time
            case .ready: state.records[index].ready = time
            case .started:
                state.records[index].started = time
                state.records[index].thread = event.thread
            case .finished:
                state.records[index].finished = time
                state.records[index].isCancelled = operation.state.isCancelled
                state.records[index].hasFailed = hasFailed
                state.records[index].isAsynchronous = isAsynchronous
                state.close(index, operation, dependencies)
            }
        }
        // Not released under the lock.
        withExtendedLifetime(dependencies) {}
    }
}
