public import ImageCodecs
public import Operations
public import Pixels
import Transfers

/// One photo on its way: download, decoding and filtering as operations that depend on each other.
///
/// The operations are shared with all photos that want the same: cancelling one photo leaves them to the others.
/// ``PhotoPipeline/task(for:of:label:onUpdate:)`` makes it; stages of one's own go on at the end, then
/// ``start(whenFinished:)``.
public final class PhotoTask: Sendable {
    /// The photo that this is about.
    public let id: Photo.ID

    private struct State {
        var request: ImageRequest
        var further: [(operation: Operation, queue: OperationQueue)] = []
        var hold: PhotoPipeline.Hold?
        /// What brings its file, if that is not there yet.
        var source: (any FileSource)?
        var isCancelled = false
        /// Told once of a cancel, until all is over.
        var whenGivenUp: (@Sendable () -> Void)?
        /// Knows how far the transfer is, once somebody has asked.
        var meter: TransferMeter?
    }

    private let label: String?
    private let pipeline: PhotoPipeline
    private let reporter: PhotoReporter
    private let state: Lock<State>

    init(
        id: Photo.ID, label: String?, request: ImageRequest, pipeline: PhotoPipeline, reporter: PhotoReporter
    ) {
        self.id = id
        self.label = label
        self.pipeline = pipeline
        self.reporter = reporter
        state = Lock(State(request: request))
    }

    /// Adds a stage behind the filtering (or behind the stage added last). Only before the start.
    ///
    /// It finds the filtered picture by ``takeResult()``. The photo's memory counts as in use until this operation has
    /// finished too, and the photo is one of those in work (``PhotoPipeline/Configuration/imagesInWork``), beyond which no transfer begins:
    /// it must not wait for another picture of the same pipeline. Its completion block stays yours.
    public func append(_ operation: Operation, to queue: OperationQueue) {
        state.withLock { state in
            if let last = state.further.last { operation.addDependency(last.operation) }
            state.further.append((operation, queue))
        }
    }

    /// Finds or makes the operations and puts those that are new into their queues.
    ///
    /// - Parameter whenFinished: Called once, on a thread of the engine, when all is over: done, or cancelled and come to its
    ///   end. Where the transfer failed, the stages behind it are not waited for. Where the picture is in memory already, and
    ///   nothing was appended, the call comes before this method returns.
    public func start(whenFinished: @escaping @Sendable () -> Void = {}) {
        join()
        begin(whenFinished: whenFinished)
    }

    /// Starts it for somebody who does not wait for the end of what was given up: that comes when the queues go on.
    ///
    /// - Parameters:
    ///   - whenGivenUp: Called where the photo is cancelled before its end, at once, by whoever cancels.
    ///   - whenFinished: As by ``start(whenFinished:)``, in any case.
    package func start(whenGivenUp: @escaping @Sendable () -> Void, whenFinished: @escaping @Sendable () -> Void) {
        state.withLock { $0.whenGivenUp = whenGivenUp }
        start(whenFinished: whenFinished)
    }

    /// Starts photos together, so that they share whatever they have in common: nothing of it is over and let go of before the
    /// last of them has joined.
    ///
    /// - Parameters:
    ///   - tasks: Photos that have not been started, at least one.
    ///   - whenFinished: Called once, when all is over for all of them, as by ``start(whenFinished:)``.
    package static func start(_ tasks: [PhotoTask], whenFinished: @escaping @Sendable () -> Void) {
        let running = Countdown(tasks.count, whenZero: whenFinished)
        for task in tasks { task.join() }
        for task in tasks { task.begin { running.countDown() } }
    }

    /// Finds or makes the operations, none of which runs before the beginning.
    private func join() {
        let (request, isGivenUp) = state.withLock { ($0.request, $0.isCancelled) }
        pipeline.pending.insert(self) { [self] in cancel() }
        let hold = isGivenUp ? nil : pipeline.hold(request, labelled: label, reporter)
        let source = hold?.companion(FetchResources.self)?.source
        state.withLock { ($0.hold, $0.source) = (hold, source) }
        // A priority that was set while there was no hold yet was told to nobody: it is told here.
        var told = request.priority
        while case let priority = priority, priority != told {
            hold?.setPriority(priority)
            told = priority
        }
    }

    /// Puts the operations that were made for it into their queues.
    private func begin(whenFinished: @escaping @Sendable () -> Void) {
        let (hold, further, isCancelled) = state.withLock { ($0.hold, $0.further, $0.isCancelled) }
        let running = Countdown(2) { [self] in
            reporter.end()
            pipeline.pending.remove(self)
            let whenGivenUp = state.withLock { $0.whenGivenUp.take() }
            withExtendedLifetime(whenGivenUp) {}
            whenFinished()
        }
        // Depends on them, as their completion blocks are their owner's.
        let last = further.isEmpty ? nil : BlockOperation { running.countDown() }
        for (operation, _) in further { last?.addDependency(operation) }
        if let last { pipeline.pending.endQueue.addOperation(last) } else { running.countDown() }
        let (first, before) = (further.first?.operation, hold?.operation)
        if let first, let before { first.addDependency(before) }
        let stages = Countdown(1) { running.countDown() }
        // What is behind a transfer that failed, or was cancelled, may stay in a suspended queue for long. It leaves the tables, so
        // that a retry makes all anew, and nobody waits for it.
        reporter.whenWayEnds { [weak first, weak before] error in
            if let error { for stage in Self.stages(to: before) { stage.fail(error) } }
            hold?.cancel()
            if let first, let before { first.removeDependency(before) }
            stages.countDown()
        }
        reporter.deliver()
        for (operation, queue) in further { queue.addOperation(operation) }
        if let hold { hold.start { stages.countDown() } } else { stages.countDown() }
        if isCancelled { cancel() }
    }

    /// The operations that work on a photo behind its transfer, from the last one back.
    private static func stages(to last: Operation?) -> some Sequence<StageOperation> {
        sequence(first: last as? StageOperation) { stage in
            stage?.dependencies.lazy.compactMap { $0 as? StageOperation }.first
        }.lazy.prefix { $0 != nil }.compactMap(\.self)
    }

    /// How urgent the photo is; the most urgent one of those that share an operation counts. Default: the request's.
    public var priority: Operation.QueuePriority {
        get { state.withLock { $0.request.priority } }
        set {
            let hold = state.withLock { state in
                state.request.priority = newValue
                return state.hold
            }
            hold?.setPriority(newValue)
        }
    }

    /// Takes the filtered picture, or why there is none, so that its memory is the taker's alone. One that goes to an
    /// ``ImageDiskCache`` shares it with the cache until it is packed.
    ///
    /// - Returns: nil before the photo is filtered or has failed, when it was cancelled, and after the first taking.
    public func takeResult() -> Result<PixelBuffer, PhotoError>? {
        takeScaledResult()?.map(\.pixels)
    }

    /// Takes what ``takeResult()`` would take, with the metadata to write with it; that is nil where there is none, and where the
    /// pipeline does not keep it, see ``PhotoPipeline/Configuration/keepsMetadata``.
    public func takeImage() -> Result<(pixels: PixelBuffer, metadata: ImageMetadata?), PhotoError>? {
        takeScaledResult()?.map { ($0.pixels, $0.metadata) }
    }

    /// Takes what ``takeResult()`` would take, with how large the picture is beside the published one.
    package func takeScaledResult() -> Result<ScaledImage, PhotoError>? {
        reporter.takeResult()
    }

    /// Where the picture came from, and what its transfer took; after a failure, what the last attempt at the transfer took. Nil
    /// before that is known, and where nothing was transferred. Callable from any thread.
    public var metrics: ImageMetrics? {
        if let metrics = reporter.metrics { return metrics }
        let transfer = state.withLock { $0.source }?.metrics
        return transfer.map { ImageMetrics(source: .network, transfer: $0) }
    }

    /// The bytes of the body that were received, also of one that was cut off; final when the task has finished.
    ///
    /// Of the photos that share a transfer one has its bytes, the one that wanted it first of those that did not give it
    /// up, so that the sum is what was received. A photo that came from memory or disk has none.
    public var receivedByteCount: Int {
        let (hold, source) = state.withLock { ($0.hold, $0.source) }
        guard let hold, let source, hold.isFirst else { return 0 }
        return source.receivedByteCount
    }

    /// How much of the transfer is there, from 0 to 1; nil where nothing comes over the network, and before it is known how much there
    /// is. Callable from any thread.
    public var transferProgress: Double? {
        let (meter, source) = state.withLock { state -> (TransferMeter?, (any FileSource)?) in
            if let meter = state.meter { return (meter, nil) }
            guard let source = state.source else { return (nil, nil) }
            let meter = TransferMeter()
            state.meter = meter
            return (meter, source)
        }
        if let meter { source?.observe(meter) }
        return meter?.fraction
    }

    /// After a failure, when another attempt at the transfer is due, where the request leaves those to whoever has asked; nil
    /// where there is none, or the operations make it.
    package var nextAttempt: DueAttempt? { state.withLock { $0.source }?.nextAttempt }

    /// How long the photo waited and was worked on, stage by stage; nil before it is filtered or has failed.
    public var timings: PhotoTimings? { reporter.timings }

    /// The same for a photo that was given up, up to now.
    package var timingsSoFar: PhotoTimings? { reporter.times.timings(until: reporter.times.ended ?? .now) }

    /// Cancels what is not done yet, as far as no other photo wants it; a transfer is ended at once.
    public func cancel() {
        let (further, hold, whenGivenUp) = state.withLock { state in
            state.isCancelled = true
            return (state.further, state.hold, state.whenGivenUp.take())
        }
        // From the end, so that no stage starts because the one before it was cancelled.
        for (operation, _) in further.reversed() { operation.cancel() }
        hold?.cancel()
        whenGivenUp?()
    }

    /// Tells a mailbox how far the transfer is, if the photo waits for one.
    func follow(_ mailbox: UpdateMailbox) {
        watch?.add(mailbox, state.withLock { $0.request.processing })
    }

    /// Tells it no more.
    func unfollow(_ mailbox: UpdateMailbox) {
        watch?.remove(mailbox)
    }

    private var watch: ArrivalWatch? {
        state.withLock { $0.hold }?.companion(DecodeResources.self)?.watch
    }
}
