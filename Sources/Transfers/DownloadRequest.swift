public import struct FoundationEssentials.URL

/// What to download and under which limits.
public struct DownloadRequest: Sendable {
    /// An `http`, `https` or, if allowed, `file` address. `user:password@` in it is sent as Basic authentication to
    /// this very origin only.
    public var url: URL
    /// What one attempt may take.
    public var limits: TransferLimits
    /// Whether `file:` addresses are read. Off by default: a catalog from the network must not name local files.
    public var allowsLocalFiles: Bool
    /// Which places of the network it may lead to. All but link-local ones by default; what came from elsewhere needs a
    /// stricter one.
    public var addressGuard: AddressGuard
    /// Who holds the transfer back while its bytes have no room; nil lets it run.
    public var flow: (any TransferFlow)?
    /// What a cache wants to say and hear; nil for nothing.
    package var exchange: CacheExchange?

    /// A request for `url`.
    public init(
        url: URL, limits: TransferLimits = TransferLimits(), allowsLocalFiles: Bool = false,
        addressGuard: AddressGuard = .open, flow: (any TransferFlow)? = nil
    ) {
        self.url = url
        self.limits = limits
        self.allowsLocalFiles = allowsLocalFiles
        self.addressGuard = addressGuard
        self.flow = flow
    }
}
