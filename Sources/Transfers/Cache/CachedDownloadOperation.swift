public import OperationsCore

import struct FoundationEssentials.Data

/// Gets an answer from a disk cache if that has it, and from the network otherwise; what came from the network is stored.
///
/// It behaves like the ``DownloadOperation`` that it makes when one is needed, and like that one alone without a cache, for
/// local files and for requests with user and password, in the address or in `Authorization`. With
/// ``CachePolicy/onlyIfCached`` it fails where that one would go over the network. A cancelled operation neither reads the disk
/// nor stores anything. It finishes from a thread of the client or of the engine.
///
/// The state is behind a lock, which makes `@unchecked Sendable` true.
public final class CachedDownloadOperation: AsyncOperation, TurnTaker, @unchecked Sendable {
    /// What is wanted, as it was given. Another operation that is made of it is sent with what
    /// ``TransferClient/Configuration/requestHeaders`` says by then.
    public let request: DownloadRequest

    /// What it is sent with: the request's own headers, and what the client has for its origin.
    private let headers: RequestHeaders
    private let client: TransferClient
    private let cache: DiskCache?
    private let policy: CachePolicy
    private let state = Lock(State())

    private struct State {
        var step = Step.idle
        var isCancelled = false
        var result: Result<DownloadResponse, TransferError>?
        var isTaken = false
        var receivedByteCount = 0
        var failedAttempts: [TransferError] = []
        var nextAttempt: DueAttempt?
        var metrics: TransferMetrics?
        var observers: [any BodyObserver] = []
        var handlers = Handlers()
        /// Its place among those that read from disk.
        var diskTurn: TransferTurn?
    }

    private struct Handlers {
        var whenStarted: (@Sendable () -> Void)?
        var whenRetrying: (@Sendable (TransferError, Duration) -> Void)?
        var whenEnded: (@Sendable (Result<DownloadResponse, TransferError>) -> Void)?
    }

    private enum Step {
        case idle
        /// It waits until it may read from disk.
        case turn(TurnRequest)
        case disk(Operation)
        /// There is no room for the body yet; calling it asks again.
        case room(@Sendable () -> Void)
        case network(DownloadOperation)
    }

    /// A stored answer, and under which name.
    private struct Stored: Sendable {
        let key: String
        let record: CacheRecord
    }

    /// Called once, when the answer begins to be fetched: when a transfer has its turn, on the client's event thread, or when a
    /// stored or local file begins to be read. Only before the operation is in a queue.
    package var whenStarted: (@Sendable () -> Void)? {
        get { state.withLock { $0.handlers.whenStarted } }
        set { state.withLock { $0.handlers.whenStarted = newValue } }
    }

    /// Called when an attempt has failed and another one begins after a wait, on one of the client's threads. Only before the operation
    /// is in a queue.
    package var whenRetrying: (@Sendable (TransferError, Duration) -> Void)? {
        get { state.withLock { $0.handlers.whenRetrying } }
        set { state.withLock { $0.handlers.whenRetrying = newValue } }
    }

    /// Called with what came of it before the operation finishes, in place of keeping that; not called if it never began.
    /// Only before it is in a queue.
    package var whenEnded: (@Sendable (Result<DownloadResponse, TransferError>) -> Void)? {
        get { state.withLock { $0.handlers.whenEnded } }
        set { state.withLock { $0.handlers.whenEnded = newValue } }
    }

    /// Prepares it; nothing happens before the start.
    /// - Parameters:
    ///   - request: What is wanted.
    ///   - client: Carries the transfer out.
    ///   - cache: Where answers are kept; nil for nowhere.
    ///   - policy: How the cache is used. Default: by HTTP's rules.
    public convenience init(
        _ request: DownloadRequest, client: TransferClient, cache: DiskCache?, policy: CachePolicy = .standard
    ) {
        let headers = client.headers(for: request.address, adding: request.headers)
        self.init(request, sending: headers, client: client, cache: cache, policy: policy)
    }

    /// - Parameter headers: All that it is sent with; the client is not asked for more.
    package init(
        _ request: DownloadRequest, sending headers: RequestHeaders, client: TransferClient, cache: DiskCache?,
        policy: CachePolicy
    ) {
        self.request = request
        self.headers = headers
        self.client = client
        self.cache = cache
        self.policy = policy
        super.init()
        // What takes long is done on other threads.
        beginsAtOnce()
    }

    /// What came of it: nil until the operation has finished, `.failure(.cancelled)` after a cancel, and nil again when it
    /// was taken.
    public var result: Result<DownloadResponse, TransferError>? {
        if let result = state.withLock({ $0.result }) { return result }
        return isFinished && !state.withLock({ $0.isTaken }) ? .failure(.cancelled) : nil
    }

    /// The bytes of the body that came over the network: none for an answer from the cache.
    public var receivedByteCount: Int { state.withLock { $0.receivedByteCount } }

    /// How the attempts to get it over the network failed, in order.
    public var failedAttempts: [TransferError] { state.withLock { $0.failedAttempts } }

    /// After a failure, in how long another attempt is due that is left to whoever has asked; nil where there is none.
    package var nextAttempt: DueAttempt? { state.withLock { $0.nextAttempt } }

    /// What the last attempt to get it over the network took, also where it failed, or what reading it from the cache took; nil
    /// before either has ended.
    public var metrics: TransferMetrics? { state.withLock { $0.metrics } }

    /// Takes the result out of the operation, so that the body's memory is the taker's alone.
    ///
    /// - Returns: nil until the operation has finished, and after the first taking.
    public func takeResult() -> Result<DownloadResponse, TransferError>? {
        guard let result else { return nil }
        state.withLock { state in
            state.result = nil
            state.isTaken = true
        }
        return result
    }

    /// Lets a transfer, or the reading of a body, that its ``TransferFlow`` held back ask for room again.
    public func resumeTransfer() {
        switch state.withLock({ $0.step }) {
        case .network(let download): download.resumeTransfer()
        case .room(let askAgain): askAgain()
        case .idle, .turn, .disk: break
        }
    }

    /// Shows the body to an observer while it comes over the network; what comes from the disk is not shown.
    package func observe(_ observer: any BodyObserver) {
        let step = state.withLock { state in
            if !state.observers.contains(where: { $0 === observer }) { state.observers.append(observer) }
            return state.step
        }
        if case .network(let download) = step { download.observe(observer) }
    }

    /// How urgent it is, in its queue and for its client.
    public override var queuePriority: QueuePriority {
        get { super.queuePriority }
        set {
            super.queuePriority = newValue
            switch state.withLock({ $0.step }) {
            case .network(let download): download.queuePriority = newValue
            case .turn(let request): client.loop?.prioritise(request, level: Int(newValue.level))
            case .idle, .disk, .room: break
            }
        }
    }

    private func started() {
        state.withLock { $0.handlers.whenStarted.take() }?()
    }

    public override func execute() {
        // Who has a turn of its own need not wait for another.
        guard request.turn == nil, readsDisk, client.loop != nil else { return lookForAnswer() }
        enterPhase(TransferPhase.waiting.name)
        let request = TurnRequest(taker: self, key: 0, isOneOfMany: false)
        state.withLock { $0.step = .turn(request) }
        if client.requestTurn(.localFiles, request, level: Int(queuePriority.level), patience: .zero) == nil {
            lookForAnswer()
        }
    }

    package func take(_ turn: TransferTurn?, for key: Int) {
        let isMeant = state.withLock { state in
            // It was cancelled; the turn is given back with the last reference to it.
            guard case .turn = state.step, !state.isCancelled else { return false }
            state.step = .idle
            state.diskTurn = turn
            return true
        }
        if isMeant { lookForAnswer() }
    }

    /// Whether the answer, or whether there is one, is on disk.
    private var readsDisk: Bool {
        if case .file = request.address { return true }
        return cacheKey != nil && cache != nil && policy != .ignored && policy != .reload
    }

    private func lookForAnswer() {
        guard let cache, let key = cacheKey else {
            // What is kept nowhere is not in the cache.
            if policy == .onlyIfCached, case .web = request.address { return failUncached() }
            return download()
        }
        switch policy {
        case .ignored: download()
        case .reload: download(storing: key)
        case .standard, .revalidated, .onlyIfCached:
            begin { [self] in
                cache.answers.lookUp(key) { [self] record in
                    let visible = record.flatMap {
                        $0.mayBeSeen(through: request.addressGuard) && $0.isMeant(for: client.userAgent) ? $0 : nil
                    }
                    proceed(visible.map { Stored(key: key, record: $0) }, key, cache)
                }
            }
        }
    }

    public override func cancelExecution() {
        let step = state.withLock { state in
            state.isCancelled = true
            return state.step
        }
        switch step {
        case .network(let download): download.cancel()
        case .disk(let operation):
            operation.cancel()
            complete(.failure(.cancelled))
        case .turn(let request):
            // It would keep the operation, and the client with it, until it is its turn.
            client.loop?.withdraw(request)
            complete(.failure(.cancelled))
        case .room, .idle: complete(.failure(.cancelled))
        }
    }

    /// Whether nothing about the request forbids that what comes of it is kept on disk; see also ``DownloadResponse/mayBeStored``.
    package var mayKeepAnswer: Bool {
        if case .file = request.address { return true }
        return cacheKey != nil
    }

    /// Under which name the answer is kept; nil if it may not be kept.
    private var cacheKey: String? {
        guard case .web(let address) = request.address, !address.hasCredentials, !headers.hasPassword else {
            return nil
        }
        return CacheKey.text(address, request.addressGuard, headers)
    }

    // MARK: Steps

    /// Takes a step on the disk, unless it was cancelled meanwhile.
    private func begin(_ step: () -> Operation) {
        // The operation may be done before it is noted; what it began then stands.
        guard !state.withLock({ $0.isCancelled }) else { return complete(.failure(.cancelled)) }
        state.withLock { $0.step = .idle }
        let operation = step()
        let isCancelled = state.withLock { state in
            if case .idle = state.step { state.step = .disk(operation) }
            return state.isCancelled
        }
        if isCancelled { cancelExecution() }
    }

    private func proceed(_ stored: Stored?, _ key: String, _ cache: DiskCache) {
        switch CacheDecision(for: stored?.record, policy, now: cache.clock.now) {
        case .fail: failUncached()
        case .fetch: download(storing: key, or: stored)
        case .validate: download(storing: key, or: stored, validators: stored?.record.validators)
        case .use where stored?.record.isFailure == true:
            complete(.failure(.http(status: stored?.record.status ?? 0)))
        case .use: if let stored { deliver(stored, .cache, cache) { [self] in download(storing: key) } }
        case .useAndRevalidate:
            guard let stored else { return }
            Revalidation.begin(stored.record, for: key, request, sending: headers, client, cache)
            deliver(stored, .stale, cache) { [self] in download(storing: key) }
        }
    }

    /// Reads the body of a stored answer, when there is room for it.
    private func deliver(
        _ stored: Stored, _ source: DownloadResponse.Source, _ cache: DiskCache,
        otherwise: @escaping @Sendable () -> Void
    ) {
        if let directive = client.respectedDirective(in: stored.record.fields) {
            return complete(.failure(.disallowed(by: .tag(directive))))
        }
        // What was stored under a higher limit is no shorter than what comes over the network.
        guard stored.record.bodyCount <= request.limits.maxBytes else {
            return complete(.failure(.tooLarge(limit: request.limits.maxBytes)))
        }
        started()
        let askAgain: @Sendable () -> Void = { [weak self] in
            self?.deliver(stored, source, cache, otherwise: otherwise)
        }
        // Noted before it asks, as the answer to an earlier question may come at once.
        state.withLock { $0.step = .room(askAgain) }
        guard request.flow?.mayReceive(upTo: stored.record.bodyCount) ?? true else {
            if state.withLock({ $0.isCancelled }) { complete(.failure(.cancelled)) }
            return
        }
        let began = SteadyTime.now
        enterPhase("reading")
        begin { [self] in
            cache.answers.readBody(of: stored.record, for: stored.key) { [self] body in
                guard let body else {
                    return policy == .onlyIfCached ? failUncached("it is not in the cache any more") : otherwise()
                }
                var response = DownloadResponse(stored.record, body, source, for: request)
                state.withLock { state in
                    // What asking the server took counts, and not what was asked for in vain.
                    if source == .cache || state.metrics == nil {
                        let time = began.duration(to: .now)
                        state.metrics = TransferMetrics(timeToFirstByte: time, total: time, bytesReceived: 0)
                    }
                    if let metrics = state.metrics { response.metrics = metrics }
                }
                complete(.success(response))
            }
        }
    }

    private func failUncached(_ reason: String = "it is not in the cache") {
        complete(.failure(.unreachable("\(reason), and the network is not to be used")))
    }

    private func download(storing key: String? = nil, or stored: Stored? = nil, validators: Validators? = nil) {
        if case .web = request.address { state.withLock { $0.diskTurn.take() }?.giveBack() }
        var request = request
        // As browsers say it (Fetch, HTTP-network-or-cache fetch).
        if policy == .revalidated { request.cacheDirective = "max-age=0" }
        if policy == .reload { request.cacheDirective = "no-cache" }
        if key != nil { request.exchange = CacheExchange(validators: validators) }
        let requestedAt = RequestTime(cache?.clock)
        let download = DownloadOperation(
            request, sending: headers, client: client,
            whenEntering: { [weak self] phase in
                requestedAt.note(phase)
                self?.enterPhase(phase.name)
                if phase == .transferring { self?.started() }
            }, whenRetrying: whenRetrying)
        let observers = state.withLock { state -> [any BodyObserver]? in
            guard !state.isCancelled else { return nil }
            state.step = .network(download)
            return state.observers
        }
        guard let observers else { return complete(.failure(.cancelled)) }
        observers.forEach(download.observe)
        download.queuePriority = queuePriority
        download.completionBlock = { [self] in
            state.withLock { state in
                state.receivedByteCount += download.receivedByteCount
                state.failedAttempts += download.failedAttempts
                state.metrics = download.metrics
                state.nextAttempt = download.nextAttempt
            }
            let result = download.takeResult() ?? .failure(.cancelled)
            // A failure that is not the last word stands for nothing.
            guard let cache, let key, download.nextAttempt == nil else { return complete(result) }
            arrived(result, download.heardOfFailure, key, stored, requestedAt: requestedAt.seconds, cache)
        }
        download.start()
    }

    private func arrived(
        _ result: Result<DownloadResponse, TransferError>, _ heardOfFailure: CacheExchange.Answer?, _ key: String,
        _ stored: Stored?, requestedAt: Int, _ cache: DiskCache
    ) {
        switch result {
        case .success(let response) where response.statusCode == 304:
            let record = stored.flatMap {
                cache.validate($0.record, response, key, userAgent: client.userAgent, requestedAt: requestedAt)
            }
            guard let record else { return download(storing: key) }
            deliver(Stored(key: key, record: record), .validated, cache) { [self] in download(storing: key) }
        case .success(let response):
            cache.take(response, key, userAgent: client.userAgent, requestedAt: requestedAt) { [self] in
                complete(.success(response))
            }
        case .failure(let error):
            if let stored, stored.record.mayStandIn(for: error, now: cache.clock.now) {
                return deliver(stored, .stale, cache) { [self] in complete(result) }
            }
            guard case .http(let status) = error else { return complete(result) }
            cache.take(
                failure: status, heardOfFailure, key, userAgent: client.userAgent, requestedAt: requestedAt
            ) { [self] in complete(result) }
        }
    }

    private func complete(_ result: Result<DownloadResponse, TransferError>) {
        let handlers = state.withLock { state -> Handlers? in
            guard state.result == nil, !state.isTaken else { return nil }
            if state.handlers.whenEnded == nil { state.result = result } else { state.isTaken = true }
            state.step = .idle
            state.observers = []
            // What only they hold is let go, outside the lock.
            defer { state.handlers = Handlers() }
            return state.handlers
        }
        guard let handlers else { return }
        request.turn?.giveBack()
        state.withLock { $0.diskTurn.take() }?.giveBack()
        if case .success = result { request.flow?.didReceiveAll() }
        handlers.whenEnded?(result)
        switch result {
        case .success, .failure(.cancelled): finish()
        case .failure(let error): finish(error)
        }
    }
}

extension DownloadResponse {
    fileprivate init(_ record: CacheRecord, _ body: Data, _ source: Source, for request: DownloadRequest) {
        // Who asks for it knows a signed address; what such a one redirected to is not kept.
        let isItself = AddressFingerprint.of(request.address.text) == record.fingerprint
        let other = isItself ? nil : try? WebAddress(record.address)
        self.init(
            body: body, address: other.map { .web($0) } ?? request.address,
            statusCode: record.status,
            contentType: record.fields.first("content-type"),
            metrics: TransferMetrics(timeToFirstByte: .zero, total: .zero, bytesReceived: 0))
        self.source = source
        isForbidden = CacheControl(record.fields).noStore
    }
}
