import Operations

extension ImageTask {
    /// Progress and previews while the picture comes, and at the end the picture itself, or the error that is thrown.
    ///
    /// <!-- given
    /// let pipeline = PhotoPipeline()
    /// let request = ImageRequest(address: URL(string: "https://example.org/dune.jpg")!, longestSide: 1024)
    /// func show(_ picture: PixelBuffer) { print(picture.size) }
    /// -->
    /// ```swift
    /// import Foundation
    /// import PhotoPipeline
    ///
    /// let task = pipeline.imageTask(for: request)
    /// defer { task.cancel() }
    /// for try await update in task.updates {
    ///     switch update {
    ///     case .progress(let progress): print(progress.receivedByteCount)
    ///     case .preview(let preview): show(preview.image)
    ///     case .image(let image): show(image)
    ///     }
    /// }
    /// ```
    /// <!-- prints
    /// …
    /// 1024 x 683
    /// -->
    /// Only a progressive JPEG that comes over the network has previews. They are decoded at the request's size while
    /// the transfer runs, on a queue of their own, once for all who share the transfer and the size. A preview is made
    /// when the bytes for a visibly better one are there, not sooner than 200 ms after the one before, and never takes
    /// more than an eighth of a processor; none is made when the memory for it is not to be had. A transfer that goes on
    /// where it was cut off, or that others have begun, has its previews too. They end with the transfer.
    ///
    /// Nothing is queued: who is slow gets the newest progress and preview, and none is decoded while one waits to be
    /// taken. Progress is told at most 20 times a second. Each loop has updates of its own from when it begins; a loop
    /// that ends early, or whose task is cancelled, which throws `.cancelled`, leaves the picture on its way until
    /// ``cancel()``.
    public var updates: Updates { Updates(task: self) }

    /// The updates of a picture on its way, see ``ImageTask/updates``.
    public struct Updates: AsyncSequence, Sendable {
        public typealias Failure = PhotoError

        let task: ImageTask

        public func makeAsyncIterator() -> Iterator { Iterator(following: Following(task)) }

        /// Gives one update after the other; for one task at a time.
        public struct Iterator: AsyncIteratorProtocol {
            let following: Following

            /// The next update; nil after the picture and after an error.
            ///
            /// - Throws: Why there is no picture; `.cancelled` if the work was cancelled.
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(PhotoError) -> Update? {
                try await following.mailbox.next()
            }

            /// The next update; nil after the picture and after an error.
            ///
            /// - Throws: Why there is no picture; `.cancelled` if the work was cancelled.
            public mutating func next() async throws(PhotoError) -> Update? { try await following.mailbox.next() }
        }
    }

    /// A loop over updates; it ends with the loop's iterator.
    final class Following: Sendable {
        let mailbox = UpdateMailbox()
        private let task: ImageTask

        init(_ task: ImageTask) {
            self.task = task
            task.follow(mailbox)
        }

        deinit { task.unfollow(mailbox) }
    }
}
