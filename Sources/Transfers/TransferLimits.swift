/// What one attempt at a transfer may take.
///
/// Times are measured on a clock that stands still while the machine sleeps. Time in which the transfer is paused by
/// its ``TransferFlow``, or waits for a free place at its host, counts against none of them.
public struct TransferLimits: Sendable, Hashable {
    /// The longest that name look-up, connection and TLS handshake may take together, for each hop. 10 s by default.
    public var connectTimeout: Duration
    /// The longest silence once the request is being sent: no byte at all arrived. 15 s by default.
    ///
    /// An upload is not silent while the other side's system acknowledges bytes of it, which is looked at each second, on Linux. Over
    /// HTTP/2 these may be bytes of another transfer over the same connection.
    public var idleTimeout: Duration
    /// The longest the attempt may take with all its redirects. 30 s by default.
    public var totalTimeout: Duration
    /// The longest body in bytes, counted after decompression. 64,000,000 by default. What lies between several codings of a body may be an
    /// eighth and 64 KiB longer.
    public var maxBytes: Int
    /// How many redirects are followed. 10 by default; 0 follows none.
    public var maxRedirects: Int
    /// The longest head of an answer in bytes, all header lines together. 262,144 by default. In any case it has at most 1,000 lines.
    public var maxHeaderBytes: Int

    /// The limits a caller names, and the defaults for the others.
    ///
    /// Values below zero count as zero; a time of zero expires at once.
    public init(
        connectTimeout: Duration = .seconds(10), idleTimeout: Duration = .seconds(15),
        totalTimeout: Duration = .seconds(30), maxBytes: Int = 64_000_000, maxRedirects: Int = 10,
        maxHeaderBytes: Int = 262_144
    ) {
        self.connectTimeout = max(connectTimeout, .zero)
        self.idleTimeout = max(idleTimeout, .zero)
        self.totalTimeout = max(totalTimeout, .zero)
        self.maxBytes = max(maxBytes, 0)
        self.maxRedirects = max(maxRedirects, 0)
        self.maxHeaderBytes = max(maxHeaderBytes, 0)
    }
}
