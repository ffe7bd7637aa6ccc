extension RequestHeaders {
    /// Whether a field, whose name is given in small letters, is one that the client sets itself, or one that is about the connection.
    static func isReserved(_ key: String) -> Bool { reserved.contains(key) || key.hasPrefix("proxy-") }

    private static let reserved: Set<String> = [
        // The address says it.
        "host",
        // About the connection and the form of a message (RFC 9110, 7.6 and 10.1; RFC 9112, 6), which libcurl is in charge of.
        "connection", "content-length", "expect", "http2-settings", "keep-alive", "te", "trailer", "transfer-encoding",
        "upgrade",
        // What is asked for, and on which condition: partial bodies and caches say it.
        "a-im", "accept-encoding", "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since",
        "range",
        // `CachePolicy` says it.
        "cache-control", "pragma",
        // The configuration says it.
        "user-agent",
    ]
}
