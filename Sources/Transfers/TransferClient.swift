/// Carries transfers out: one libcurl multi handle on one event thread, with the connections it keeps open.
///
/// Make one and share it: connections, limits per host and the thread are per client. Every ``DownloadOperation`` keeps
/// its client; when the last of both is gone, the thread ends and the connections close.
///
/// Nothing is taken from the user's surroundings except the proxy: no cookies, no `.netrc`, no signal handlers. Every
/// transfer is offered HTTP/2 over TLS and compressed bodies.
public final class TransferClient: Sendable {
    /// What all transfers of a client have in common.
    public struct Configuration: Sendable {
        /// Transfers at the same time with one host (scheme, name and port): at least 1, 8 by default. Others wait.
        public var transfersPerHost: Int
        /// Transfers at the same time in all: at least 1, 64 by default.
        public var transfersInAll: Int
        /// Sent as `User-Agent`.
        public var userAgent: String
        /// Whether `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` of the environment are honoured, as
        /// libcurl's users expect. On by default. The variables are read when the configuration is made.
        ///
        /// Transfers of what came over the network (``AddressGuard/closed`` and
        /// ``AddressGuard/init(sender:address:)``) do not go through it: a proxy looks names up itself, so that nobody
        /// could say where they lead.
        public var usesEnvironmentProxy: Bool
        /// The path of a PEM file with the authorities to trust instead of the system's; nil for the system's.
        public var certificateAuthorities: String?

        /// Where bodies that were cut off are kept, so that a later attempt asks for the rest only; nil, the default,
        /// for nowhere, so that they are gone with their operation.
        public var partialDownloads: PartialDownloads?
        /// Where a body is put that is too large for memory (``DownloadRequest/maxBytesInMemory``), as a file without a
        /// name; nil, the default, for `TMPDIR`, or `/var/tmp`.
        public var temporaryFolder: String?
        /// What the waits between attempts are measured by; the system's clock by default, another one for tests.
        public var clock: any Clock<Duration> = ContinuousClock()
        /// What the environment says about proxies; another one for tests.
        package var proxyEnvironment = ProxyEnvironment.current
        /// Where names lead, for tests, as `NAME:PORT:ADDRESS`; all others are looked up.
        package var resolvedNames: [String] = []

        /// The values a caller names, and the defaults for the others.
        public init(
            transfersPerHost: Int = 8, transfersInAll: Int = 64, userAgent: String = "ClassicPhotos",
            usesEnvironmentProxy: Bool = true, certificateAuthorities: String? = nil
        ) {
            self.transfersPerHost = max(transfersPerHost, 1)
            self.transfersInAll = max(transfersInAll, 1)
            self.userAgent = userAgent
            self.usesEnvironmentProxy = usesEnvironmentProxy
            self.certificateAuthorities = certificateAuthorities
        }
    }

    /// Nil if the system had no memory or thread for it.
    let loop: TransferLoop?
    let files = FileReader()
    let clock: any Clock<Duration>
    let storage: TransferStorage
    /// What all requests name as their `User-Agent`.
    let userAgent: String

    /// Starts the event thread, which sleeps until there is something to transfer.
    public init(_ configuration: Configuration = Configuration()) {
        loop = TransferLoop.start(configuration)
        clock = configuration.clock
        storage = TransferStorage(configuration)
        userAgent = configuration.userAgent
    }

    deinit {
        // The thread is not waited for: the last reference may have been dropped on it.
        loop?.stop()
    }
}
