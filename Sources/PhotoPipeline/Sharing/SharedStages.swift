import ImageCodecs
import Operations
import Pixels
import Transfers

/// All stages that are on their way, each once: one transfer for an address, one decoding for a size, one run for each
/// beginning of what is done to it. A photo holds all stages of its way.
final class SharedStages: Sendable {
    typealias Access = SharedAccess<StageEvent>
    typealias Fetch = SharedWork<FetchedBody, StageEvent>
    typealias ImageStage = SharedWork<Result<LeasedImage, PhotoError>, StageEvent>
    typealias AnimationStage = SharedWork<Result<FrameSource, PhotoError>, StageEvent>
    typealias Hold = SharedHold<Result<LeasedImage, PhotoError>, StageEvent>

    let cache: ImageCache
    let pending: PendingOperations
    let configuration: PhotoPipeline.Configuration
    let client: TransferClient
    let gate: MemoryGate
    let log: PhotoLog?
    let decoder: DecoderSelection

    private let group = SharedGroup<StageEvent>()
    let fetches: Shared<FetchKey, FetchedBody, StageEvent>
    let decodes: Shared<DecodeKey, Result<LeasedImage, PhotoError>, StageEvent>
    let filters: Shared<FilterKey, Result<LeasedImage, PhotoError>, StageEvent>
    let animations: Shared<DecodeKey, Result<FrameSource, PhotoError>, StageEvent>

    init(
        cache: ImageCache, pending: PendingOperations, configuration: PhotoPipeline.Configuration,
        client: TransferClient, gate: MemoryGate, log: PhotoLog?
    ) {
        self.cache = cache
        self.pending = pending
        self.configuration = configuration
        self.client = client
        self.gate = gate
        self.log = log
        decoder = DecoderSelection(configuration.decoders, limits: configuration.decodeLimits)
        fetches = Shared(in: group)
        decodes = Shared(in: group)
        filters = Shared(in: group)
        animations = Shared(in: group)
    }

    /// How many stages are there.
    var count: Int { fetches.count + decodes.count + filters.count + animations.count }

    /// Finds the stages for a photo, and makes those that are not there.
    ///
    /// - Parameter label: What operations that are made for it are called, behind their stage's name.
    /// - Returns: nil if the picture is at hand; then it is posted.
    func hold(_ request: ImageRequest, labelled label: String?, _ reporter: PhotoReporter) -> Hold? {
        let request = completed(request)
        let key = DecodeKey(request)
        return group.hold(priority: request.priority, observer: reporter, takesProduct: false) { access in
            reporter.post(.requested)
            if let stage = filterWork(key, request.processing, for: request, &access) { return stage }
            guard let entry = cached(key, request.processing) else { return makeStages(request, key, label, &access) }
            let work: PhotoTimings.Stage.Work = request.processing.isEmpty ? .decode : .processing(request.processing)
            let times = StageTimes(work, isFromMemory: true)
            reporter.note(times.noting(.downloadFinished) { [self] in cached(key, .none) }, isLast: true)
            reporter.note(times.noting(.filteringStarted), isLast: true)
            reporter.note(times.noting(.filteringFinished) { entry }, isLast: true)
            return nil
        }
    }

    /// Finds the stage for an animation, or makes it.
    func holdAnimation(_ request: ImageRequest) -> SharedHold<Result<FrameSource, PhotoError>, StageEvent>? {
        let request = completed(request)
        let key = DecodeKey(request)
        return group.hold(priority: request.priority) { access in
            animations.work(for: key, &access) ?? animationStage(request, key, &access)
        }
    }

    // MARK: Memory

    /// The picture of a request, if it is in memory.
    func cached(_ request: ImageRequest) -> ScaledImage? {
        cached(DecodeKey(completed(request)), request.processing)?.entry
    }

    /// The request with all headers that it is sent with: what is shared goes by them.
    private func completed(_ request: ImageRequest) -> ImageRequest {
        var request = request
        request.headers = client.headers(for: request.address, adding: request.headers)
        return request
    }

    func cached(_ key: DecodeKey, _ processing: ProcessingChain) -> LeasedImage? {
        guard key.fetch.policy == .standard || key.fetch.policy == .onlyIfCached else { return nil }
        let key = ImageKey(source: key.fetch.source, resize: key.resize, processing: processing)
        return cache.entry(for: key).map { LeasedImage(entry: $0, lease: nil, metrics: .memory) }
    }

    func store(_ entry: ScaledImage, _ key: DecodeKey, _ processing: ProcessingChain) {
        guard key.fetch.policy != .ignored else { return }
        cache.insert(entry, for: ImageKey(source: key.fetch.source, resize: key.resize, processing: processing))
    }

    /// What is wanted of the decoder.
    func decodeOptions(_ key: DecodeKey) -> DecodeOptions {
        DecodeOptions(
            resize: key.resize, keepsMetadata: configuration.keepsMetadata,
            toleratesDamage: configuration.toleratesDamage)
    }

    // MARK: Making

    /// The stage that makes a beginning of what is wanted, if there is one that does.
    private func filterWork(
        _ key: DecodeKey, _ chain: ProcessingChain, for request: ImageRequest, _ access: inout Access
    ) -> ImageStage? {
        guard let stage = filters.work(for: FilterKey(decode: key, processing: chain), &access) else { return nil }
        return stage.companion(FinishedImages.self, &access)?.want(request.processing) ?? true ? stage : nil
    }

    /// Makes what is missing behind the furthest stage or picture that is there.
    private func makeStages(
        _ request: ImageRequest, _ key: DecodeKey, _ label: String?, _ access: inout Access
    ) -> ImageStage? {
        let beginnings = request.processing.beginnings
        var stage: ImageStage?
        var image: LeasedImage?
        var done = 0
        for index in beginnings.indices.dropLast().reversed() where stage == nil && image == nil {
            let chain = beginnings[index].chain
            stage = filterWork(key, chain, for: request, &access)
            image = stage == nil ? cached(key, chain) : nil
            done = index + 1
        }
        if stage == nil, image == nil {
            image = cached(key, .none)
            stage = image == nil ? decodeStage(request, key, label, &access) : nil
            done = 0
        }
        let made: PhotoTimings.Stage.Work = done == 0 ? .decode : .processing(beginnings[done - 1].chain)
        var atHand = image.map { (image: $0, times: StageTimes(made, isFromMemory: true)) }
        for beginning in beginnings[done...] {
            let own = FilterKey(decode: key, processing: beginning.chain)
            stage = filterStage(own, beginning.step, after: stage, atHand, label, &access)
            atHand = nil
        }
        return stage
    }
}
