import Dispatch
import Foundation
import Synchronization

/// Takes down what happens in one queue, and tells those who asked for it.
///
/// `post` may be called with the queue's monitor locked and calls nobody; `deliver` is called with no lock held. What was
/// posted is delivered by a job of its own, some events at a time, so that an observer that takes its time holds up neither
/// those who add to the queue nor what it runs. One thread delivers at a time, so that observers see events in the order of
/// posting.
final class EventHub: Sendable {
    struct Observer: Sendable {
        let receive: @Sendable (QueueEvent) -> Void
        /// Called when the queue is gone, and all that happened in it has been told; nil for one who ends the observation.
        var end: (@Sendable () -> Void)?
        /// Events of operations that have finished are to have their dependencies, which may be let go at once.
        var needsDependencies = false
    }

    private struct Observation {
        let observer: Observer
        /// How many events had been posted when it came: it is told of later ones only.
        let since: Int
        /// How many had been posted when the queue was gone, if it is: it ends with these.
        var until = Int.max
        let end = End()
    }

    /// The end of an observation, which whoever delivers sees at once.
    private final class End: Sendable {
        let hasCome = Atomic<Bool>(false)
    }

    /// What one who wants all to be delivered has to do.
    private enum Flush {
        case none
        /// Deliver so many.
        case deliver(Int)
        /// Another thread delivers them.
        case wait(DispatchSemaphore, forCount: Int)
    }

    private struct State {
        private var nextIdentifier = 0
        private(set) var observers: [Int: Observation] = [:]
        /// How many of them need dependencies.
        private(set) var tracers = 0
        var pending = Line<QueueEvent>()
        /// A job that delivers has been given to the pool, and has not come to its end.
        var isScheduled = false
        /// The thread that delivers, if one does.
        var deliverer: pthread_t?
        /// How many events have been posted, and how many of them delivered, since the hub was made.
        var postedCount = 0
        var deliveredCount = 0
        /// Who waits until that many are delivered.
        var flushes: [(count: Int, done: DispatchSemaphore)] = []

        mutating func add(_ observation: Observation) -> Int {
            nextIdentifier += 1
            observers[nextIdentifier] = observation
            if observation.observer.needsDependencies { tracers += 1 }
            return nextIdentifier
        }

        mutating func remove(_ identifier: Int) -> Observer? {
            guard let removed = observers.removeValue(forKey: identifier) else { return nil }
            removed.end.hasCome.store(true, ordering: .relaxed)
            if removed.observer.needsDependencies { tracers -= 1 }
            return removed.observer
        }

        /// The queue is gone: whoever is to be told of that is told after what was posted.
        mutating func end() {
            for (identifier, each) in observers where each.observer.end != nil {
                observers[identifier]?.until = min(each.until, postedCount)
            }
        }

        mutating func startDelivering() -> Bool {
            guard deliverer == nil, !pending.isEmpty else { return false }
            deliverer = pthread_self()
            return true
        }

        /// Notes that some are delivered and takes the next; none left ends the delivery.
        mutating func next(_ most: Int, after delivered: Int) -> [QueueEvent] {
            deliveredCount += delivered
            for flush in flushes where flush.count <= deliveredCount { flush.done.signal() }
            flushes.removeAll { $0.count <= deliveredCount }
            var events: [QueueEvent] = []
            while events.count < most, let event = pending.popFirst() { events.append(event) }
            if events.isEmpty { deliverer = nil }
            return events
        }

        /// Takes out the observers that have been told of all that they are to hear.
        mutating func takeEnded() -> [Observer] {
            observers.filter { $0.value.until <= deliveredCount }.keys.compactMap { remove($0) }
        }

        /// What has to be done until all that was posted is delivered. Nobody delivers means that all that was taken out of
        /// `pending` is counted.
        mutating func beginFlush() -> Flush {
            guard let deliverer else {
                guard startDelivering() else { return .none }
                return .deliver(postedCount - deliveredCount)
            }
            guard pthread_equal(deliverer, pthread_self()) == 0, deliveredCount < postedCount else { return .none }
            let done = DispatchSemaphore(value: 0)
            flushes.append((postedCount, done))
            return .wait(done, forCount: postedCount)
        }

        /// Notes that a job is asked for to deliver what is left.
        /// - Returns: False if nothing is, or somebody else sees to it.
        mutating func schedule() -> Bool {
            guard !isScheduled, !pending.isEmpty else { return false }
            isScheduled = true
            return true
        }
    }

    private let state = Lock(State())
    private let observed = Atomic<Bool>(false)
    private let posted = Atomic<Bool>(false)
    /// Some observers need dependencies.
    private let traced = Atomic<Bool>(false)
    /// The queue's clock.
    let watch: Stopwatch
    /// Where the jobs run that deliver.
    private let pool: any WorkerPool
    /// After so many events a delivery lets others have its thread.
    private static let eventsPerJob = 64

    init(_ clock: any Clock<Duration>, pool: any WorkerPool) {
        watch = Stopwatch(clock)
        self.pool = pool
    }

    deinit {
        for each in state.withLock({ $0.observers.values }) { each.observer.end?() }
    }

    var elapsed: Duration { watch.elapsed }

    /// Somebody wants every event of the queue.
    @inline(__always)
    var isObserved: Bool { observed.load(ordering: .relaxed) }

    /// Somebody wants to know what operations depended on, and what they were about.
    @inline(__always)
    var isTraced: Bool { traced.load(ordering: .relaxed) }

    /// Something was posted, and nobody has been asked to deliver it.
    @inline(__always)
    var hasPosted: Bool { posted.load(ordering: .relaxed) }

    func add(_ observer: Observer) -> Int {
        state.withLock { state in
            defer { noteWhoIsThere(state) }
            return state.add(Observation(observer: observer, since: state.postedCount))
        }
    }

    func remove(_ identifier: Int) {
        let removed = state.withLock { state in
            defer { noteWhoIsThere(state) }
            return state.remove(identifier)
        }
        withExtendedLifetime(removed) {}
    }

    private func noteWhoIsThere(_ state: State) {
        observed.store(!state.observers.isEmpty, ordering: .relaxed)
        traced.store(state.tracers > 0, ordering: .relaxed)
    }

    /// The queue is gone: ends the streams, when all that was posted is told. Its operations keep the hub.
    func end() {
        guard isObserved else { return }
        state.withLock { $0.end() }
        endStreams()
    }

    private func endStreams() {
        let ended = state.withLock { state in
            defer { noteWhoIsThere(state) }
            return state.takeEnded()
        }
        for observer in ended { observer.end?() }
    }

    /// When and where something happens.
    struct Moment {
        let time: Duration
        /// The thread, as a number that is unique while it lives.
        let thread: UInt64
    }

    /// Now, on the calling thread.
    var moment: Moment { Moment(time: watch.elapsed, thread: UInt64(pthread_self())) }

    /// Takes an event down.
    /// - Parameter earlier: When and where it happened, if that is not now and here.
    func post(_ kind: QueueEvent.Kind, _ operation: Operation, at earlier: Moment? = nil) {
        let moment = earlier ?? self.moment
        var event = QueueEvent(kind: kind, operation: operation, time: moment.time, thread: moment.thread)
        if kind == .finished, isTraced {
            event.dependencies = operation.listedDependencies
            event.phases = operation.notedPhases
        }
        state.withLock { state in
            state.pending.append(event)
            state.postedCount += 1
            if !state.isScheduled { posted.store(true, ordering: .relaxed) }
        }
    }

    /// Has what was posted delivered.
    func deliver() {
        let isFirst = state.withLock { state in
            posted.store(false, ordering: .relaxed)
            return state.schedule()
        }
        if isFirst { schedule() }
    }

    private func schedule() {
        pool.addDelivery { [self] in deliverSome() }
    }

    private func deliverSome() {
        if state.withLock({ $0.startDelivering() }) { tell(atMost: Self.eventsPerJob) }
        let goesOn = state.withLock { state in
            // Otherwise whoever delivers now sees to the rest.
            state.isScheduled = state.deliverer == nil && !state.pending.isEmpty
            return state.isScheduled
        }
        if goesOn { schedule() }
    }

    /// Tells the observers, as the one who delivers, until enough is told or nothing is left.
    private func tell(atMost most: Int) {
        var (rest, delivered) = (most, 0)
        while true {
            let (events, first, observers) = state.withLock { state in
                let events = state.next(min(rest, Self.eventsPerJob), after: delivered)
                return (events, state.deliveredCount, state.observers.sorted { $0.key < $1.key }.map(\.value))
            }
            if events.isEmpty { return isObserved ? endStreams() : () }
            for (number, event) in events.enumerated() {
                event.operation.changeObservedState(event)
                for each in observers where (each.since..<each.until).contains(first + number) {
                    if !each.end.hasCome.load(ordering: .relaxed) { each.observer.receive(event) }
                }
            }
            delivered = events.count
            rest -= delivered
        }
    }

    /// Returns when what was posted before has been delivered. Inside an observer it returns at once: the events
    /// of that delivery are still on their way.
    func flush() {
        switch state.withLock({ $0.beginFlush() }) {
        case .none: return
        case .wait(let done, let count):
            pool.help(
                BlockingWait(for: "events to be told", at: ExecutionContext.current.place) { [self] in
                    state.withLock { $0.deliveredCount >= count }
                })
            done.wait()
        case .deliver(let count):
            tell(atMost: count)
            // What has come since is not this thread's: under steady load there would be no end of it.
            if state.withLock({ $0.schedule() }) { schedule() }
        }
    }
}
