import Operations
public import Pixels

/// The frames of an animation, each decoded when it is asked for, see ``PhotoPipeline/animation(for:)``.
///
/// It holds the file, and no frame: one is in memory while it is made, besides those that the caller keeps. Frames of one
/// animation are made one after the other, in the order in which they were asked for. Asking for frames in order is fast;
/// going back begins again with the first.
public final class ImageAnimation: Sendable {
    /// One frame, complete and filtered: what it keeps of those before it is in the picture.
    public struct Frame: Sendable {
        /// The picture.
        public let image: PixelBuffer
        /// For how long it is shown; zero where the file does not say. Browsers take 100 ms for what is below 20 ms.
        public let duration: Duration
    }

    /// How many frames there are, at least 1; 1 for a picture that does not move.
    public var frameCount: Int { source.frameCount }
    /// How many times the frames are played, as the file says; 0 for without end, 1 for a picture that does not move.
    public var loopCount: Int { source.loopCount }
    /// The size of each frame in pixels, before processors of one's own.
    public var size: PixelSize { source.frameSize }

    private let source: FrameSource
    private let request: ImageRequest
    private let maxPixels: Int
    private let gate: MemoryGate
    private let pending: PendingOperations
    /// The frames that were asked for, until they are made or given up.
    private let line = Lock(FrameLine())

    init(
        _ source: FrameSource, _ request: ImageRequest, maxPixels: Int, gate: MemoryGate, pending: PendingOperations
    ) {
        self.source = source
        self.request = request
        self.maxPixels = maxPixels
        self.gate = gate
        self.pending = pending
    }

    /// A frame, on its way through the decode queue (the filtration queue, where the request has processors) when there is memory
    /// for it, with the request's priority.
    ///
    /// Cancelling the calling task ends the decoding, and the wait at once.
    /// - Parameter index: From 0 to below ``frameCount``.
    /// - Throws: Why there is no frame; `.damagedImage` where there is none of that number, `.cancelled` if the calling task
    ///   was cancelled.
    public func frame(_ index: Int) async throws(PhotoError) -> Frame {
        guard (0..<frameCount).contains(index) else {
            throw PhotoError(.damagedImage, "The picture has no frame at index \(index).")
        }
        let lease = MemoryLease(PhotoMemory(gate: gate))
        let place = line.withLock { $0.join() }
        // None waits for another one with a thread or with memory in its hands.
        let turn = TurnOperation(place, in: line)
        let reservation = ReservationOperation(memory: lease.memory, part: lease.part) { [source] in
            source.frameBytes
        }
        reservation.name = "Wait for memory"
        let frame = FrameOperation(index, of: source, request.processing, maxPixels: maxPixels, lease: lease)
        reservation.addDependency(turn)
        frame.addDependency(reservation)
        for operation in [turn, reservation, frame] { operation.queuePriority = request.priority }
        // Processors may be slow; decoding is not to wait for them.
        let queue = request.processing.filter == nil ? pending.filtrationQueue : pending.decodeQueue
        await WorkWait.untilOver { [line, pending] wait in
            // It is there until this has returned.
            frame.completionBlock = { [unowned frame] in
                // Of a frame that somebody has cancelled in its queue, these are still to come.
                for operation in [reservation, turn] { operation.cancel() }
                frame.giveBack()
                line.withLock { $0.leave(place) }?()
                wait.end()
            }
            pending.memoryQueue.addOperations([turn, reservation], waitUntilFinished: false)
            queue.addOperation(frame)
        } orCancelled: {
            // From the end, so that none starts because the one before it was cancelled.
            for operation in [frame, reservation, turn] { operation.cancel() }
        }
        return try (frame.takeResult() ?? .failure(.cancelled)).get()
    }

    /// All frames in their order, once, each decoded when the one before has been dealt with.
    public var frames: Frames { Frames(animation: self) }

    /// The frames of an animation, see ``ImageAnimation/frames``.
    public struct Frames: AsyncSequence, Sendable {
        public typealias Failure = PhotoError

        let animation: ImageAnimation

        public func makeAsyncIterator() -> Iterator { Iterator(animation: animation) }

        /// Gives one frame after the other.
        public struct Iterator: AsyncIteratorProtocol {
            let animation: ImageAnimation
            var next = 0

            /// The next frame; nil after the last one and after an error.
            ///
            /// - Throws: Why there is no such frame; `.cancelled` if the calling task was cancelled.
            public mutating func next(
                isolation actor: isolated (any Actor)? = #isolation
            ) async throws(PhotoError) -> Frame? {
                guard next < animation.frameCount else { return nil }
                let index = next
                next = animation.frameCount
                let frame = try await animation.frame(index)
                next = index + 1
                return frame
            }

            /// The next frame; nil after the last one and after an error.
            ///
            /// - Throws: Why there is no such frame; `.cancelled` if the calling task was cancelled.
            public mutating func next() async throws(PhotoError) -> Frame? { try await next(isolation: nil) }
        }
    }
}
