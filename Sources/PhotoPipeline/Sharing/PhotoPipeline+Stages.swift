import ImageCodecs
import Operations
import Transfers

/// The stages that are on their way, each once: one transfer for an address, one decoding for a size, one run for each
/// beginning of what is done to it. A photo holds all stages of its way.
extension PhotoPipeline {
    typealias Access = SharedAccess
    typealias Fetch = SharedWork<Result<FetchedBody, PhotoError>>
    typealias ImageStage = SharedWork<Result<ScaledImage, PhotoError>>
    typealias AnimationStage = SharedWork<Result<FrameSource, PhotoError>>
    typealias Hold = SharedHold<Result<ScaledImage, PhotoError>>

    /// How many stages are there.
    var stageCount: Int { fetches.count + decodes.count + filters.count + animations.count }

    /// The decoded picture of a request: what is shared goes by all headers that it is sent with.
    func key(_ request: ImageRequest) -> ImageKey {
        ImageKey(request, client.headers(for: request.address, adding: request.headers))
    }

    /// Finds the stages for a photo, and makes those that are not there.
    ///
    /// - Parameter label: What operations that are made for it are called, behind their stage's name.
    /// - Returns: nil if the picture is at hand; then it is posted.
    func hold(_ request: ImageRequest, labelled label: String?, _ reporter: PhotoReporter) -> Hold? {
        let key = key(request)
        return group.hold(priority: request.priority, observer: reporter, takesProduct: false) { access in
            reporter.begin(key)
            let finished = key.processed(request.processing)
            if let stage = filterWork(finished, for: request, &access) { return stage }
            guard let entry = cached(finished) else { return makeStages(request, key, label, &access) }
            let work: PhotoTimings.Stage.Work = request.processing.isEmpty ? .decode : .processing(request.processing)
            let times = StageTimes(work, isFromMemory: true)
            reporter.note(times.noting(.downloadFinished), isLast: true)
            reporter.note(times.noting(.filteringStarted), isLast: true)
            reporter.note(times.noting(.filteringFinished, entry), isLast: true)
            return nil
        }
    }

    // MARK: Memory

    func cached(_ key: ImageKey) -> ScaledImage? {
        guard isServedByMemory(key.policy), key.observer == nil else { return nil }
        return cache.entry(for: key.inMemory)
    }

    private func isServedByMemory(_ policy: CachePolicy) -> Bool { policy == .standard || policy == .onlyIfCached }

    /// Whether a picture of a request has its place in memory, until others need it.
    func mayKeep(_ image: ScaledImage, of request: ImageRequest) -> Bool {
        guard isServedByMemory(request.cachePolicy) else { return false }
        return ImageCache.cost(of: image, for: key(request)) <= cache.limit
    }

    func store(_ entry: ScaledImage, _ key: ImageKey) {
        if key.policy != .ignored, key.observer == nil { cache.insert(entry, for: key.inMemory) }
    }

    /// What is wanted of the decoder.
    func decodeOptions(_ key: ImageKey) -> DecodeOptions {
        DecodeOptions(
            resize: key.resize, keepsMetadata: configuration.keepsMetadata,
            toleratesDamage: configuration.toleratesDamage)
    }

    // MARK: Making

    /// The stage that makes a beginning of what is wanted, if there is one that does.
    private func filterWork(_ key: ImageKey, for request: ImageRequest, _ access: inout Access) -> ImageStage? {
        guard let stage = filters.work(for: key, &access) else { return nil }
        return stage.companion(FilterResources.self, &access)?.finished?.want(request.processing) ?? true ? stage : nil
    }

    /// Makes what is missing behind the furthest stage or picture that is there.
    private func makeStages(
        _ request: ImageRequest, _ key: ImageKey, _ label: String?, _ access: inout Access
    ) -> ImageStage? {
        let beginnings = request.processing.beginnings
        var stage: ImageStage?
        var image: ScaledImage?
        var done = 0
        for index in beginnings.indices.dropLast().reversed() where stage == nil && image == nil {
            let beginning = key.processed(beginnings[index].chain)
            stage = filterWork(beginning, for: request, &access)
            image = stage == nil ? cached(beginning) : nil
            done = index + 1
        }
        if stage == nil, image == nil {
            image = cached(key)
            stage = image == nil ? decodeStage(request, key, label, &access) : nil
            done = 0
        }
        let made: PhotoTimings.Stage.Work = done == 0 ? .decode : .processing(beginnings[done - 1].chain)
        var atHand = image.map { (image: $0, times: StageTimes(made, isFromMemory: true)) }
        for beginning in beginnings[done...] {
            stage = filterStage(key, beginning, after: stage, atHand, label, &access)
            atHand = nil
        }
        return stage
    }
}
