import Operations
public import Pixels

/// Keeps one photo's state while the stages that it shares with others report to it, and passes on what really changed.
///
/// Reports come from several threads. They are noted in the right order, quickly and under the locks that give the order, and
/// delivered outside of them by one thread at a time.
final class PhotoReporter: SharedWorkObserver {
    private struct State {
        var photo = Photo.State.new
        /// The decoded picture's; nil before it is asked for.
        var key: ImageKey?
        var updates: [(event: Photo.Event, update: Photo.Update, endsWay: Bool)] = []
        var whenWayEnds: (@Sendable (PhotoError?) -> Void)?
        var isDelivering = false
        var result: Result<ScaledImage, PhotoError>?
        var lease: MemoryLease?
        var metrics: ImageMetrics?
        var times = PhotoTimes()
    }

    private let state = Lock(State())
    private let pipeline: PhotoPipeline
    private let logger: PhotoLogger?
    private let onUpdate: @Sendable (Photo.Update) -> Void

    /// - Parameter logger: Hears what happens, before the updates of it; nil where nobody logs.
    init(
        _ pipeline: PhotoPipeline, _ logger: PhotoLogger?, onUpdate: @escaping @Sendable (Photo.Update) -> Void
    ) {
        self.pipeline = pipeline
        self.logger = logger
        self.onUpdate = onUpdate
    }

    /// Notes that the photo is asked for.
    /// - Parameter key: The decoded picture's, which may be in memory when the stage that made it has none any more.
    func begin(_ key: ImageKey) {
        state.withLock { $0.key = key }
        post(.requested)
    }

    /// Has a closure called when the photo need not wait for its stages, after the update of that: it has failed, or, with nil,
    /// its transfer was cancelled.
    func whenWayEnds(_ handler: @escaping @Sendable (PhotoError?) -> Void) {
        state.withLock { $0.whenWayEnds = handler }
    }

    /// Takes an event in and passes the change on.
    func report(_ event: Photo.Event) {
        post(event)
        deliver()
    }

    func note(_ event: any Sendable, isLast: Bool) {
        guard let event = event as? StageEvent else { return }
        // A beginning of a filter is not the end of the longer ones.
        let isNews = isLast || event.event != .filteringFinished
        post(isNews ? event.event : nil, event.image, of: event.times, endsWay: event.endsWay)
    }

    /// Takes an event in; one that does not belong to the present state changes nothing and is not passed on.
    func post(
        _ event: Photo.Event?, _ image: ScaledImage? = nil, of stage: StageTimes? = nil, endsWay: Bool = false
    ) {
        state.withLock { state in
            if let stage { state.times.insert(stage) }
            guard let event, let next = state.photo.after(event) else { return }
            state.photo = next
            if event == .requested { state.times = PhotoTimes() }
            let told = image ?? (event == .downloadFinished ? state.key.flatMap(pipeline.cached) : nil)
            var isResult = true
            switch next {
            case .filtered:
                state.result = image.map { .success($0.withoutLease) }
                state.lease = image?.lease
                state.metrics = image?.metrics
            case .failed(let error): state.result = .failure(error)
            case .new, .waiting, .downloading, .decoding, .downloaded, .filtering: isResult = false
            }
            if isResult { state.times.ended = .now }
            let update = Photo.Update(
                state: next, scaledImage: told?.withoutLease,
                times: isResult ? state.times : nil)
            state.updates.append((event, update, endsWay))
        }
    }

    /// Passes on what was posted, unless another thread is doing that.
    func deliver() {
        let isOther = state.withLock { state in
            defer { state.isDelivering = true }
            return state.isDelivering
        }
        while !isOther {
            let updates = state.withLock { state in
                state.isDelivering = !state.updates.isEmpty
                defer { state.updates = [] }
                return state.updates
            }
            if updates.isEmpty { return }
            for (event, update, endsWay) in updates {
                logger?.add(event, update)
                onUpdate(update)
                guard endsWay else { continue }
                let error: PhotoError? = if case .failed(let error) = update.state { error } else { nil }
                state.withLock { $0.whenWayEnds.take() }?(error)
            }
        }
    }

    /// Takes what came of the photo out, so that the picture's memory is the taker's alone; nil before that, and when it
    /// was taken.
    func takeResult() -> Result<ScaledImage, PhotoError>? {
        state.withLock { state in
            defer { state.result = nil }
            return state.result
        }
    }

    /// Where the filtered picture came from; nil before it is there.
    var metrics: ImageMetrics? { state.withLock { $0.metrics } }

    /// How long it waited and was worked on; nil before there is a result.
    var timings: PhotoTimings? { times.timings }

    /// The same, of one that may have no result.
    var times: PhotoTimes { state.withLock { $0.times } }

    /// Lets go of the memory that is counted for the picture: the photo is over.
    func end() {
        let (lease, handler, isGivenUp) = state.withLock { state in
            (state.lease.take(), state.whenWayEnds.take(), state.times.ended == nil && state.key != nil)
        }
        withExtendedLifetime((lease, handler)) {}
        report(.cancelled)
        if isGivenUp { logger?.add(.cancelled) }
    }
}

extension Photo {
    /// A change of a photo's state, with the picture that came of it.
    public struct Update: Sendable {
        /// The new state.
        public let state: State
        /// The picture, where the new state is `downloaded` or `filtered`.
        ///
        /// A photo that joined another's way after its picture was decoded is told of that without it.
        public var image: PixelBuffer? { scaledImage?.pixels }
        /// What is wrong with the data of the picture, which is shown as far as it goes; nil for a sound one, and where the
        /// pipeline does not tolerate damage, see ``PhotoPipeline/Configuration/toleratesDamage``.
        public var damage: String? { scaledImage?.damage }
        /// How long the photo waited and was worked on, where the new state is `filtered` or `failed`. It is reckoned up when it is
        /// asked for.
        public var timings: PhotoTimings? { times?.timings }
        /// The picture, and how large it is beside the published one.
        package let scaledImage: ScaledImage?
        /// Where the picture came from, and what its transfer took; nil where there is no ``image``.
        public var metrics: ImageMetrics? { scaledImage?.metrics }
        let times: PhotoTimes?
    }
}
