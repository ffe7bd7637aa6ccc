import Operations
import OperationsCore

/// Follows the events of queues into a timeline, for as long as it is there.
nonisolated final class TimelineRecorder: Sendable {
    private let state: Lock<Timeline>
    private let readers: [Task<Void, Never>]

    /// Begins to follow.
    init(_ queues: [OperationQueue]) {
        let state = Lock(Timeline(lanes: queues.count))
        self.state = state
        readers = queues.enumerated().map { lane, queue in
            let events = queue.events()
            return Task.detached(priority: .utility) {
                for await event in events { Self.note(event, lane, state) }
            }
        }
    }

    deinit {
        for reader in readers { reader.cancel() }
    }

    /// What happened so far.
    var timeline: Timeline { state.withLock { $0 } }

    private static func note(_ event: QueueEvent, _ lane: Int, _ state: Lock<Timeline>) {
        let operation = event.operation
        let identity = ObjectIdentifier(operation)
        switch event.kind {
        case .added:
            let name = operation.name ?? "Operation"
            let dependencies = operation.dependencies.map { $0.name ?? "Operation" }
            state.withLock { $0.add(identity, name, lane: lane, at: event.time, dependencies: dependencies) }
        case .ready: state.withLock { $0.ready(identity, at: event.time) }
        case .started: state.withLock { $0.start(identity, at: event.time) }
        case .finished:
            let outcome: Timeline.Outcome =
                operation.isCancelled ? .cancelled : operation.error != nil ? .failed : .done
            state.withLock { $0.finish(identity, at: event.time, outcome) }
        }
    }
}
