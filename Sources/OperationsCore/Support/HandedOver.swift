/// Waits for a value that another thread hands over.
///
/// That thread may be done before the task is suspended. Then an atomic of Swift's runtime orders the two, of which Thread Sanitizer is
/// not told: what the task reads of the value looks like a race with the making of it. It sees the lock through which the value goes
/// here.
/// - Parameter start: Has the value made. It is given the closure to hand it over to, once.
package nonisolated(nonsending) func handedOver<Value: Sendable>(
    _ start: (_ handOver: @escaping @Sendable (Value) -> Void) -> Void
) async -> Value {
    let place = Lock<Value?>(nil)
    await withCheckedContinuation { continuation in
        start { value in
            place.withLock { $0 = value }
            continuation.resume()
        }
    }
    // Nothing else resumes the task.
    return place.withLock { $0.take()! }
}

extension OperationQueue {
    /// What a closure returns or throws, which is called on a thread of this queue.
    package nonisolated(nonsending) func outcome<Success: Sendable, Failure: Error>(
        of work: @escaping @Sendable () throws(Failure) -> Success
    ) async -> Result<Success, Failure> {
        await handedOver { handOver in
            addOperation { handOver(Result(catching: work)) }
        }
    }
}
