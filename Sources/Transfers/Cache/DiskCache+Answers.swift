import OperationsCore

extension DiskCache {
    /// Stores an answer, if it may be; `then` is called when the caller may go on.
    func take(
        _ response: DownloadResponse, _ key: String, requestedAt: Int, then: @escaping @Sendable () -> Void
    ) {
        guard let exchange = response.exchange, !exchange.isPrivate,
            StorageRule.mayStore(status: response.statusCode, exchange.fields)
        else {
            // What was stored before is not what the server says now.
            remove(key)
            return then()
        }
        let record = CacheRecord(response, exchange, requestedAt: requestedAt, receivedAt: clock.now)
        store(record, response.body, for: key, whenTaken: then)
    }

    /// The stored answer after the server confirmed it; nil if what it confirmed is something else.
    func validate(
        _ record: CacheRecord, _ response: DownloadResponse, _ key: String, requestedAt: Int
    ) -> CacheRecord? {
        guard let exchange = response.exchange, record.validators.matches(exchange.fields) else { return nil }
        let validated = record.validated(by: exchange, requestedAt: requestedAt, receivedAt: clock.now)
        if CacheControl(validated.fields).noStore { remove(key) } else { update(validated, for: key) }
        return validated
    }
}

/// Asks a server about an answer that was used before it was confirmed (RFC 5861, 3).
enum Revalidation {
    /// Begins it, unless one is under way; nobody waits for it.
    static func begin(
        _ record: CacheRecord, for key: String, _ request: DownloadRequest, _ client: TransferClient, _ cache: DiskCache
    ) {
        guard cache.beginRevalidation(of: key) else { return }
        var request = request
        // Nobody looks at these bytes, so that they take no part in anybody's memory.
        request.flow = nil
        request.exchange = CacheExchange(validators: record.validators)
        let download = DownloadOperation(request, client: client)
        let requestedAt = cache.clock.now
        download.completionBlock = {
            defer { cache.endRevalidation(of: key) }
            guard case .success(let response) = download.takeResult() else { return }
            if response.statusCode == 304 {
                if cache.validate(record, response, key, requestedAt: requestedAt) == nil { cache.remove(key) }
            } else {
                cache.take(response, key, requestedAt: requestedAt) {}
            }
        }
        download.start()
    }
}
