import Operations

/// Stands before a decoding until it is known which of the pictures that are wanted of it are on disk. It holds no thread.
///
/// What it reads with is behind a lock, and the rest never changes after init, which makes `@unchecked Sendable` true.
final class FinishedLookUp: AsyncOperation, @unchecked Sendable {
    private let images: FinishedImages
    private weak let lease: MemoryLease?
    private let body: @Sendable () -> FetchedBody?
    private let reading = Lock<Operation?>(nil)

    /// - Parameters:
    ///   - lease: On the memory of what is found.
    ///   - body: The file; nil if there is none.
    init(_ images: FinishedImages, lease: MemoryLease, body: @escaping @Sendable () -> FetchedBody?) {
        self.images = images
        self.lease = lease
        self.body = body
        super.init()
    }

    override func execute() {
        guard let body = body(), let reading = images.lookUp(body, then: { [self] in found() }) else { return finish() }
        self.reading.withLock { $0 = reading }
        if isCancelled { cancelExecution() }
    }

    override func cancelExecution() {
        reading.withLock { $0.take() }?.cancel()
        finish()
    }

    private func found() {
        let bytes = images.packedBytes
        if bytes > 0, !isCancelled, let lease { lease.memory.take(bytes, for: lease.part) }
        finish()
    }
}
