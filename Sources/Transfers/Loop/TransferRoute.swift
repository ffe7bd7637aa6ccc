/// Where a transfer is on its way: the address that is asked at present, and what the redirects that led there mean for whom it
/// may reach and what it may say there.
struct TransferRoute {
    /// The address of the current hop.
    private(set) var address: WebAddress
    /// How many redirects were followed, this one included.
    private(set) var redirects = 0
    /// The network address that the request went to, a proxy's if there is one between.
    private(set) var remoteAddress: IPAddress?
    /// The range that the guard refused, for the loop to see when libcurl reports the end of it.
    private(set) var refusal: AddressRange?

    private let origin: WebAddress.Origin
    private let addressGuard: AddressGuard
    private let maxRedirects: Int
    /// Whom it was meant for before any redirect.
    private(set) var target: AddressGuard.Target
    /// Whether a redirect has led to another origin than the first, which may have led back since: then that other one says what
    /// is asked for there.
    private(set) var hasLeftOrigin = false

    init(_ plan: TransferPlan) {
        address = plan.address
        origin = plan.address.origin
        addressGuard = plan.addressGuard
        maxRedirects = plan.limits.maxRedirects
        target = plan.target ?? AddressGuard.Target(host: plan.address.host)
    }

    /// Whether a connection to `peer` is one for this transfer.
    /// - Parameter isProxied: Whether there is a proxy for the address, which the person at this machine has chosen.
    mutating func mayReach(_ peer: IPAddress, isProxied: Bool) -> Bool {
        // A name can have many addresses. Those that may be reached are tried, and if none of them answers it is told
        // that there are others.
        let host = address.host
        if let range = addressGuard.refusal(of: peer, host: host, for: target),
            // A connection into a special range is taken for one to the proxy, or to a host that this person excepts from it.
            !(isProxied && range.reach == .special)
        {
            refusal = range
            return false
        }
        // What has gone on to the internet does not come back.
        if host == target.host || !AddressRange.isSpecial(peer) {
            target = AddressGuard.Target(host: host, address: peer)
        }
        remoteAddress = peer
        return true
    }

    /// One of the addresses was reached.
    mutating func forgetRefusal() { refusal = nil }

    /// Goes on to where a `Location` header says.
    mutating func follow(_ location: [UInt8], isProxied: Bool) throws(TransferError) {
        redirects += 1
        guard redirects <= maxRedirects else { throw .tooManyRedirects(limit: maxRedirects) }
        do throws(WebAddress.ParsingError) {
            address = try address.redirected(to: location)
        } catch {
            throw TransferError(error)
        }
        if address.origin != origin { hasLeftOrigin = true }
        if isProxied {
            // It was the proxy that answered. Whose name is public has its place on the internet.
            let next = AddressGuard.Target(host: address.host)
            target = next.isPrivate ? AddressGuard.Target(host: target.host) : next
        }
        try addressGuard.check(address, for: target, isProxied: isProxied)
    }

    /// The header lines of a request that the current address may see.
    /// - Parameters:
    ///   - headers: Those that may go along on redirects, as far as they say nothing about who asks.
    ///   - own: Those for the first origin alone.
    func permitted(_ headers: [String], own: [String]) -> [String] {
        if hasLeftOrigin { return headers.filter(RequestFields.mayCross) }
        return own.isEmpty ? headers : headers + own
    }
}
