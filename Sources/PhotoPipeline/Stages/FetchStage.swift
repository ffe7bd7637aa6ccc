import FoundationEssentials
import Operations
import Synchronization
import Transfers

/// What came of a transfer.
struct FetchedBody: Sendable {
    let bytes: Data
    let metrics: ImageMetrics
    /// Later bodies have higher numbers.
    let number = FetchedBody.count.add(1, ordering: .relaxed).newValue
    /// Whether what is made of it may be kept on disk.
    var isStorable = true
    /// On its memory.
    let lease: MemoryLease

    private static let count = Atomic(0)

    init(bytes: Data, metrics: ImageMetrics, isStorable: Bool = true, lease: MemoryLease) {
        (self.bytes, self.metrics, self.isStorable, self.lease) = (bytes, metrics, isStorable, lease)
    }
}

/// An operation that brings a file.
protocol FileSource: AnyObject, Sendable {
    /// The bytes of the file that were received.
    var receivedByteCount: Int { get }
    /// What the transfer took, or has taken; nil where nothing is transferred.
    var metrics: TransferMetrics? { get }
    /// After a failure, when another attempt is due that is left to whoever has asked; nil where there is none.
    var nextAttempt: DueAttempt? { get }
    /// Shows the file to an observer while it comes, if it comes in pieces.
    func observe(_ observer: any BodyObserver)
}

extension CachedDownloadOperation: FileSource {}

extension LoadOperation: FileSource {
    var metrics: TransferMetrics? { nil }
    var nextAttempt: DueAttempt? { nil }
    func observe(_ observer: any BodyObserver) {}
}

/// What belongs to a transfer that photos share.
struct FetchResources: Sendable {
    let source: any FileSource
    let lease: MemoryLease
}

extension PhotoPipeline {
    /// Finds the transfer of a photo, or makes it.
    func fetchStage(
        _ request: ImageRequest, _ key: ImageKey, _ label: String?, _ access: inout Access
    ) -> (Fetch, FetchResources) {
        if let stage = fetches.work(for: key, &access), let resources = stage.companion(FetchResources.self, &access) {
            return (stage, resources)
        }
        let (lease, times) = (MemoryLease(PhotoMemory(gate: gate), .body), StageTimes(.download))
        if let loader = configuration.loader(for: request.address) {
            let loader = key.policy == .onlyIfCached ? MemoryOnly() : loader
            return loadStage(loader, request.address.url, key, lease, times, label, &access)
        }
        return downloadStage(request, key, lease, times, label, &access)
    }

    private func downloadStage(
        _ request: ImageRequest, _ key: ImageKey, _ lease: MemoryLease, _ times: StageTimes, _ label: String?,
        _ access: inout Access
    ) -> (Fetch, FetchResources) {
        let memory = lease.memory
        var wanted = DownloadRequest(address: request.address)
        wanted.limits = configuration.transferLimits
        wanted.allowsLocalFiles = request.allowsLocalFiles
        wanted.addressGuard = request.addressGuard
        wanted.retry = .transfers(retries: configuration.transferRetries)
        wanted.longestRetryAfter = configuration.hostPatience
        wanted.headers = request.headers
        wanted.turn = request.turn
        wanted.earlierAttempts = request.earlierAttempts
        wanted.flow = memory
        if configuration.imageDiskCache != nil { wanted.exchange = .listening }
        let download = CachedDownloadOperation(
            wanted, sending: key.headers, client: client, cache: configuration.diskCache, policy: key.policy)
        download.name = StageOperation.name("Download", label)
        memory.onResume { [weak download] in download?.resumeTransfer() }
        let resources = FetchResources(source: download, lease: lease)
        let stage = fetches.add(key, keeping: resources, &access) { stage in
            // Until their operation has ended, stages keep themselves.
            download.whenStarted = { stage.tell(times.noting(.downloadStarted)) }
            if let logger = PhotoLogger(log, label: label, request.address) {
                download.whenRetrying = { logger.add(.retrying(after: $0, in: $1)) }
            }
            download.whenEnded = { [unowned download, weak lease] result in
                guard let lease else { return }
                if case .failure(.cancelled) = result {
                    // Those who want it are told, where somebody has cancelled the operation in its queue.
                    return stage.tell(StageEvent(.cancelled, of: times, nil, endsWay: true))
                }
                let attempts = (download.request.earlierAttempts ?? 0) + download.failedAttempts.count
                let isStorable = download.mayKeepAnswer && (try? result.get().mayBeStored) == true
                let body = result.map {
                    FetchedBody(bytes: $0.body, metrics: ImageMetrics($0), isStorable: isStorable, lease: lease)
                }
                Self.end(stage, with: body.mapError { PhotoError($0, attempts: attempts) }, times)
            }
            return [(download, pending.downloadQueue)]
        }
        return (stage, resources)
    }

    private func loadStage(
        _ loader: any ImageLoading, _ address: URL, _ key: ImageKey, _ lease: MemoryLease, _ times: StageTimes,
        _ label: String?, _ access: inout Access
    ) -> (Fetch, FetchResources) {
        let load = LoadOperation(loader, address, limits: configuration.transferLimits, memory: lease.memory)
        load.name = StageOperation.name("Load", label)
        let resources = FetchResources(source: load, lease: lease)
        let stage = fetches.add(key, keeping: resources, &access) { stage in
            load.tell(
                whenStarted: { stage.tell(times.noting(.downloadStarted)) },
                whenEnded: { [weak lease] result in
                    guard let lease else { return }
                    Self.end(stage, with: result.map { FetchedBody(bytes: $0, metrics: .loader, lease: lease) }, times)
                })
            return [(load, pending.loadQueue)]
        }
        return (stage, resources)
    }

    private static func end(_ stage: Fetch, with body: Result<FetchedBody, PhotoError>, _ times: StageTimes) {
        let hasFailed = if case .failure = body { true } else { false }
        stage.finish(with: body, telling: times.noting(.transferFinished), failed: hasFailed)
    }
}

extension PhotoPipeline.Configuration {
    /// The client's loader for an address; nil for one of the web and of files.
    fileprivate func loader(for address: ResourceAddress) -> (any ImageLoading)? {
        guard case .unusable(_, .scheme(let scheme)) = address else { return nil }
        return loaders[scheme]
    }
}
