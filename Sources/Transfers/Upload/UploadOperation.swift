import OperationsCore

/// Puts bytes to an address with `PUT`, as WebDAV servers and presigned addresses of object stores take them.
///
/// Redirects with status 307 and 308 are followed with the body from its start; other ones are failures, because they
/// need not mean that the body is wanted elsewhere. For bodies above 1 MB the server is asked first (`Expect:
/// 100-continue`), so that one which refuses or redirects does not have to take it; a server that says nothing for a
/// second gets it anyway, and one that answers the question with status 417 gets it with another request, unasked.
/// Cancelling closes the connection; what the server makes of half a body is its affair.
///
/// <!-- given
/// let queue = OperationQueue()
/// let client = TransferClient()
/// let address = URL(string: "https://example.org/copy.jpg")!
/// -->
/// ```swift
/// import Foundation
/// import Operations
/// import Transfers
///
/// let upload = UploadOperation(UploadRequest(url: address, source: .file(path: "dune.jpg")), client: client)
/// queue.addOperation(upload)
/// ```
/// <!-- then
/// upload.waitUntilFinished()
/// print(try upload.result?.get().statusCode ?? 0)
/// -->
/// <!-- prints
/// 201
/// -->
public final class UploadOperation: TransferOperation<UploadResponse>, @unchecked Sendable {
    /// What is sent where.
    public let request: UploadRequest

    private let cache: DiskCache?

    /// An upload that begins when the operation is started.
    /// - Parameters:
    ///   - request: What is sent where.
    ///   - client: Carries the transfer out.
    ///   - cache: Forgets what it has of the address, unless the server refuses what is sent; nil, the default, for none.
    public init(_ request: UploadRequest, client: TransferClient, cache: DiskCache? = nil) {
        self.request = request
        self.cache = cache
        super.init(client: client, retry: request.retry, longestRetryAfter: request.longestRetryAfter)
    }

    /// How many bytes of the body were handed to the connection in the current attempt; 0 while nothing is on its way.
    public var sentByteCount: Int { sentSoFar }

    override func response(from answer: DownloadResponse, entityTag: String?) -> UploadResponse? {
        UploadResponse(
            address: answer.address, statusCode: answer.statusCode, entityTag: entityTag,
            remoteAddress: answer.remoteAddress, metrics: answer.metrics)
    }

    override func prepareToFinish(
        _ result: Result<UploadResponse, TransferError>, then finish: @escaping @Sendable () -> Void
    ) {
        guard let cache, case .web(let address) = request.address else { return finish() }
        var addresses = [address.withoutCredentials]
        switch result {
        case .success(let response):
            if case .web(let other) = response.address, other != addresses[0] { addresses.append(other) }
        // Whatever became of an upload whose answer did not come, it may have been taken.
        case .failure(.http(let status)) where status >= 400: return finish()
        case .failure: break
        }
        cache.invalidate(addresses, then: finish)
    }

    override func makeWork(after delay: Duration) throws(TransferError) -> Work {
        let address: WebAddress
        switch request.address {
        case .web(let web): address = web
        case .file: throw .forbiddenAddress(.scheme)
        case .unusable(_, let error): throw TransferError(error)
        }
        try request.addressGuard.check(
            address, for: AddressGuard.Target(host: address.host), isProxied: client.isProxied)
        guard let loop = client.loop else { throw .noRoom }
        var plan = TransferPlan(
            address: address, limits: request.limits, addressGuard: request.addressGuard,
            longestRetryAfter: request.longestRetryAfter,
            upload: UploadBody(request.source, onProgress: request.onProgress), headers: try headerLines()
        ) { [self] in ended($0) }
        let named = Set(request.headers.keys.map { $0.lowercased() })
        plan.ownHeaders = client.headers(for: request.address, adding: RequestHeaders()).lines(without: named)
        plan.level = Int(queuePriority.level)
        plan.delay = delay
        plan.enter = { [self] in enterPhase($0.name) }
        return .transfer(Transfer(plan, storage: client.storage, at: .now), loop)
    }

    private func headerLines() throws(TransferError) -> [String] {
        var headers = request.headers
        if let type = request.contentType { headers["Content-Type"] = type }
        for (name, value) in headers {
            // A line break would begin another header.
            let isName = !name.isEmpty && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ":") }
            guard isName, value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw .protocolViolation("the header \(name) cannot be sent")
            }
        }
        // Without a value libcurl would take a header away; the semicolon is how it is told to send an empty one.
        return headers.sorted { $0.key < $1.key }.map { $0.value.isEmpty ? "\($0.key);" : "\($0.key): \($0.value)" }
    }
}
