/// What an operation wants of one attempt, and whom it tells how that ended.
struct TransferPlan: Sendable {
    var address: WebAddress
    var limits: TransferLimits
    var addressGuard: AddressGuard
    /// The longest pause that a host may ask for before it is asked again.
    var longestRetryAfter: Duration
    var flow: (any TransferFlow)?
    /// From how many bytes on a body goes to disk.
    var maxBytesInMemory = Int.max
    /// What is sent, for a `PUT`; nil for a `GET`.
    var upload: UploadBody?
    /// Request headers beside libcurl's own, as lines.
    var headers: [String] = []
    /// Those that are for the origin of the address and no other.
    var ownHeaders: [String] = []
    /// What an earlier attempt left.
    var partial: PartialBody?
    /// What a cache says and hears.
    var exchange: CacheExchange?
    /// How urgent it is, from 0 to 4; 5 for a robots.txt.
    var level = 2
    /// How long it waits before it is in line.
    var delay = Duration.zero
    /// A place that was kept for it.
    var turn: TransferTurn?
    /// Whether it is for a robots.txt, about which no other one is asked.
    var isForRobots = false
    /// Whom it is meant for, where the address is not what somebody has named; nil for the address's host.
    var target: AddressGuard.Target?
    /// Called on the event thread when it begins to wait for a turn, and when it has one; after each redirect again.
    var enter: @Sendable (TransferPhase) -> Void = { _ in }
    /// Called once, on the event thread, or where the end waits for the disk, on the disk queue.
    var whenEnded: @Sendable (TransferOutcome) -> Void
}

/// How one attempt ended.
struct TransferOutcome: Sendable {
    var result: Result<DownloadResponse, TransferError>
    /// Bytes of the body as they came over the wire.
    var received = 0
    /// How long the server asked to wait, where it refused.
    var retryAfter: Duration?
    /// Whether it failed because this machine has lost its network, so that it does not count.
    var hasMetLostNetwork = false
    /// What it took.
    var metrics: TransferMetrics?
    /// The entity tag of the answer to an upload.
    var entityTag: String?
    /// What a later attempt can go on with.
    var partial: PartialBody?
    /// What a cache heard of an answer that is a failure.
    var exchange: CacheExchange.Answer?
}
