public import OperationsCore

public import struct FoundationEssentials.URL

/// What to download and under which limits.
public struct DownloadRequest: Sendable {
    /// Where it is; a `file` address is read only if that is allowed. User and password in a web address are sent as Basic
    /// authentication to this very origin only.
    public var address: ResourceAddress
    /// What one attempt may take.
    public var limits: TransferLimits
    /// Whether `file:` addresses are read. Off by default: a catalog from the network must not name local files.
    public var allowsLocalFiles: Bool
    /// Which places of the network it may lead to. All but link-local ones by default; what came from elsewhere needs a
    /// stricter one.
    public var addressGuard: AddressGuard
    /// Whether and when it is tried again; once by default. See ``Operations/RetryPolicy/transfers(retries:)``.
    public var retry: RetryPolicy
    /// The longest wait that a server's `Retry-After` can cause. 60 s by default. One that asks for more is not asked again:
    /// the transfer fails with ``TransferError/retryLater(status:after:)``, whatever ``retry`` says. After status 429 and 503
    /// so do the client's later transfers with that host (scheme, name and port), without asking it, until its time is over,
    /// or an hour.
    public var longestRetryAfter: Duration
    /// From how many bytes on a body is put on disk instead of in memory. 8,000,000 by default.
    ///
    /// The response's body is then a mapping of a file without a name: the system reads its pages when they are
    /// touched. A disk that is slow holds up this body, and others that go to disk.
    public var maxBytesInMemory = 8_000_000
    /// What is sent beside the client's own headers; in place of those of one name that
    /// ``TransferClient/Configuration/requestHeaders`` has for the origin. None by default.
    ///
    /// They go to the origin of ``address`` (scheme, name and port) only. Where a redirect leads to another one none of them
    /// goes along, and they do not come back where another redirect leads back.
    public var headers: RequestHeaders
    /// Who holds the transfer back while its bytes have no room; nil lets it run.
    public var flow: (any TransferFlow)?
    /// A place among the client's transfers that was kept for the first attempt.
    package var turn: TransferTurn?
    /// Whether whoever asks makes further attempts itself, so that what waits for one need be no operation: then how many have
    /// failed before, and ``DownloadOperation/nextAttempt`` says when the next one is due; nil where the operation makes them.
    package var earlierAttempts: Int?
    /// What a cache wants to say and hear; nil for nothing.
    package var exchange: CacheExchange?
    /// What caches on the way are told in `Cache-Control` (RFC 9111, 5.2.1); nil for nothing.
    package var cacheDirective: String?

    /// A request for an address that is read here. Each other parameter is the property of its name, and has that property's
    /// default.
    public init(
        url: URL, limits: TransferLimits = TransferLimits(), allowsLocalFiles: Bool = false,
        addressGuard: AddressGuard = .open, retry: RetryPolicy = .once, longestRetryAfter: Duration = .seconds(60),
        headers: RequestHeaders = RequestHeaders(), flow: (any TransferFlow)? = nil
    ) {
        self.init(
            address: ResourceAddress(url), limits: limits, allowsLocalFiles: allowsLocalFiles,
            addressGuard: addressGuard, retry: retry, longestRetryAfter: longestRetryAfter, headers: headers,
            flow: flow)
    }

    /// A request for an address that was read before. Each other parameter is the property of its name, and has that
    /// property's default.
    public init(
        address: ResourceAddress, limits: TransferLimits = TransferLimits(), allowsLocalFiles: Bool = false,
        addressGuard: AddressGuard = .open, retry: RetryPolicy = .once, longestRetryAfter: Duration = .seconds(60),
        headers: RequestHeaders = RequestHeaders(), flow: (any TransferFlow)? = nil
    ) {
        self.address = address
        self.limits = limits
        self.allowsLocalFiles = allowsLocalFiles
        self.addressGuard = addressGuard
        self.retry = retry
        self.longestRetryAfter = max(longestRetryAfter, .zero)
        self.headers = headers
        self.flow = flow
    }

    /// ``address`` as Foundation has it; a new one is read when it is set.
    public var url: URL {
        get { address.url }
        set { address = ResourceAddress(newValue) }
    }
}
