import struct FoundationEssentials.Data
import class FoundationEssentials.JSONDecoder
import class FoundationEssentials.JSONEncoder

/// What is kept of an answer beside its body.
struct CacheRecord: Hashable, Sendable, Codable {
    /// A server that took part in the answer: its name in the address, and its network address.
    struct Place: Hashable, Sendable, Codable {
        let host: String
        let address: String
    }

    /// The address that answered, after redirects, without a query that lets somebody in.
    var address: String
    /// What that address is known again by, with its query.
    var fingerprint: String
    var status: Int
    /// The fields that a cache goes by.
    var fields: HeaderFields
    var requestedAt: Int
    var receivedAt: Int
    /// For how many seconds the redirects that led there hold; nil where there were none.
    var redirectLifetime: Int?
    /// Whether those are asked about before each use; nil in records of earlier versions.
    var mustAskRedirects: Bool?
    var places: [Place]
    /// As whom we asked, where the answer depends on it.
    var userAgent: String?
    var bodyCount: Int
    var bodyChecksum: UInt64

    var freshness: Freshness { Freshness(fields, requestedAt: requestedAt, receivedAt: receivedAt) }

    /// For how many seconds the answer has been stale, or the way to it; none or less while both are fresh.
    func staleness(at now: Int) -> Int {
        var staleness = freshness.staleness(at: now)
        if isFailure { staleness = max(staleness, freshness.staleness(at: now, lifetime: Freshness.longestFailure)) }
        guard let redirectLifetime else { return staleness }
        return max(staleness, now >= receivedAt ? now - receivedAt - redirectLifetime + 1 : .max)
    }

    /// Whether the redirects that led there still hold.
    func isWayFresh(at now: Int) -> Bool {
        guard let redirectLifetime else { return true }
        return now >= receivedAt && now - receivedAt < redirectLifetime
    }

    /// Whether it is no success, and so has no body.
    var isFailure: Bool { status >= 300 }

    /// What the server is asked by whether the body is still right.
    var validators: Validators {
        Validators(
            fingerprint: fingerprint, entityTag: Validators.usable("etag", of: fields),
            lastModified: Validators.usable("last-modified", of: fields))
    }

    /// Whether it is one for whoever names himself so. It is for nobody where its confirmation has said that it was for one request
    /// only (`Vary: *`, RFC 9111, 4.1).
    func isMeant(for userAgent: String) -> Bool {
        (self.userAgent == nil || self.userAgent == userAgent) && StorageRule.isForAllRequests(fields)
    }

    /// Whether a request with this guard might have fetched it itself.
    func mayBeSeen(through addressGuard: AddressGuard) -> Bool {
        guard let first = places.first else { return true }
        let target = AddressGuard.Target(host: first.host, address: IPAddress(first.address))
        return places.allSatisfy { place in
            guard let address = IPAddress(place.address) else { return false }
            return addressGuard.refusal(of: address, host: place.host, for: target) == nil
        }
    }

    /// The record after an answer with status 304 (4.3.4).
    func validated(by exchange: CacheExchange.Answer, userAgent: String, requestedAt: Int, receivedAt: Int)
        -> CacheRecord
    {
        var record = self
        record.fields = fields.updated(by: exchange.fields)
        record.requestedAt = requestedAt
        record.receivedAt = receivedAt
        record.redirectLifetime = exchange.redirectLifetime(receivedAt: receivedAt)
        record.mustAskRedirects = exchange.mustAskRedirects
        record.places = exchange.places
        let isForUserAgent = exchange.dependsOnUserAgent || StorageRule.dependsOnUserAgent(record.fields)
        record.userAgent = isForUserAgent ? userAgent : nil
        return record
    }
}

extension CacheRecord: StoredRecord {
    package static var kind: String { "responses" }

    /// Reads what ``bytes`` wrote; nil for anything else.
    package init?(_ bytes: Data) {
        guard let record = try? JSONDecoder().decode(CacheRecord.self, from: bytes), record.isPossible else {
            return nil
        }
        self = record
    }

    /// Whether all numbers are such as can be reckoned with, whoever wrote them.
    private var isPossible: Bool {
        let times = 0...(1 << 40)
        return times.contains(requestedAt) && times.contains(receivedAt) && times.contains(redirectLifetime ?? 0)
            && bodyCount >= 0
    }

    package var bytes: Data? {
        try? JSONEncoder().encode(self)
    }

    /// What is to be kept of an answer.
    init(
        status: Int, _ body: Data, _ exchange: CacheExchange.Answer, userAgent: String, requestedAt: Int,
        receivedAt: Int
    ) {
        self.init(
            address: SecretParameters.removed(from: exchange.address),
            fingerprint: AddressFingerprint.of(exchange.address), status: status, fields: exchange.fields.cached,
            requestedAt: requestedAt, receivedAt: receivedAt,
            redirectLifetime: exchange.redirectLifetime(receivedAt: receivedAt),
            mustAskRedirects: exchange.mustAskRedirects, places: exchange.places,
            userAgent: exchange.dependsOnUserAgent ? userAgent : nil,
            bodyCount: body.count, bodyChecksum: Checksum.of(body))
    }
}
