import CCurl

/// What libcurl says about a transfer that failed.
struct CurlFailure {
    /// libcurl's result code.
    var code: CURLcode
    /// libcurl's own sentence, possibly empty.
    var text: String
    /// Whether the head of the final answer was complete; for ``error(limits:)`` only.
    var headEnded = false
    /// Whether the first byte of an answer had arrived; for ``error(limits:)`` only.
    var answered = false

    /// The error this means to our callers.
    func error(limits: TransferLimits) -> TransferError {
        switch code {
        case CURLE_URL_MALFORMAT:
            return .invalidAddress
        case CURLE_OPERATION_TIMEDOUT:
            // Idle and total time are ours; the only time limit that libcurl is given is the one for connecting.
            return .timeout(.connect, limits.connectTimeout)
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR:
            return .untrusted(reason)
        case CURLE_SSL_CACERT_BADFILE:
            return .untrusted("the file with the authorities to trust cannot be used")
        case CURLE_PARTIAL_FILE:
            return .truncated
        case CURLE_UNSUPPORTED_PROTOCOL:
            // Schemes were checked before, so this is libcurl's code for HTTP/0.9: an answer without a status line.
            return .protocolViolation("the answer has no status line")
        case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, Self.tooLarge:
            return .protocolViolation(reason)
        case CURLE_OUT_OF_MEMORY where !headEnded:
            // What libcurl 7.88 returns for a single header line over its own limit of 100 kB.
            return .protocolViolation("a header line is too long")
        case CURLE_HTTP2 where !text.contains("PROTOCOL_ERROR"):
            // A connection to which its server said goodbye (GOAWAY), as one does that is reloaded: no sign that the host is unwell.
            return .truncated
        case CURLE_HTTP2, CURLE_HTTP2_STREAM:
            if headEnded { return .truncated }
            // What is no HTTP stays so. A server that resets a stream may answer a later request, as one may that closes a
            // connection of HTTP/1 without an answer.
            return text.contains("PROTOCOL_ERROR") ? .protocolViolation(reason) : .unreachable(reason)
        case CURLE_RECV_ERROR where text.contains("chunk"):
            // Bad chunks share the code of a reset connection; only the text tells them apart.
            return .protocolViolation(reason)
        case CURLE_GOT_NOTHING:
            return .unreachable("the connection was closed without an answer")
        default:
            if headEnded { return .truncated }
            return answered ? .protocolViolation(reason) : .unreachable(reason)
        }
    }

    /// `CURLE_TOO_LARGE`: a header too long, in libcurl 8.6 and later; older headers do not name it.
    private static let tooLarge = CURLcode(100)

    /// libcurl's sentence without a full stop at its end.
    var reason: String {
        let sentence = text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
        return sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    }
}
