public import struct FoundationEssentials.URL

/// Which places of the network a transfer may be led to.
///
/// An address that somebody else wrote down can lead to places that only this machine reaches: itself, the router, the
/// printer, the cloud's metadata. The guard is asked for each address that a connection is about to be opened to,
/// and again for each request that goes out over a connection, so neither redirects nor DNS answers that change nor
/// connections that others opened lead past it.
///
/// Link-local addresses and those at which clouds hand out credentials are refused by every guard.
public struct AddressGuard: Hashable, Sendable {
    private struct Sender: Hashable {
        var host: String
        var address: IPAddress
    }

    /// Whether loopback, private networks and other special ranges may be reached.
    public var opensSpecialRanges: Bool
    private var sender: Sender?

    /// For addresses that the person at this machine wrote or chose: all of the network, and through a proxy of the
    /// environment.
    public static let open = AddressGuard(opensSpecialRanges: true)
    /// For addresses of unknown origin: the internet and nothing else.
    public static let closed = AddressGuard(opensSpecialRanges: false)

    private init(opensSpecialRanges: Bool) {
        self.opensSpecialRanges = opensSpecialRanges
    }

    /// For addresses that came from a server: the internet, and that very server.
    ///
    /// It is the same server if its name is and the network's address, too: otherwise a server of the internet could
    /// let its name lead to a private address afterwards.
    /// - Parameters:
    ///   - url: Where they came from, after redirects.
    ///   - address: Which network address sent them (``DownloadResponse/remoteAddress``); nil for unknown, or
    ///     a proxy's.
    public init(sender url: URL, address: IPAddress?) {
        self.init(opensSpecialRanges: false)
        guard let address, let host = try? CurlAddress(url).origin.host else { return }
        sender = Sender(host: host, address: address)
    }

    /// Refuses what can be told from the address as it is written, for then nobody has to be asked for it.
    func check(_ address: CurlAddress) throws(TransferError) {
        guard let literal = address.literal, let range = refusal(of: literal, host: address.origin.host) else { return }
        throw .forbiddenAddress(range)
    }

    /// The range that forbids a connection; nil if it may be opened.
    /// - Parameters:
    ///   - address: Where it leads.
    ///   - host: The name that the request has for it, as libcurl writes it.
    func refusal(of address: IPAddress, host: String) -> AddressRange? {
        let ranges = ([address] + address.embedded).compactMap(AddressRange.narrowest)
        if let never = ranges.first(where: { $0.reach == .never }) { return never }
        guard !opensSpecialRanges, sender != Sender(host: host, address: address) else { return nil }
        return ranges.first { $0.reach == .special }
    }
}

extension TransferError {
    /// An address in a range that is refused.
    static func forbiddenAddress(_ range: AddressRange) -> TransferError {
        .forbiddenAddress(range.reach == .never ? .never(range) : .guarded(range))
    }
}
