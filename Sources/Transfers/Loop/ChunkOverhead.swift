import CCurl

/// What comes over a connection beside the bytes of a chunked body: the sizes of chunks, and what servers put behind these.
///
/// libcurl reads extensions of chunks (RFC 9112, 7.1.1) and tells nobody, so that no limit for bodies or headers holds for them.
struct ChunkOverhead {
    /// How often to look.
    static let interval = Duration.milliseconds(50)
    /// So much may come for nothing. A chunk of one byte has five around it.
    private static let (most, mostForAByte) = (1_000_000, 8)

    private let socket: Int32
    private let start: Int

    /// The body begins; nil where nothing can be told of the connection.
    init?(of socket: Int32) {
        self.socket = socket
        start = Int(ccurl_read_count(socket))
        guard start >= 0 else { return nil }
    }

    /// What is wrong, if something is.
    /// - Parameter body: How many bytes of the body have come.
    func fault(body: Int) -> TransferError? {
        let count = Int(ccurl_read_count(socket)) - start
        guard count > Self.most + Self.mostForAByte * body else { return nil }
        return .protocolViolation("what surrounds the parts of the body is much more than the body")
    }
}
