import Foundation

@testable import Transfers

/// When the answers came; any time does.
private let noon = 1_700_000_000

/// What the cache makes of an answer's head, and of a record of its database.
///
/// The first byte is the status and when the answer is looked at again; the rest is a head as servers send it, then, after
/// an empty line, the head of the answer that confirms it.
@_cdecl("LLVMFuzzerTestOneInput")
public func judgeAnyAnswer(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let file = start.map { Data(bytes: $0, count: count) } ?? Data()
    if let record = CacheRecord(file) { judge(record) }
    guard let first = file.first else { return 0 }
    let heads = String(decoding: file.dropFirst(), as: UTF8.self)
        .split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false).map(fields)
    let status = [200, 203, 206, 304, 404, 503][Int(first & 7) % 6]
    let mayStore = StorageRule.mayStore(status: status, heads[0])
    precondition(!mayStore || !CacheControl(heads[0]).noStore && heads[0].cached.byteCount <= StorageRule.largestHead)
    _ = heads[0].first("content-range").flatMap(ContentRange.init)
    _ = StrongValidator(
        entityTag: heads[0].first("etag"), lastModified: heads[0].first("last-modified"), date: heads[0].first("date"))

    let record = CacheRecord(
        address: "http://a.b/c", fingerprint: AddressFingerprint.of("http://a.b/c"), status: status,
        fields: heads[0].cached, requestedAt: noon - Int(first >> 4), receivedAt: noon,
        redirectLifetime: first & 8 == 0 ? nil : 60,
        places: [CacheRecord.Place(host: "a.b", address: heads[0].first("server") ?? "192.0.2.1")], bodyCount: 1,
        bodyChecksum: 1)
    judge(record)
    // What is written is what is read again.
    precondition(record.bytes.flatMap(CacheRecord.init) == record)
    guard heads.count > 1 else { return 0 }
    var exchange = CacheExchange.Answer()
    exchange.fields = heads[1]
    exchange.redirects = [.init(status: status, fields: heads[1])]
    if let lifetime = exchange.redirectLifetime(receivedAt: noon) { precondition(lifetime >= 0) }
    judge(record.validated(by: exchange, userAgent: "x", requestedAt: noon, receivedAt: noon + 1))
    return 0
}

private func fields(_ head: Substring) -> HeaderFields {
    var fields = HeaderFields()
    for line in head.split(separator: "\n") {
        let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        fields.append(String(parts[0]), parts.count > 1 ? parts[1].trimmed : "")
    }
    return fields
}

private func judge(_ record: CacheRecord) {
    let control = CacheControl(record.fields)
    for seconds in [control.maxAge ?? 0, control.staleWhileRevalidate, control.staleIfError] {
        precondition((0...CacheControl.longest).contains(seconds))
    }
    precondition((0...CacheControl.longest).contains(record.freshness.lifetime) && record.freshness.initialAge >= 0)
    for line in record.validators.lines(for: record.address) { precondition(!line.contains { $0.isNewline }) }
    _ = record.mayBeSeen(through: .closed)
    for now in [noon - 1, noon, noon + 1, noon + 86_400, noon + 1 << 32] {
        for policy in [CachePolicy.standard, .revalidated, .reload, .onlyIfCached, .ignored] {
            let decision = CacheDecision(for: record, policy, now: now)
            // Nobody is shown what its server has forbidden to show without asking.
            let isStale = record.staleness(at: now) > 0
            precondition(decision != .use || !isStale || !control.mustRevalidate && policy == .onlyIfCached)
        }
        for error in [TransferError.truncated, .http(status: 503), .cancelled] {
            precondition(!record.mayStandIn(for: error, now: now) || record.mayBeStale)
        }
    }
}
