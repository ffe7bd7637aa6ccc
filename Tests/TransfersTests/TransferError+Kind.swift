import Transfers

extension TransferError {
    /// Which kind of failure this is, without its figures and sentences; nil for a cancel.
    var kind: String? {
        switch self {
        case .invalidAddress: "invalid-address"
        case .forbiddenAddress: "forbidden-address"
        case .unreachable, .untrusted: "unreachable"
        case .timeout: "timeout"
        case .tooManyRedirects: "redirects"
        case .http, .retryLater: "http"
        case .hostResting: "host-resting"
        case .disallowed(by: .tag): "opted-out"
        case .disallowed: "robots"
        case .truncated: "truncated"
        case .tooLarge: "too-large"
        case .protocolViolation: "protocol"
        case .notFound: "not-found"
        case .writeFailed: "write-failed"
        case .cancelled: nil
        }
    }
}
