import Operations
import OperationsCore
import PhotoPipeline

/// Follows the events of queues into a timeline, for as long as it is there.
nonisolated final class TimelineRecorder: Sendable {
    private let state: Lock<Timeline>
    private let readers: [Task<Void, Never>]

    /// Begins to follow. What is in the queues already began to wait or to run now, as far as is known.
    ///
    /// - Parameter now: The time since the queues were made.
    init(_ queues: [OperationQueue], now: Duration) {
        let state = Lock(Timeline(lanes: queues.count))
        self.state = state
        readers = queues.enumerated().map { lane, queue in
            let events = queue.events()
            return Task.detached(priority: .utility) { [weak queue] in
                for operation in queue?.operations ?? [] { Self.take(operation, lane, at: now, state) }
                for await event in events { Self.note(event, lane, state) }
            }
        }
    }

    deinit {
        for reader in readers { reader.cancel() }
    }

    /// What happened so far.
    var timeline: Timeline { state.withLock { $0 } }

    /// Takes over what was added before anybody followed; its events come from here on.
    private static func take(_ operation: Operation, _ lane: Int, at now: Duration, _ state: Lock<Timeline>) {
        guard !operation.isFinished else { return }
        let identity = ObjectIdentifier(operation)
        let (name, address, dependencies) = texts(of: operation)
        let (isRunning, isReady) = (operation.isExecuting, operation.isReady)
        state.withLock {
            $0.add(identity, name, for: address, lane: lane, at: now, dependencies: dependencies)
            if isReady { $0.ready(identity, at: now) }
            if isRunning { $0.start(identity, at: now) }
        }
    }

    private static func texts(of operation: Operation) -> (name: String, address: String?, dependencies: [String]) {
        let address = (operation as? any PhotoOperation)?.photoAddress?.text
        return (operation.name ?? "Operation", address, operation.dependencies.map { $0.name ?? "Operation" })
    }

    private static func note(_ event: QueueEvent, _ lane: Int, _ state: Lock<Timeline>) {
        let operation = event.operation
        let identity = ObjectIdentifier(operation)
        switch event.kind {
        case .added:
            let (name, address, dependencies) = texts(of: operation)
            state.withLock {
                $0.add(identity, name, for: address, lane: lane, at: event.time, dependencies: dependencies)
            }
        case .ready: state.withLock { $0.ready(identity, at: event.time) }
        case .started: state.withLock { $0.start(identity, at: event.time) }
        case .finished:
            let outcome: Timeline.Outcome =
                operation.isCancelled ? .cancelled : operation.error != nil ? .failed : .done
            state.withLock { $0.finish(identity, at: event.time, outcome) }
        }
    }
}
