/// How a request uses the disk cache.
///
/// The pictures that a pipeline has in memory come before that, and know nothing of HTTP: see `PhotoPipeline.Configuration.cacheLimit`.
public enum CachePolicy: Hashable, Sendable {
    /// By HTTP's rules: a fresh copy without asking, a stale one after the server confirmed it, or where it cannot be
    /// reached. The default.
    case standard
    /// The server is asked even for a fresh copy, also by caches on the way, unless the copy is declared immutable.
    case revalidated
    /// The server sends it anew, past caches on the way, and the copy is replaced.
    case reload
    /// Nothing goes over the network: a copy, fresh or not, unless the server forbade stale ones. Where there is none, the
    /// download fails with ``TransferError/unreachable(_:)``; so it does without a cache and for requests with user and password,
    /// of which nothing is kept. Local files are read.
    case onlyIfCached
    /// Neither read from the cache nor stored.
    case ignored
}
