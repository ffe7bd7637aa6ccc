import OperationsCore

import struct FoundationEssentials.URL

/// Downloads one address, once or in several attempts.
///
/// A later attempt asks only for what is missing where that is safe: the body is not compressed, and its validator is
/// strong (RFC 9110). With ``TransferClient/Configuration/partialDownloads`` this works across operations and launches,
/// too. A `Retry-After` that a server sends is honoured; see ``Operations/RetryPolicy/transfers(retries:)``.
public final class DownloadOperation: TransferOperation<DownloadResponse>, @unchecked Sendable {
    /// What is downloaded, as it was given. Another operation that is made of it is sent with what
    /// ``TransferClient/Configuration/requestHeaders`` says by then.
    public let request: DownloadRequest
    /// What it is sent with: the request's own headers, and what the client has for its origin.
    private let headers: RequestHeaders
    /// Called when an attempt begins to wait for its turn, and when it has it, after each redirect too, on the client's event
    /// thread; for a local file when its reading begins.
    private let whenEntering: (@Sendable (TransferPhase) -> Void)?
    /// Called when an attempt has failed and another one begins after a wait, on one of the client's threads.
    private let whenRetrying: (@Sendable (TransferError, Duration) -> Void)?

    /// A download that begins when the operation is started.
    public convenience init(_ request: DownloadRequest, client: TransferClient) {
        self.init(
            request, sending: client.headers(for: request.address, adding: request.headers), client: client,
            whenEntering: nil)
    }

    /// - Parameter headers: All that it is sent with; the client is not asked for more.
    init(
        _ request: DownloadRequest, sending headers: RequestHeaders, client: TransferClient,
        whenEntering: (@Sendable (TransferPhase) -> Void)? = nil,
        whenRetrying: (@Sendable (TransferError, Duration) -> Void)? = nil
    ) {
        self.request = request
        self.headers = headers
        self.whenEntering = whenEntering
        self.whenRetrying = whenRetrying
        super.init(
            client: client, retry: request.retry, longestRetryAfter: request.longestRetryAfter,
            earlierAttempts: request.earlierAttempts ?? 0)
        // It leaves files and the network to other threads.
        beginsAtOnce()
    }

    /// Shows the body to an observer while it comes over the network, in all attempts. Callable from any thread and at any
    /// time; an observer that has been shown it before sees it again from its beginning.
    package func observe(_ observer: any BodyObserver) { show(to: observer) }

    override func response(from answer: DownloadResponse, entityTag: String?) -> DownloadResponse? { answer }

    override func willRetry(_ error: TransferError, after delay: Duration) {
        request.flow?.willTryAgain()
        whenRetrying?(error, delay)
    }

    override func leavesRetries(_ partial: PartialBody?) -> Bool {
        guard request.earlierAttempts != nil else { return false }
        // What is kept is found again, and what is little is fetched again.
        guard let partial, partial.body.count >= PartialDownloads.smallest else { return true }
        return client.storage.partials != nil && !partial.isSecret
    }

    override func dropReceived() { request.flow?.didDropBody() }

    override func prepareToFinish(
        _ result: Result<DownloadResponse, TransferError>, then finish: @escaping @Sendable () -> Void
    ) {
        request.turn?.giveBack()
        finish()
    }

    override func makeWork(after delay: Duration) throws(TransferError) -> Work {
        switch request.address {
        case .web(let address):
            try request.addressGuard.check(
                address, for: AddressGuard.Target(host: address.host), isProxied: client.isProxied)
            guard let loop = client.loop else { throw .noRoom }
            var plan = TransferPlan(
                address: address, limits: request.limits, addressGuard: request.addressGuard,
                longestRetryAfter: request.longestRetryAfter, flow: request.flow,
                maxBytesInMemory: max(request.maxBytesInMemory, 0),
                headers: request.cacheDirective.map { ["Cache-Control: \($0)"] } ?? [],
                partial: takePartial(), exchange: request.exchange
            ) { [self] in ended($0) }
            plan.ownHeaders = headers.lines()
            plan.level = Int(queuePriority.level)
            plan.delay = delay
            plan.turn = request.turn
            plan.enter = { [self] in enter($0) }
            return .transfer(Transfer(plan, storage: client.storage, at: .now), loop)
        case .file(let url):
            guard request.allowsLocalFiles else { throw .forbiddenAddress(.scheme) }
            let path = url.path(percentEncoded: false)
            let host = url.host(percentEncoded: false) ?? ""
            guard host.isEmpty || host == "localhost", path.hasPrefix("/"), !path.utf8.contains(0) else {
                throw .invalidAddress
            }
            enter(.transferring)
            return .reading(FileReading(operation: self, path: path), client.files)
        case .unusable(_, let error):
            throw TransferError(error)
        }
    }

    private func enter(_ phase: TransferPhase) {
        enterPhase(phase.name)
        whenEntering?(phase)
    }
}
