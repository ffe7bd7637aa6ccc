public import OperationsCore

public import struct FoundationEssentials.Data
public import struct FoundationEssentials.URL

/// What to put where, and under which limits.
public struct UploadRequest: Sendable {
    /// Where the bytes come from.
    public enum Source: Sendable {
        /// Bytes in memory.
        case data(Data)
        /// A regular file's path. It is opened when the client begins to send it, anew for each attempt and each redirect, and
        /// closed while the upload waits. It is read as it is sent, on the client's event thread.
        case file(path: String)
    }

    /// An `http` or `https` address. `user:password@` in it is sent as Basic authentication to this very origin only.
    public var address: ResourceAddress
    /// What is sent.
    public var source: Source
    /// Sent as `Content-Type`; nil, the default, sends none.
    public var contentType: String?
    /// More request headers, for instance those that a presigned address was signed with; none by default.
    ///
    /// All of them go along on redirects within the same origin (scheme, name and port). To another one go only those that
    /// describe the body or are conditions: `Content-…`, `If-…`, `Accept`, `Accept-Language`, `Cache-Control`, `Expires` and
    /// `User-Agent`. The others may be what lets somebody in, under whatever name, and they do not come back where a
    /// redirect leads back. Those of ``TransferClient/Configuration/requestHeaders`` are sent beside them, to the first origin
    /// only.
    public var headers: [String: String]
    /// What one attempt may take. The total time is ten minutes by default; `maxBytes` does not matter, as an answer's
    /// body is not kept.
    public var limits: TransferLimits
    /// Which places of the network it may lead to. All but link-local ones by default.
    public var addressGuard: AddressGuard
    /// Whether and when it is tried again; once by default. `PUT` may be repeated without harm.
    public var retry: RetryPolicy
    /// The longest wait that a server's `Retry-After` can cause. 60 s by default; see
    /// ``DownloadRequest/longestRetryAfter``.
    public var longestRetryAfter = Duration.seconds(60)
    /// Called as bytes are handed to the connection, with how many were and how many there are, on the client's event
    /// thread: be brief. It begins again from the start after a redirect and with another attempt.
    public var onProgress: (@Sendable (_ sent: Int, _ total: Int) -> Void)?

    /// A request to put `source` to `url`. Each other parameter is the property of its name, and has that property's
    /// default.
    public init(
        url: URL, source: Source, contentType: String? = nil, headers: [String: String] = [:],
        limits: TransferLimits = TransferLimits(totalTimeout: .seconds(600)), addressGuard: AddressGuard = .open,
        retry: RetryPolicy = .once, onProgress: (@Sendable (_ sent: Int, _ total: Int) -> Void)? = nil
    ) {
        address = ResourceAddress(url)
        self.source = source
        self.contentType = contentType
        self.headers = headers
        self.limits = limits
        self.addressGuard = addressGuard
        self.retry = retry
        self.onProgress = onProgress
    }
    /// ``address`` as Foundation has it; a new one is read when it is set.
    public var url: URL {
        get { address.url }
        set { address = ResourceAddress(newValue) }
    }
}
