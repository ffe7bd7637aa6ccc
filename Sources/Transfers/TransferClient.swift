import Glibc

/// Carries transfers out: one libcurl multi handle on one event thread, with the connections it keeps open.
///
/// Make one and share it: connections, limits per host and the thread are per client. Every ``DownloadOperation`` keeps
/// its client; when the last of both is gone, the thread ends and the connections close.
///
/// Nothing is taken from the user's surroundings except, where none is named, the proxy: no cookies, no `.netrc`, no signal handlers. Every
/// transfer is offered HTTP/2 over TLS and compressed bodies.
public final class TransferClient: Sendable {
    /// What all transfers of a client have in common.
    public struct Configuration: Sendable {
        /// Transfers at the same time with one host (scheme, name and port): at least 1, 8 by default. Others wait.
        public var transfersPerHost: Int
        /// Transfers at the same time in all: at least 1, 64 by default. As many connections are kept open for later requests to their
        /// hosts, and up to four times as many where that is at most an eighth of the files that the process may have open.
        public var transfersInAll: Int
        /// The longest that a host is left alone after it failed again and again (timeouts, refused connections, status 429
        /// and 5xx): a second, then two, and so on up to this. After each rest one transfer tries it. One that still fails
        /// after a rest of this length is given up for as long (``TransferError/hostResting(after:)``). Zero for no such
        /// rests; 60 s by default. What a host asks for (`Retry-After`) is kept in any case.
        public var hostPatience = Duration.seconds(60)
        /// Whether downloads wait while this machine has lost its network, and then go on, instead of failing. Off by default.
        ///
        /// Linux tells that by its default route and that one's interface, as where a cable is pulled or a wireless network is gone. What
        /// fails meanwhile by a connection that cannot be made, is lost or is silent is tried again when the network is back, as after
        /// another fault that passes; neither its attempts nor its host are counted. Nothing else is begun with hosts but this machine
        /// itself. Transfers try each 30 s even so: where a host answers, no default route is needed, and nothing waits for one. A
        /// machine that had none from the beginning does not wait for it either, nor does one after a day.
        ///
        /// What is lost farther away, as where a router has no line, is told by hosts. When nothing has been heard of anybody for 2 s while
        /// transfers run, the client connects to up to three hosts of different names and addresses that have answered it before, and
        /// sends them nothing. Where none is there within 4 s, the network is lost, and they are tried again after 5, 10, 20 and then
        /// each 30 s, for an hour; when the pauses are that long, transfers try, too. This takes two such hosts, and no proxy.
        ///
        /// Uploads fail as always.
        public var waitsForConnectivity = false
        /// Requests a second to one host, above 0; nil, the default, for as many as it takes.
        ///
        /// In any second a host gets no more, whatever they are for: redirects, further attempts, questions of the cache, and
        /// what is sent again after a connection was lost count as well. `http` and `https` with their own ports are one host.
        public var requestsPerSecond: Double?
        /// Bytes of bodies a second that are taken in, in all and after decompression, at least 1; nil, the default, for as
        /// many as come.
        public var bytesPerSecond: Int?
        /// Sent as `User-Agent`, with spaces in place of control characters, which ``check()`` finds; empty for none.
        /// `ClassicPhotos` by default.
        public var userAgent: String
        /// What all transfers go through, in place of what the environment says, `no_proxy` included; nil, the default, for
        /// what the environment says.
        ///
        /// It looks names up itself. So what an ``AddressGuard`` says is checked by what stands in the address and in each
        /// redirect: an address by number in a range that is closed is refused, and so is a name that no public host has
        /// (such as `localhost` or `nas.lan`); where a public name leads, only the proxy could say. A catalog's own private
        /// server is reached only with a guard that opens special ranges.
        public var proxy: TransferProxy?
        /// Whether `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` of the environment are honoured, as
        /// libcurl's users expect, where there is no ``proxy``. On by default. The variables are read when the configuration is
        /// made.
        ///
        /// Transfers of what came over the network (``AddressGuard/closed`` and
        /// ``AddressGuard/init(sender:address:)``) do not go through it: a proxy looks names up itself, so that nobody
        /// could say where they lead.
        public var usesEnvironmentProxy: Bool
        /// Whether hosts are asked for their robots.txt (RFC 9309) before anything else, and what it forbids is not fetched
        /// (``TransferError/disallowed(by:)``). Off by default.
        ///
        /// What a file says holds for a day, and that it could not be had for five minutes, by ``clock``. Of all hosts 16 MB of rules
        /// are kept; the oldest go first, and are asked for again. Of a file 500 KiB count, without rules of more than 2 KiB. What
        /// stands behind a `*` is looked for in the first 4 KiB of a path, and an address for which more than 4 million bytes would
        /// have to be compared is not fetched.
        ///
        /// Its rules are those for the name that ``userAgent`` begins with. The file is asked for like anything else: it counts for
        /// ``requestsPerSecond``, takes no place of its own, is tried again after faults that pass, and leads to nowhere that the
        /// ``AddressGuard`` of who needs it closes. Redirects are checked at the host to which they lead.
        public var obeysRobots = false
        /// Directives in the `X-Robots-Tag` of answers that let them fail (``TransferError/disallowed(by:)``), in small letters, such
        /// as `noai`; none by default. `none` in an answer is `noindex` and `nofollow`. A name before directives is compared with the
        /// one that ``userAgent`` begins with.
        public var respectedDirectives: Set<String> = []
        /// The path of a PEM file with the authorities to trust instead of the system's, for servers and for a proxy over TLS;
        /// nil for the system's. ``check()`` says whether it can be used.
        public var certificateAuthorities: String?

        /// What requests to an origin (scheme, name and port) are sent with beside the client's own headers; nil, the default, for
        /// nothing. What a request says itself counts more.
        ///
        /// It is asked once for each download, and for each attempt at an upload, about the origin of its address, on the thread that makes the operation, so that it
        /// has to be quick. It is not asked about where redirects lead: otherwise anybody could have a request sent there in the
        /// name of whoever these headers let in.
        ///
        /// <!-- given
        /// let token = "5ecre7"
        /// -->
        /// ```swift
        /// import Transfers
        ///
        /// let authorization = try RequestHeaders.authorization(bearer: token)
        /// var configuration = TransferClient.Configuration()
        /// configuration.requestHeaders = { origin in
        ///     origin.scheme == "https" && origin.host == "photos.example.org" ? authorization : RequestHeaders()
        /// }
        /// ```
        public var requestHeaders: (@Sendable (_ origin: WebAddress.Origin) -> RequestHeaders)?

        /// Where bodies that were cut off are kept, so that a later attempt asks for the rest only; nil, the default,
        /// for nowhere, so that they are gone with their operation.
        public var partialDownloads: PartialDownloads?
        /// Where a body is put that is too large for memory (``DownloadRequest/maxBytesInMemory``), as a file without a
        /// name; nil, the default, for `TMPDIR`, or `/var/tmp`.
        public var temporaryFolder: String?
        /// What the waits between attempts are measured by; the system's clock by default, another one for tests.
        public var clock: any Clock<Duration> = ContinuousClock()
        /// Told that a host is left alone from now on, for how long, and because of what; on the event thread, so that it has to be
        /// quick.
        package var whenHostRests: (@Sendable (_ host: String, _ rest: Duration, _ error: TransferError) -> Void)?
        /// Whether of the transfers of one host that are equally urgent the last comes first.
        package var startsLastFirst = false
        /// Whether this machine has a default route; another answer for tests.
        package var hasDefaultRoute: @Sendable () -> Bool = { DefaultRoute.isThere }
        /// Whether one of the hosts that have answered can be reached; another answer for tests.
        var isAnyThere: @Sendable ([AnsweringHosts.Place]) -> Bool = Reachability.isAnyThere
        /// Whether this machine reaches a host without a network; another answer for tests.
        package var isNear: @Sendable (WebAddress.Origin) -> Bool = \.isNear
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

    /// Nil while the system has no memory, descriptors or thread for it.
    var loop: TransferLoop? { start.loop }
    private let start: LoopStart
    let files = FileReader()
    let storage: TransferStorage
    /// What all requests name as their `User-Agent`.
    let userAgent: String
    /// Whether a proxy looks up all names.
    let isProxied: Bool
    private let requestHeaders: (@Sendable (WebAddress.Origin) -> RequestHeaders)?
    private let respectedDirectives: Set<String>

    /// What the client is about at present.
    public var activity: TransferActivity { start.running?.activity ?? TransferActivity() }

    /// What a request for an address is sent with: what is configured for its origin, and its own.
    package func headers(for address: ResourceAddress, adding own: RequestHeaders) -> RequestHeaders {
        guard case .web(let address) = address else { return RequestHeaders() }
        return requestHeaders?(address.origin).merging(own) ?? own
    }

    /// What a kept answer says of its use, if that is respected.
    func respectedDirective(in fields: HeaderFields) -> String? {
        guard !respectedDirectives.isEmpty else { return nil }
        return RobotsTag.directive(
            in: fields.values("x-robots-tag"), respecting: respectedDirectives,
            token: RobotsRules.token(of: userAgent.utf8))
    }

    /// Starts no transfers for now, or starts them again; what runs goes on.
    package func suspend(_ isSuspended: Bool) { start.suspend(isSuspended) }

    /// Changes how many transfers run at once in all; at least 1.
    package func setWidth(_ width: Int) { start.setWidth(width) }

    /// Starts the event thread, which sleeps until there is something to transfer. Where the process may open no more files, or the
    /// system has no thread for it, each transfer tries that again, and fails if there is still no room.
    /// A child of `fork` does not have the thread: a program that becomes a daemon makes its clients, and pipelines, after that.
    public init(_ configuration: Configuration = Configuration()) {
        start = LoopStart(configuration)
        storage = TransferStorage(configuration)
        userAgent = configuration.sentUserAgent
        isProxied = configuration.proxy != nil
        requestHeaders = configuration.requestHeaders
        respectedDirectives = configuration.respectedDirectives
    }
}

extension TransferError {
    /// The client has no event thread.
    static let noRoom = unreachable("there are no free descriptors, or there is no thread, for transfers")
}

extension TransferClient.Configuration {
    /// How many connections are kept open at most, those in use included. A catalog may come from more hosts than there are transfers.
    var connectionsInAll: Int {
        var files = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0 else { return max(transfersInAll, 1) }
        let kept = min(4 * min(transfersInAll, 10_000), Int(clamping: files.rlim_cur) / 8)
        return max(transfersInAll, kept, 1)
    }

    var scheduleLimits: ScheduleLimits {
        var limits = ScheduleLimits()
        limits.perHost = max(transfersPerHost, 1)
        limits.inAll = max(transfersInAll, 1)
        limits.patience = max(hostPatience, .zero)
        // Once a year is as good as never.
        if let rate = requestsPerSecond, rate > 0 { limits.interval = .seconds(min(1 / rate, 365 * 86_400)) }
        return limits
    }
}
