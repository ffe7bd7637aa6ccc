import Foundation
import Synchronization

/// Takes down what happens in one queue, and tells those who asked for it.
///
/// `post` may be called with the queue's monitor locked and calls nobody; `deliver` is called with no lock held.
/// One thread delivers at a time and takes what others have posted meanwhile along, so that observers see events
/// in the order of posting.
final class EventHub: Sendable {
    struct Observer: Sendable {
        let receive: @Sendable (QueueEvent) -> Void
        /// The queue is gone.
        let end: @Sendable () -> Void
    }

    private struct State {
        var nextIdentifier = 0
        var observers: [Int: Observer] = [:]
        var pending: [QueueEvent] = []
        var isDelivering = false

        mutating func startDelivering() -> Bool {
            guard !isDelivering, !pending.isEmpty else { return false }
            isDelivering = true
            return true
        }
    }

    private let state = Lock(State())
    private let observed = Atomic<Bool>(false)
    private let posted = Atomic<Bool>(false)
    private let watch: Stopwatch

    init(_ clock: any Clock<Duration>) {
        watch = Stopwatch(clock)
    }

    deinit {
        for observer in state.withLock({ $0.observers.values }) { observer.end() }
    }

    var elapsed: Duration { watch.elapsed }

    /// Somebody wants every event of the queue.
    @inline(__always)
    var isObserved: Bool { observed.load(ordering: .relaxed) }

    /// Something was posted and not delivered yet.
    @inline(__always)
    var hasPosted: Bool { posted.load(ordering: .relaxed) }

    func add(_ observer: Observer) -> Int {
        state.withLock { state in
            state.nextIdentifier += 1
            state.observers[state.nextIdentifier] = observer
            observed.store(true, ordering: .relaxed)
            return state.nextIdentifier
        }
    }

    func remove(_ identifier: Int) {
        let removed = state.withLock { state in
            let removed = state.observers.removeValue(forKey: identifier)
            observed.store(!state.observers.isEmpty, ordering: .relaxed)
            return removed
        }
        withExtendedLifetime(removed) {}
    }

    /// Takes an event down.
    func post(_ kind: QueueEvent.Kind, _ operation: Operation) {
        let event = QueueEvent(
            kind: kind, operation: operation, time: watch.elapsed, thread: UInt64(pthread_self()))
        state.withLock { state in
            state.pending.append(event)
            posted.store(true, ordering: .relaxed)
        }
    }

    /// Tells the observers what has been posted, unless another thread is doing that.
    func deliver() {
        guard state.withLock({ $0.startDelivering() }) else { return }
        while true {
            let (events, observers) = state.withLock { state -> ([QueueEvent], [Observer]) in
                defer { state.pending = [] }
                if state.pending.isEmpty {
                    state.isDelivering = false
                    posted.store(false, ordering: .relaxed)
                }
                return (state.pending, state.observers.sorted { $0.key < $1.key }.map(\.value))
            }
            if events.isEmpty { return }
            for event in events {
                event.operation.changeObservedState(event)
                for observer in observers { observer.receive(event) }
            }
        }
    }
}
