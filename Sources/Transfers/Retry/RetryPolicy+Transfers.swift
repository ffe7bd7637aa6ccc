public import OperationsCore

extension RetryPolicy {
    /// For transfers: tried again after faults that pass by themselves (``TransferError/isTransient``).
    ///
    /// The waits are half a second, one, two and so on up to 30 s, of which chance takes up to half; a server's
    /// `Retry-After` makes them longer. One above ``DownloadRequest/longestRetryAfter`` ends the transfer instead
    /// (``TransferError/retryLater(status:after:)``).
    /// - Parameter retries: How often it is tried again; at least 0, 2 by default.
    public static func transfers(retries: Int = 2) -> RetryPolicy {
        RetryPolicy(attempts: min(max(retries, 0), .max - 1) + 1, backoff: Backoff(initial: .milliseconds(500))) {
            error in
            (error as? TransferError)?.isTransient ?? false
        }
    }
}

extension TransferError {
    /// Whether the same request may well succeed a little later: nobody answered, time ran out, the body was cut off,
    /// or the server, or one between, said that it is busy or broken.
    ///
    /// The statuses are 408, 425 (RFC 8470), 429, 500, 502, 503 and 504, and those by which a content network says that it could not
    /// reach the server, or understand it: 520 to 524.
    public var isTransient: Bool {
        switch self {
        case .unreachable, .timeout, .truncated: true
        case .http(let status): [408, 425, 429, 500, 502, 503, 504].contains(status) || 520...524 ~= status
        case .invalidAddress, .forbiddenAddress, .untrusted, .tooManyRedirects, .tooLarge, .protocolViolation,
            .notFound, .writeFailed, .retryLater, .hostResting, .disallowed, .cancelled:
            false
        }
    }
}
