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

    /// Whom a transfer was meant for, before any redirect.
    struct Target: Hashable, Sendable {
        /// The host of the address that was asked for, as libcurl writes it.
        var host: String
        /// Which machine answers for that host; nil before that is known, and behind a proxy.
        var address: IPAddress?
    }

    /// Whether loopback, private networks and other special ranges may be reached.
    public var opensSpecialRanges: Bool
    /// Whether what the address itself names in special ranges may be reached.
    private(set) var opensNamed = false
    private var sender: Sender?

    /// For addresses that the person at this machine chose one by one: all of the network, and through a proxy of the
    /// environment.
    public static let open = AddressGuard(opensSpecialRanges: true)
    /// For addresses of a list that lies on this machine, whoever wrote it: the internet, and hosts in special ranges that
    /// the address itself names, by number or by a name that no public host has (such as `localhost`, `nas` or
    /// `nas.lan`). A public host that redirects there, or whose name leads there, is refused.
    ///
    /// Transfers go through a proxy of the environment, if there is one. Since a proxy looks names up by itself, only what stands in the
    /// address or in a redirect can be refused then.
    public static let named: AddressGuard = {
        var named = AddressGuard(opensSpecialRanges: false)
        named.opensNamed = true
        return named
    }()
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
    ///   - address: Which network address sent them (``DownloadResponse/remoteAddress``); nil for unknown, and where they came
    ///     through a proxy (``DownloadResponse/isProxied``).
    public init(sender url: URL, address: IPAddress?) {
        self.init(opensSpecialRanges: false)
        guard let address, let host = try? WebAddress(url.absoluteString).host else { return }
        sender = Sender(host: host, address: address)
    }

    /// Whether a proxy of the environment may be used: it looks names up itself, so that nobody could say where the
    /// addresses of others lead.
    var allowsEnvironmentProxy: Bool { opensSpecialRanges || opensNamed }

    /// Refuses what can be told from the address as it is written, for then nobody has to be asked for it.
    /// - Parameter isProxied: Whether a proxy looks the name up, so that this is all there is to go by.
    func check(_ address: WebAddress, for target: Target, isProxied: Bool = false) throws(TransferError) {
        let host = address.host
        if let literal = address.literal {
            if let range = refusal(of: literal, host: host, for: target) { throw .forbiddenAddress(range) }
        } else if !opensSpecialRanges, opensNamed ? !target.isPrivate : isProxied, PrivateName.isPrivate(host) {
            throw .forbiddenAddress(.privateName(host))
        }
    }

    /// What a transfer to an address fails with at once, because of where the address says that it leads; nil where it may be tried. A name
    /// that is looked up may still lead elsewhere.
    package func refusal(of address: WebAddress) -> TransferError? {
        do throws(TransferError) {
            try check(address, for: Target(host: address.host, address: address.literal))
            return nil
        } catch {
            return error
        }
    }

    /// The range that forbids a connection; nil if it may be opened.
    /// - Parameters:
    ///   - address: Where it leads.
    ///   - host: The name that the request has for it, as libcurl writes it.
    ///   - target: Whom the transfer was meant for.
    func refusal(of address: IPAddress, host: String, for target: Target) -> AddressRange? {
        let ranges = AddressRange.narrowest(of: address)
        if let never = ranges.first(where: { $0.reach == .never }) { return never }
        guard !opensSpecialRanges, let special = ranges.first(where: { $0.reach == .special }),
            sender != Sender(host: host, address: address)
        else { return nil }
        // The machine that was named may be called by another name in a redirect.
        if opensNamed, target.isPrivate, host == target.host || address == target.address { return nil }
        return special
    }
}

extension AddressGuard.Target {
    /// Whether it is one that only this machine, or this network, knows: a number in a special range, or a private name.
    var isPrivate: Bool {
        guard let literal = HostName.literal(host) else { return PrivateName.isPrivate(host) }
        return AddressRange.isSpecial(literal)
    }
}

extension TransferError {
    /// An address in a range that is refused.
    static func forbiddenAddress(_ range: AddressRange) -> TransferError {
        .forbiddenAddress(range.reach == .never ? .never(range) : .guarded(range))
    }
}
