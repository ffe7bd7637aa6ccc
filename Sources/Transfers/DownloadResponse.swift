public import struct FoundationEssentials.Data
public import struct FoundationEssentials.URL

/// What a successful download brought.
public struct DownloadResponse: Sendable {
    /// The body, decompressed. It can be empty: whether that is a fault is the caller's to say.
    public var body: Data
    /// The address that answered, after all redirects, without user and password.
    public var address: ResourceAddress
    /// The HTTP status, 200...299; 200 for a local file.
    public var statusCode: Int
    /// The `Content-Type` as sent, if any.
    public var contentType: String?
    /// The network address that answered, a proxy's if there is one between (``isProxied``); nil for a local file.
    public var remoteAddress: IPAddress?
    /// Whether ``remoteAddress`` is the address of a proxy.
    public var isProxied = false
    /// What it took: the transfer, or for an answer from a cache that nobody was asked about, reading it from disk.
    public var metrics: TransferMetrics
    /// Where the body comes from.
    public var source = Source.network
    /// What a cache heard, if it listened.
    package var exchange: CacheExchange.Answer?
    /// Whether the server forbids to store what it confirmed, where a cache had it.
    var isForbidden = false

    /// Whether what was made of it may be stored, for whom it was sent to: local files may, and answers that are from a cache, or
    /// that one might store. Nothing is known of an answer to which nobody listened.
    package var mayBeStored: Bool {
        if case .file = address { return true }
        guard source == .network else { return !isForbidden }
        guard let exchange, !exchange.isPrivate else { return false }
        return StorageRule.mayStore(status: statusCode, exchange.fields)
    }

    /// ``address`` as Foundation has it.
    public var url: URL { address.url }

    /// Where a body comes from.
    public enum Source: Hashable, Sendable {
        /// The network, or a local file.
        case network
        /// A cache, as it is fresh.
        case cache
        /// A cache, after the server confirmed it.
        case validated
        /// A cache, although it is stale: the server was not asked yet, or could not be.
        case stale
    }
}
