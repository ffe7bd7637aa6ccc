public import OperationsCore

import struct FoundationEssentials.URL

/// Downloads one address into memory.
///
/// The operation itself uses no thread while the transfer runs. Cancelling it aborts the transfer and closes its
/// connection. It finishes, as do its completion block and what depends on it, from one of the client's threads; keep
/// heavy work off it. `error` is set when the download failed, and not when it was cancelled.
///
/// The state is behind a lock, which makes `@unchecked Sendable` true.
public final class DownloadOperation: AsyncOperation, @unchecked Sendable {
    /// What is downloaded.
    public let request: DownloadRequest
    private let client: TransferClient
    private let state = Lock(State())

    private enum Work {
        case transfer(Transfer, TransferLoop)
        case reading(FileReading, FileReader)
    }

    private struct State {
        var work: Work?
        var isCancelled = false
        var result: Result<DownloadResponse, TransferError>?
        var isTaken = false
        var receivedByteCount = 0
        var retryAfter: Duration?
    }

    /// A download that begins when the operation is started.
    public init(_ request: DownloadRequest, client: TransferClient) {
        self.request = request
        self.client = client
        super.init()
    }

    /// What came of it: nil until the operation has finished, `.failure(.cancelled)` after a cancel, and nil again when it
    /// was taken.
    public var result: Result<DownloadResponse, TransferError>? {
        if let result = state.withLock({ $0.result }) { return result }
        // Cancelled before it was started, so that nothing was ever executed.
        return isFinished && !state.withLock({ $0.isTaken }) ? .failure(.cancelled) : nil
    }

    /// The bytes of the body that came, as they came over the wire, before decompression; final when the operation has
    /// finished, also when it failed.
    public var receivedByteCount: Int {
        state.withLock { $0.receivedByteCount }
    }

    /// Takes the result out of the operation, so that the body's memory is the taker's alone.
    ///
    /// - Returns: nil until the operation has finished, and after the first taking.
    public func takeResult() -> Result<DownloadResponse, TransferError>? {
        guard let result else { return nil }
        state.withLock { state in
            state.result = nil
            state.isTaken = true
        }
        return result
    }

    /// After ``TransferError/http(status:)``, how long the server asked to wait (`Retry-After`), if it did.
    public var retryAfter: Duration? {
        state.withLock { $0.retryAfter }
    }

    /// Lets a transfer that its ``TransferFlow`` held back ask for room again.
    ///
    /// Callable from any thread, also from within `mayReceive(upTo:)`; without effect on a transfer that is not held
    /// back.
    public func resumeTransfer() {
        switch state.withLock({ $0.work }) {
        case .transfer(let transfer, let loop): loop.resume(transfer)
        case .reading(let reading, let reader): reader.submit(reading)
        case nil: break
        }
    }

    /// Begins the transfer and returns.
    public override func execute() {
        do throws(TransferError) {
            let work = try makeWork()
            let isCancelled = state.withLock { state in
                if !state.isCancelled { state.work = work }
                return state.isCancelled
            }
            if isCancelled { throw .cancelled }
            switch work {
            case .transfer(let transfer, let loop): loop.submit(transfer)
            case .reading(let reading, let reader): reader.submit(reading)
            }
        } catch {
            complete(.failure(error))
        }
    }

    /// Aborts the transfer.
    public override func cancelExecution() {
        let work = state.withLock { state in
            state.isCancelled = true
            return state.work
        }
        switch work {
        case .transfer(let transfer, let loop):
            loop.cancel(transfer)
        case .reading(let reading, let reader):
            reading.cancel()
            reader.submit(reading)
        case nil: break
        }
    }

    private func makeWork() throws(TransferError) -> Work {
        let url = request.url
        switch url.scheme?.lowercased() {
        case "http", "https":
            guard let host = url.host(percentEncoded: false), !host.isEmpty else { throw .invalidAddress }
            let address = try CurlAddress(url.absoluteString)
            try request.addressGuard.check(address)
            guard let loop = client.loop else { throw .unreachable("there is no thread for transfers") }
            return .transfer(Transfer(operation: self, address: address, at: .now), loop)
        case "file":
            guard request.allowsLocalFiles else { throw .forbiddenAddress(.scheme) }
            let path = url.path(percentEncoded: false)
            let host = url.host(percentEncoded: false) ?? ""
            guard host.isEmpty || host == "localhost", path.hasPrefix("/"), !path.utf8.contains(0) else {
                throw .invalidAddress
            }
            return .reading(FileReading(operation: self, path: path), client.files)
        case nil:
            throw .invalidAddress
        default:
            throw .forbiddenAddress(.scheme)
        }
    }

    // MARK: From the client's threads

    /// Remembers what the server said about trying again.
    func noteRetryAfter(_ duration: Duration?) {
        state.withLock { $0.retryAfter = duration }
    }

    /// Ends the operation with its result, and with how many bytes came; only the first call counts.
    func complete(_ result: Result<DownloadResponse, TransferError>, received byteCount: Int = 0) {
        let isFirst = state.withLock { state in
            guard state.result == nil, !state.isTaken else { return false }
            state.result = result
            state.receivedByteCount = byteCount
            state.work = nil
            return true
        }
        guard isFirst else { return }
        switch result {
        case .success, .failure(.cancelled): finish()
        case .failure(let error): finish(error)
        }
    }
}
