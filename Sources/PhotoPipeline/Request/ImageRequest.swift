public import FoundationEssentials
public import Operations
public import Pixels
public import Transfers

/// What is wanted of a picture: from where, how large, and what is done to it.
public struct ImageRequest: Hashable, Sendable {
    /// An http, https or file address, or one of a scheme that the pipeline has a loader for, see
    /// ``PhotoPipeline/Configuration/loaders``.
    public var address: ResourceAddress
    /// How large the picture becomes; nil for the size it was published in. Default: nil.
    public var resize: Resize?
    /// The longest side of the picture in pixels, at least 1, which is the short form of a ``resize``; nil for the size it was
    /// published in, and where `resize` is another one. A smaller picture is not enlarged. Default: nil.
    public var longestSide: Int? {
        get { resize?.longestSide }
        set { resize = newValue.map(Resize.longestSide) }
    }
    /// What is done to the picture, step by step. Default: nothing.
    public var processing: ProcessingChain
    /// What is done to the picture where that is functions of CSS alone, which is the short form of a ``processing``; `none` where
    /// processors are among its steps. Default: nothing.
    public var filter: FilterChain {
        get { processing.filter ?? .none }
        set { processing = ProcessingChain(newValue) }
    }
    /// Whether a file address is allowed; a catalog that came from elsewhere must not name local files.
    /// Default: false.
    public var allowsLocalFiles: Bool
    /// Which places of the network the address may lead to; ``/Catalogs/Catalog/addressGuard`` for one from a catalog.
    /// Default: all but link-local ones.
    public var addressGuard: AddressGuard
    /// What the request is sent with beside the transfers' own headers, to the origin of the address only; see
    /// ``/Transfers/DownloadRequest/headers``. They are part of what is asked for: pictures that were asked for with others are
    /// other ones, on their way and in memory as on disk. Default: none but those that
    /// ``PhotoPipeline/Configuration/requestHeaders`` has for the origin.
    public var headers: RequestHeaders
    /// How urgent it is: what starts first in each stage. Default: normal.
    public var priority: Operation.QueuePriority
    /// How the caches are used. Default: `standard`.
    ///
    /// The rules of HTTP are those of the disk cache. A picture in memory serves `standard` and `onlyIfCached` as it is, whatever the
    /// file or the server says by now, see ``PhotoPipeline/Configuration/cacheLimit``. `revalidated` passes memory by: the server
    /// is asked each time, and a file is read, but what it confirms is neither transferred nor decoded again where there are caches on
    /// disk. What comes of it takes its place in memory.
    public var cachePolicy: CachePolicy
    /// A place among the transfers that was kept for it.
    package var turn: TransferTurn?
    /// Whether whoever asks makes further attempts itself: then how many have failed before, see ``PhotoTask/nextAttempt``.
    package var earlierAttempts: Int?
    /// Who is shown what was fetched for it before that is decoded; nil, the default, for nobody.
    package var fetchObserver: FetchObserver?

    /// Wants a picture from an address that is read here. Each parameter is the property of its name, and has that property's
    /// default; a `resize` counts before a `longestSide`, and a `processing` before a `filter`.
    public init(
        address: URL, longestSide: Int? = nil, resize: Resize? = nil, filter: FilterChain = .none,
        processing: ProcessingChain? = nil,
        allowsLocalFiles: Bool = false,
        addressGuard: AddressGuard = .open, priority: Operation.QueuePriority = .normal,
        cachePolicy: CachePolicy = .standard, headers: RequestHeaders = RequestHeaders()
    ) {
        self.init(
            address: ResourceAddress(address), longestSide: longestSide, resize: resize, filter: filter,
            processing: processing, allowsLocalFiles: allowsLocalFiles, addressGuard: addressGuard, priority: priority,
            cachePolicy: cachePolicy, headers: headers)
    }

    /// Wants a picture from an address that was read before. Each parameter is the property of its name, and has that
    /// property's default; a `resize` counts before a `longestSide`, and a `processing` before a `filter`.
    public init(
        address: ResourceAddress, longestSide: Int? = nil, resize: Resize? = nil, filter: FilterChain = .none,
        processing: ProcessingChain? = nil,
        allowsLocalFiles: Bool = false, addressGuard: AddressGuard = .open, priority: Operation.QueuePriority = .normal,
        cachePolicy: CachePolicy = .standard, headers: RequestHeaders = RequestHeaders()
    ) {
        self.address = address
        self.resize = resize ?? longestSide.map(Resize.longestSide)
        self.processing = processing ?? ProcessingChain(filter)
        self.allowsLocalFiles = allowsLocalFiles
        self.addressGuard = addressGuard
        self.priority = priority
        self.cachePolicy = cachePolicy
        self.headers = headers
    }
}
