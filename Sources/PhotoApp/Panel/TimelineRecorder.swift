import Operations
import OperationsCore
import PhotoPipeline

/// Follows the events of queues into a timeline, for as long as it is there.
nonisolated final class TimelineRecorder: Sendable {
    private let state: Lock<Timeline>
    private let readers: [Task<Void, Never>]

    /// Begins to follow. What is in the queues already began to wait or to run now, as far as is known.
    ///
    /// - Parameter now: The time since the first of the queues was made.
    init(_ queues: [OperationQueue], now: Duration) {
        let state = Lock(Timeline(lanes: queues.count))
        self.state = state
        readers = queues.enumerated().map { lane, queue in
            let events = queue.events()
            // Each queue counts from its own beginning, and a thread that makes several may have to wait in between.
            let begin = queues.first?.creationTime(of: queue) ?? .zero
            // Asked at once: what comes later is told by events, with its times. They are let go as soon as they are taken over.
            let found = Lock(queue.operations.map(Found.init))
            return Task.detached(priority: .utility) {
                let taken = found.withLock { found in
                    defer { found = [] }
                    return found
                }
                for each in consume taken { Self.take(each, lane, at: now, state) }
                for await event in events { Self.note(event, at: begin + event.time, lane, state) }
            }
        }
    }

    deinit {
        for reader in readers { reader.cancel() }
    }

    /// What happened so far.
    var timeline: Timeline { state.withLock { $0 } }

    /// Takes over what was added before anybody followed; its events come from here on.
    private static func take(_ found: Found, _ lane: Int, at now: Duration, _ state: Lock<Timeline>) {
        let identity = ObjectIdentifier(found.operation)
        let (name, address, dependencies) = texts(of: found.operation)
        state.withLock {
            $0.add(identity, name, for: address, lane: lane, at: now, dependencies: dependencies)
            if found.isReady { $0.ready(identity, at: now) }
            if found.isRunning { $0.start(identity, at: now) }
        }
    }

    /// An operation of a queue, as it was when somebody began to follow.
    private struct Found: Sendable {
        let operation: Operation
        let isRunning: Bool
        let isReady: Bool

        init(_ operation: Operation) {
            self.operation = operation
            (isRunning, isReady) = (operation.isExecuting, operation.isReady)
        }
    }

    private static func texts(of operation: Operation) -> (name: String, address: String?, dependencies: [String]) {
        let address = (operation as? any PhotoOperation)?.photoAddress?.text
        return (operation.name ?? "Operation", address, operation.dependencies.map { $0.name ?? "Operation" })
    }

    private static func note(_ event: QueueEvent, at time: Duration, _ lane: Int, _ state: Lock<Timeline>) {
        let operation = event.operation
        let identity = ObjectIdentifier(operation)
        switch event.kind {
        case .added:
            let (name, address, dependencies) = texts(of: operation)
            state.withLock { $0.add(identity, name, for: address, lane: lane, at: time, dependencies: dependencies) }
        case .ready: state.withLock { $0.ready(identity, at: time) }
        case .started: state.withLock { $0.start(identity, at: time) }
        case .finished:
            let outcome: Timeline.Outcome =
                operation.isCancelled ? .cancelled : operation.error != nil ? .failed : .done
            state.withLock { $0.finish(identity, at: time, outcome) }
        }
    }
}
