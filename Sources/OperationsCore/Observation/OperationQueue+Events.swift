extension OperationQueueAdditions where Self: OperationQueue {
    /// What happens to the queue's operations from now on, in order, until the queue is gone.
    ///
    /// Each call gives a stream of its own, for one reader; while nobody has one, the queue's work pays a flag test.
    /// Events of one operation come in the order of `QueueEvent.Kind`. A stream keeps neither the queue nor its
    /// operations, but for those in events that have not been read.
    /// - Parameter bufferingPolicy: What becomes of events that are not read fast enough: by default all are kept,
    ///   which costs memory with a reader that falls behind; the other policies drop some.
    public func events(
        bufferingPolicy: AsyncStream<QueueEvent>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<QueueEvent> {
        let hub = core.hub
        return AsyncStream(bufferingPolicy: bufferingPolicy) { continuation in
            let identifier = core.addObserver(
                EventHub.Observer(receive: { continuation.yield($0) }, end: { continuation.finish() }))
            continuation.onTermination = { [weak hub] _ in hub?.remove(identifier) }
        }
    }

    /// Has a closure called for each thing that happens to the queue's operations from now on, in order.
    ///
    /// The closure is called on a thread of the engine, one call at a time, with no lock held. While it runs, other observers
    /// of the queue wait, and so does who stops a trace of it; those who add to the queue and what it runs do not. Events
    /// that an observer has not been told of are kept.
    /// - Returns: What ends the observation when it is invalidated or released.
    public func observe(_ handler: @escaping @Sendable (QueueEvent) -> Void) -> ObservationToken {
        let hub = core.hub
        let identifier = core.addObserver(EventHub.Observer(receive: handler))
        return ObservationToken { [weak hub] in hub?.remove(identifier) }
    }

    /// When another queue was made, by this queue's clock: what its events' times are put on this queue's by.
    /// - Returns: The time since this queue was made, negative where the other one is older; nil where their clocks are of
    ///   different kinds.
    package func creationTime(of other: OperationQueue) -> Duration? {
        core.hub.watch.reading(when: other.core.hub.watch, reads: .zero)
    }
}
