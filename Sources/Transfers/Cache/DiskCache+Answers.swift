import OperationsCore

import struct FoundationEssentials.Data

extension DiskCache {
    /// Stores an answer, if it may be; `then` is called when the caller may go on.
    func take(
        _ response: DownloadResponse, _ key: String, userAgent: String, requestedAt: Int,
        then: @escaping @Sendable () -> Void
    ) {
        guard let exchange = response.exchange, !exchange.isPrivate,
            StorageRule.mayStore(status: response.statusCode, exchange.fields)
        else {
            // What was stored before is not what the server says now.
            answers.remove(key)
            return then()
        }
        let record = CacheRecord(
            status: response.statusCode, response.body, exchange, userAgent: userAgent, requestedAt: requestedAt,
            receivedAt: clock.now)
        answers.store(record, response.body, for: key, whenTaken: then)
    }

    /// Stores that an answer is a failure, if it may be and is fresh for a while; `then` is called when the caller may go
    /// on. What was stored before stays otherwise: it may be used where the server allows that after failures.
    func take(
        failure status: Int, _ exchange: CacheExchange.Answer?, _ key: String, userAgent: String, requestedAt: Int,
        then: @escaping @Sendable () -> Void
    ) {
        guard let exchange, !exchange.isPrivate, StorageRule.mayStore(status: status, exchange.fields) else {
            return then()
        }
        let record = CacheRecord(
            status: status, Data(), exchange, userAgent: userAgent, requestedAt: requestedAt, receivedAt: clock.now)
        guard record.staleness(at: clock.now) <= 0, !CacheControl(record.fields).noCache else { return then() }
        answers.store(record, Data(), for: key, whenTaken: then)
    }

    /// Forgets the answers for an address, whoever may see them, after something was sent there that changes it (RFC 9111,
    /// 4.4); `then` is called when that is done.
    func invalidate(_ addresses: [WebAddress], then: @escaping @Sendable () -> Void) {
        answers.remove(addresses.flatMap(CacheKey.all), withVariants: true, then: then)
    }

    /// The stored answer after the server confirmed it; nil if what it confirmed is something else.
    func validate(
        _ record: CacheRecord, _ response: DownloadResponse, _ key: String, userAgent: String, requestedAt: Int
    ) -> CacheRecord? {
        guard let exchange = response.exchange, record.validators.matches(exchange.fields) else { return nil }
        let validated = record.validated(
            by: exchange, userAgent: userAgent, requestedAt: requestedAt, receivedAt: clock.now)
        if CacheControl(validated.fields).noStore { answers.remove(key) } else { answers.update(validated, for: key) }
        return validated
    }
}

/// Asks a server about an answer that was used before it was confirmed (RFC 5861, 3).
enum Revalidation {
    /// Begins it, unless one is under way or enough others are; nobody waits for it, so that it comes behind all that somebody
    /// waits for.
    static func begin(
        _ record: CacheRecord, for key: String, _ request: DownloadRequest, sending headers: RequestHeaders,
        _ client: TransferClient, _ cache: DiskCache
    ) {
        guard case .web(let address) = request.address, cache.beginRevalidation(of: key, at: address.origin) else {
            return
        }
        var request = request
        // The place is its own row's, and goes back with the answer from the disk.
        request.turn = nil
        request.retry = .once
        request.earlierAttempts = nil
        // Nobody looks at these bytes, so that they take no part in anybody's memory.
        request.flow = nil
        request.exchange = CacheExchange(validators: record.validators)
        let time = RequestTime(cache.clock)
        let download = DownloadOperation(request, sending: headers, client: client, whenEntering: time.note)
        download.queuePriority = .veryLow
        download.completionBlock = {
            defer { cache.endRevalidation(of: key) }
            guard case .success(let response) = download.takeResult() else { return }
            let requestedAt = time.seconds
            if response.statusCode == 304 {
                let validated = cache.validate(
                    record, response, key, userAgent: client.userAgent, requestedAt: requestedAt)
                if validated == nil { cache.answers.remove(key) }
            } else {
                cache.take(response, key, userAgent: client.userAgent, requestedAt: requestedAt) {}
            }
        }
        download.start()
    }
}
