public import FoundationEssentials
import Operations
public import Transfers

extension Catalog {
    /// Where a person says that a catalog is.
    public enum Source: Hashable, Sendable {
        /// A file or a folder.
        case path(String)
        /// Standard input.
        case standardInput
        /// An http or https address.
        case address(URL)

        /// Understands a command-line argument: `-` is standard input, what begins with `http://` or `https://` is an
        /// address, `file:` is followed by a path as addresses have it, anything else is a path. Bytes of a path that are not
        /// UTF-8 become U+FFFD.
        public init(argument: String) {
            let start = argument.prefix(8).lowercased()
            if argument == "-" {
                self = .standardInput
            } else if start.hasPrefix("http://") || start == "https://",
                let address = (try? WebAddress(argument))?.url ?? URL(string: argument)
            {
                self = .address(address)
            } else if start.hasPrefix("file:"), let path = Catalog.Origin.repairedPath(inFileAddress: argument) {
                self = .path(path)
            } else {
                self = .path(argument)
            }
        }
    }

    /// A catalog that could not be loaded.
    public enum LoadingError: Error, Sendable, CustomStringConvertible {
        /// It did not arrive.
        case notFetched(TransferError)
        /// It arrived and is no catalog.
        case notRead(CatalogError)

        public var description: String {
            switch self {
            case .notFetched(let error): "\(error)"
            case .notRead(let error): "\(error)"
            }
        }
    }

    /// Loads a catalog, to its end, on a thread of the engine.
    ///
    /// - Parameters:
    ///   - source: Where it is.
    ///   - keys: What address and name are called in it.
    ///   - includesSubfolders: Whether the folders in a folder are looked through too, see ``load(contentsOf:limits:keys:includingSubfolders:keepingRowsIn:)``.
    ///     Default: they are not.
    ///   - limits: The limits of each try of the transfer, for one that comes over the network. Ten minutes and 1 GB by default; a
    ///     million entries are some 100 MB.
    ///   - retries: How often the transfer is tried again after a fault that may pass, for one that comes over the network; see
    ///     `RetryPolicy.transfers(retries:)`. At least 0. Default: 2.
    ///   - longestRetryAfter: The longest wait that a server's `Retry-After` can cause. Default: 60 s.
    ///   - client: The proxy, the authorities to trust and the like, for one that comes over the network. Default: a client's
    ///     defaults.
    ///   - meter: Is told how far the transfer is, for one that comes over the network. Default: none.
    ///   - storage: Where the rows are while the catalog is in use. Default: in memory.
    /// - Throws: Why it cannot be had: not there, unreachable, cut off, not a catalog. Where the task is cancelled, the
    ///   transfer, or the wait for another try, ends at once, with `TransferError.cancelled`.
    public static func load(
        from source: Source, keys: CatalogKeys = CatalogKeys(), includingSubfolders includesSubfolders: Bool = false,
        limits: TransferLimits = TransferLimits(totalTimeout: .seconds(600), maxBytes: 1_000_000_000),
        retries: Int = 2, longestRetryAfter: Duration = .seconds(60),
        client: TransferClient.Configuration = TransferClient.Configuration(), meter: TransferMeter? = nil,
        keepingRowsIn storage: RowStorage = .memory
    ) async throws(LoadingError) -> Catalog {
        let queue = OperationQueue()
        queue.name = "Catalog queue"
        switch source {
        case .path(let path):
            return try await queue.parsed { () throws(CatalogError) in
                try Catalog.load(
                    contentsOf: path, keys: keys, includingSubfolders: includesSubfolders, keepingRowsIn: storage)
            }
        case .standardInput:
            return try await queue.parsed { () throws(CatalogError) in
                try Catalog.load(standardInput: 0, keys: keys, keepingRowsIn: storage)
            }
        case .address(let address):
            let request = DownloadRequest(
                url: address, limits: limits, retry: .transfers(retries: retries), longestRetryAfter: longestRetryAfter)
            let download = DownloadOperation(request, client: TransferClient(client))
            if let meter { download.observe(meter) }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    download.completionBlock = { continuation.resume() }
                    queue.addOperation(download)
                }
            } onCancel: {
                download.cancel()
            }
            switch download.takeResult() {
            case .success(let response):
                return try await queue.parsed { () throws(CatalogError) in
                    var catalog = try Catalog.load(
                        response.body, from: response.url, keys: keys, keepingRowsIn: storage)
                    catalog.sender = response.isProxied ? nil : response.remoteAddress
                    return catalog
                }
            // A wait for another try that was given up ends with why that was needed.
            case .failure(let error): throw .notFetched(Task.isCancelled ? .cancelled : error)
            case nil: throw .notFetched(.cancelled)
            }
        }
    }
}

extension OperationQueue {
    /// What a closure makes of a catalog's bytes, on a thread of this queue.
    fileprivate func parsed(
        _ parse: @escaping @Sendable () throws(CatalogError) -> Catalog
    ) async throws(Catalog.LoadingError) -> Catalog {
        do throws(CatalogError) {
            return try await outcome(of: parse).get()
        } catch {
            throw .notRead(error)
        }
    }
}
