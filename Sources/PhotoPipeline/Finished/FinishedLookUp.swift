import Operations

/// Stands before a decoding until it is known which of the pictures that are wanted of it are on disk. It holds no thread.
///
/// What it reads with is behind a lock, and the rest never changes after init, which makes `@unchecked Sendable` true.
final class FinishedLookUp: AsyncOperation, @unchecked Sendable {
    private let images: FinishedImages
    private weak let lease: MemoryLease?
    private let fetch: PhotoPipeline.Fetch
    private let reading = Lock<Operation?>(nil)

    /// - Parameters:
    ///   - fetch: Has brought the file.
    ///   - lease: On the memory of what is found.
    init(_ images: FinishedImages, of fetch: PhotoPipeline.Fetch, lease: MemoryLease) {
        self.images = images
        self.lease = lease
        self.fetch = fetch
        super.init()
    }

    override func execute() {
        guard case .success(let body) = fetch.product,
            let reading = images.lookUp(body, then: { [self] in found() })
        else { return finish() }
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
