import Operations
import Transfers

/// What came of a transfer, with its lease on memory.
struct FetchedBody: Sendable {
    private let result: Result<DownloadResponse, TransferError>
    /// How often it was tried in vain.
    private let attempts: Int
    private let lease: MemoryLease

    init(_ result: Result<DownloadResponse, TransferError>, attempts: Int, lease: MemoryLease) {
        self.result = result
        self.attempts = attempts
        self.lease = lease
    }

    /// The answer, if there is one.
    var response: DownloadResponse? { try? result.get() }

    /// Does something with the answer, which counts as memory in use meanwhile.
    func withResponse<Product>(
        _ body: (DownloadResponse) throws(PhotoError) -> Product
    ) throws(PhotoError) -> Product {
        defer { withExtendedLifetime(lease) {} }
        switch result {
        case .failure(let error): throw PhotoError(error, attempts: attempts)
        case .success(let response): return try body(response)
        }
    }
}

/// What belongs to a transfer that photos share.
struct FetchResources: Sendable {
    let download: CachedDownloadOperation
    let lease: MemoryLease
}

extension SharedStages {
    /// Finds the transfer of a photo, or makes it.
    func fetchStage(
        _ request: ImageRequest, _ key: FetchKey, _ label: String?, _ access: inout Access
    ) -> (Fetch, FetchResources) {
        if let stage = fetches.work(for: key, &access), let resources = stage.companion(FetchResources.self, &access) {
            return (stage, resources)
        }
        let memory = PhotoMemory(gate: gate)
        let lease = MemoryLease(memory, .body)
        var wanted = DownloadRequest(address: request.address)
        wanted.limits = configuration.transferLimits
        wanted.allowsLocalFiles = request.allowsLocalFiles
        wanted.addressGuard = request.addressGuard
        wanted.retry = .transfers(retries: configuration.transferRetries)
        wanted.longestRetryAfter = configuration.hostPatience
        wanted.headers = request.headers
        wanted.hasAllHeaders = true
        wanted.turn = request.turn
        wanted.flow = memory
        let download = CachedDownloadOperation(
            wanted, client: client, cache: configuration.diskCache, policy: key.policy)
        download.name = StageOperation.name("Download", label)
        memory.onResume { [weak download] in download?.resumeTransfer() }
        let resources = FetchResources(download: download, lease: lease)
        let stage = fetches.add(key, keeping: resources, &access) { stage in
            download.whenStarted = { [weak stage] in stage?.tell(StageEvent(.downloadStarted)) }
            download.whenEnded = { [weak stage, weak download, weak lease] result in
                guard let stage, let download, let lease else { return }
                let body = FetchedBody(result, attempts: download.failedAttempts.count, lease: lease)
                stage.finish(with: body, telling: StageEvent(.transferFinished))
            }
            return [(download, pending.downloadQueue)]
        }
        return (stage, resources)
    }
}
