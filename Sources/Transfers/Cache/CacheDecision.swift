/// What is to be done with a stored answer (RFC 9111, 4).
enum CacheDecision: Hashable, Sendable {
    /// It is used as it is.
    case use
    /// It is used, and the server is asked meanwhile, for the next time (RFC 5861, 3).
    case useAndRevalidate
    /// The server is asked whether it is still right.
    case validate
    /// The server is asked for the whole.
    case fetch
    /// It may not be used, and the server may not be asked.
    case fail

    /// - Parameters:
    ///   - record: What is stored; nil for nothing.
    ///   - policy: How the request uses the cache.
    ///   - now: Seconds since 1970.
    init(for record: CacheRecord?, _ policy: CachePolicy, now: Int) {
        guard let record else {
            self = policy == .onlyIfCached ? .fail : .fetch
            return
        }
        let control = CacheControl(record.fields)
        let staleness = record.staleness(at: now)
        if record.isFailure {
            let isUsable = staleness <= 0 && !control.noCache && (policy == .standard || policy == .onlyIfCached)
            self = isUsable ? .use : policy == .onlyIfCached ? .fail : .fetch
            return
        }
        let ask = record.validators.isEmpty ? CacheDecision.fetch : .validate
        switch policy {
        case .ignored, .reload: self = .fetch
        case .revalidated where control.isImmutable && staleness <= 0: self = .use
        case .revalidated: self = ask
        case .onlyIfCached: self = staleness <= 0 && !control.noCache || record.mayBeStale ? .use : .fail
        case .standard where control.noCache: self = ask
        case .standard where staleness <= 0: self = .use
        // What the answer allows says nothing about the redirects that led to it.
        case .standard
        where record.mayBeStale && record.isWayFresh(at: now) && staleness <= control.staleWhileRevalidate:
            self = .useAndRevalidate
        case .standard: self = ask
        }
    }
}

extension CacheRecord {
    /// Whether it may be used without the server although it is stale (4.2.4).
    var mayBeStale: Bool {
        let control = CacheControl(fields)
        return !control.mustRevalidate && !control.noCache && mustAskRedirects != true
    }

    /// Whether it may stand in for an answer that did not come.
    ///
    /// However stale it is, where the server cannot be reached (4.2.4, "disconnected"); for as long as the server allows
    /// where it answers with an error of its own (RFC 5861, 4).
    func mayStandIn(for error: TransferError, now: Int) -> Bool {
        guard mayBeStale, !isFailure else { return false }
        switch error {
        case .unreachable, .timeout, .truncated: return true
        case .hostResting(let last): return mayStandIn(for: last, now: now)
        case .http(let status), .retryLater(let status, _):
            guard [500, 502, 503, 504].contains(status) else { return false }
            return staleness(at: now) <= CacheControl(fields).staleIfError
        default: return false
        }
    }
}
