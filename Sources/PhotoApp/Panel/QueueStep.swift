import Operations

/// Has a suspended queue run one operation, for a person who wants to see one step after the other. The main thread, which may be blocked,
/// takes no part in it.
nonisolated enum QueueStep {
    /// Runs the next operation that is ready, and suspends the queue again when it has begun. Where none is ready, the one that is so
    /// first runs. Once the task is cancelled, this suspends the queue no more: who cancels says what becomes of the queue.
    static func run(_ queue: OperationQueue) async {
        // Of what begins from now on it is told.
        let events = queue.events()
        // So that no second one begins before the queue is suspended again.
        let rateLimit = queue.rateLimit
        queue.rateLimit = RateLimit(1, per: .seconds(24 * 3_600))
        // Whoever cancels may have the queue go on right after that, so that nothing may come between a look at this and what follows.
        let isGivenUp = Lock(false)
        await withTaskCancellationHandler {
            isGivenUp.withLock { if !$0 { queue.isSuspended = false } }
            for await event in events where event.kind == .started { break }
            isGivenUp.withLock { if !$0 { queue.isSuspended = true } }
        } onCancel: {
            isGivenUp.withLock { $0 = true }
        }
        queue.rateLimit = rateLimit
    }
}
