public import Transfers

/// Where a picture came from, and what its transfer took.
public struct ImageMetrics: Hashable, Sendable {
    /// Where a picture comes from.
    public enum Source: Hashable, Sendable {
        /// The network.
        case network
        /// A file of this machine.
        case file
        /// The disk cache, as the answer there is fresh.
        case cache
        /// The disk cache, after the server confirmed the answer there.
        case validated
        /// The disk cache, although the answer there is stale: the server was not asked yet, or could not be.
        case stale
        /// A loader of the client's own.
        case loader
        /// Memory: the picture itself, or one that a beginning of the filter made of it.
        case memory
    }

    /// Where it came from.
    public let source: Source
    /// What the last attempt at its transfer took, in times and bytes; of a transfer that several share, all of them have the same.
    /// Nil for a picture from memory or from a loader.
    public let transfer: TransferMetrics?
    /// The address that answered, after all redirects, without user and password; nil for a picture from memory or from a loader.
    public internal(set) var address: ResourceAddress?
}

extension ImageMetrics {
    /// Of a picture that is in memory.
    static let memory = ImageMetrics(source: .memory, transfer: nil)

    /// Of what a loader brought.
    static let loader = ImageMetrics(source: .loader, transfer: nil)

    /// Of what was fetched.
    init(_ response: DownloadResponse) {
        source =
            switch (response.source, response.address) {
            case (.network, .file): .file
            case (.network, _): .network
            case (.cache, _): .cache
            case (.validated, _): .validated
            case (.stale, _): .stale
            }
        transfer = response.metrics
        address = response.address
    }
}
