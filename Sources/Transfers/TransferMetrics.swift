/// Times and sizes of one attempt.
///
/// The times of connecting are those of the last hop, after redirects, and zero where its connection was there already.
/// The others are exact to what the event thread needs for one round. What did not happen takes no time.
public struct TransferMetrics: Sendable, Hashable {
    /// A version of HTTP.
    public enum HTTPVersion: String, Sendable, Hashable {
        /// HTTP/1.0
        case http10 = "HTTP/1.0"
        /// HTTP/1.1
        case http11 = "HTTP/1.1"
        /// HTTP/2
        case http2 = "HTTP/2"
        /// HTTP/3
        case http3 = "HTTP/3"
    }

    /// Looking the name up.
    public var nameLookup = Duration.zero
    /// Connecting, after the name was known.
    public var connect = Duration.zero
    /// The handshake of TLS, after the connection was there.
    public var handshake = Duration.zero
    /// From the start of the attempt, redirects and pauses included, to the first byte of the last answer.
    public var timeToFirstByte: Duration
    /// From the start of the attempt to its end, redirects and pauses included.
    public var total: Duration
    /// Bytes of the answer's body as they came over the wire, before decompression.
    public var bytesReceived: Int
    /// Bytes of a body that were sent.
    public var bytesSent = 0
    /// How many redirects were followed.
    public var redirects = 0
    /// Whether the last hop went over a connection that was there already.
    public var isConnectionReused = false
    /// Which version the server answered in; nil for a local file, and where there was no answer.
    public var httpVersion: HTTPVersion?
}
