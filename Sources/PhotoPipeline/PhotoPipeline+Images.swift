import Operations
public import Pixels

extension PhotoPipeline {
    /// The picture of a request: from memory, from disk or from its address.
    ///
    /// Cancelling the calling task ends what nobody else wants. The wait is over at once, also where a queue is suspended and the
    /// operations come to their end later.
    ///
    /// ```swift
    /// import Foundation
    /// import PhotoPipeline
    ///
    /// let pipeline = PhotoPipeline()
    /// let address = URL(string: "https://example.org/dune.jpg")!
    /// let picture = try await pipeline.image(for: ImageRequest(address: address, longestSide: 256))
    /// print(picture.size)
    /// ```
    /// ```text
    /// 256 x 171
    /// ```
    /// - Throws: Why there is no picture; `.cancelled` if the calling task was cancelled before there was one.
    public func image(for request: ImageRequest) async throws(PhotoError) -> PixelBuffer {
        let task = imageTask(for: request)
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        return try result.get()
    }

    /// Starts on the picture of a request, and gives a hand on it: to wait, to cancel, to change how urgent it is.
    public func imageTask(for request: ImageRequest) -> ImageTask {
        ImageTask(task(for: request, of: Photo.ID(0), logged: nil) { _ in })
    }

    /// Starts on the picture of a request, and calls back.
    ///
    /// Both closures are called on a thread of the engine, not on the main actor, and may block that thread.
    ///
    /// - Parameters:
    ///   - request: What is wanted.
    ///   - onUpdate: Called with what ``ImageTask/updates`` would give, one after the other; the picture is the last. Who is
    ///     slow misses previews, not the picture. Default: nobody, so that no preview is made.
    ///   - whenFinished: Called once, after the last update, with the picture or why there is none; the reason is
    ///     `.cancelled` after a cancel.
    @discardableResult
    public func imageTask(
        for request: ImageRequest, onUpdate: (@Sendable (ImageTask.Update) -> Void)? = nil,
        whenFinished: @escaping @Sendable (Result<PixelBuffer, PhotoError>) -> Void
    ) -> ImageTask {
        let task = imageTask(for: request)
        // The closures may block their thread, as those do that write to a disk or wait for a lock.
        Task(executorPreference: ThreadPool.shared.executorForBlockingTasks) {
            if let onUpdate {
                var updates = task.updates.makeAsyncIterator()
                while let update = try? await updates.next() { onUpdate(update) }
            }
            whenFinished(await task.result)
        }
        return task
    }

    /// The picture of a request, if it is in memory.
    ///
    /// Takes no longer on the main thread than a look into a table: a row that has it never shows a placeholder.
    public func cachedImage(for request: ImageRequest) -> PixelBuffer? {
        cachedScaledImage(for: request)?.pixels
    }

    /// The same, with how large it is beside the published picture.
    package func cachedScaledImage(for request: ImageRequest) -> ScaledImage? {
        cached(key(request).processed(request.processing))
    }
}
