import CCurl

extension WebAddress {
    /// Why a text is no web address.
    public enum ParsingError: Error, Hashable, Sendable {
        /// It has no scheme, and there is nothing that it could be relative to.
        case relative
        /// It has another scheme than http and https, given in small letters.
        case scheme(String)
        /// It names no host.
        case noHost
        /// The bracket around its IPv6 address is not closed.
        case openBracket
        /// Its host is none: neither a name that can be looked up nor a network address.
        case host
        /// Its port is no number from 0 to 65535.
        case port
        /// It is longer than libcurl takes, or there was no memory to read it.
        case unreadable

        init(_ code: CURLUcode) {
            self =
                switch code {
                case CURLUE_BAD_PORT_NUMBER: .port
                case CURLUE_NO_HOST: .noHost
                case CURLUE_BAD_HOSTNAME, CURLUE_BAD_IPV6: .host
                default: .unreadable
                }
        }
    }
}

extension WebAddress.ParsingError: CustomStringConvertible {
    /// The reason as the end of a sentence.
    public var description: String {
        switch self {
        case .relative: "it has no scheme"
        case .scheme(let scheme): "it begins with “\(scheme):”"
        case .noHost: "it has no host"
        case .openBracket: "the host's “]” is missing"
        case .host: "its host is no host"
        case .port: "its port is no number from 0 to 65535"
        case .unreadable: "it cannot be read"
        }
    }
}

extension TransferError {
    init(_ error: WebAddress.ParsingError) {
        if case .scheme = error { self = .forbiddenAddress(.scheme) } else { self = .invalidAddress }
    }
}
