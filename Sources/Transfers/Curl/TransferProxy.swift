import CCurl

/// A proxy that transfers go through, with user and password if it asks for them.
///
/// It looks the names of hosts up itself. Without a port it is at 1080, with `https` at 443, as for curl.
///
/// ```swift
/// import Transfers
///
/// print(try TransferProxy("http://anna:5ecre7@proxy.example.org:3128"))
/// ```
/// ```text
/// http://proxy.example.org:3128
/// ```
public struct TransferProxy: Hashable, Sendable {
    /// As libcurl takes it, with user and password.
    let text: String
    /// Where it listens.
    let port: Int
    /// The same as it can be shown.
    private let shown: String

    private static let schemes = ["http", "https", "socks5h"]

    /// Reads the address of a proxy.
    /// - Parameter text: `http`, `https` (TLS to the proxy itself) or `socks5h`, each with `://`, then `user:password@` if need
    ///   be, a host, and a port; `http` without a scheme.
    /// - Throws: What is wrong with it.
    public init(_ text: String) throws(ParsingError) {
        // libcurl of some versions names every scheme that it does not know, others say of some that the address is none.
        let mark = text.firstRange(of: "://")
        let scheme = mark.map { text[..<$0.lowerBound].lowercased() } ?? "http"
        guard Self.schemes.contains(scheme) else { throw .scheme }
        let whole = mark == nil ? "http://" + text : text
        guard whole.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), let handle = curl_url() else { throw .address }
        defer { curl_url_cleanup(handle) }
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME)
        guard curl_url_set(handle, CURLUPART_URL, whole, flags) == CURLUE_OK else { throw .address }
        func part(_ part: CURLUPart) -> String? {
            var value: UnsafeMutablePointer<CChar>?
            guard curl_url_get(handle, part, &value, 0) == CURLUE_OK, let value else { return nil }
            defer { curl_free(value) }
            return String(cString: value)
        }
        guard let host = part(CURLUPART_HOST), !host.isEmpty, ["", "/"].contains(part(CURLUPART_PATH) ?? ""),
            part(CURLUPART_QUERY) == nil, part(CURLUPART_FRAGMENT) == nil
        else { throw .address }
        let place = host + (part(CURLUPART_PORT).map { ":\($0)" } ?? "")
        let user = part(CURLUPART_USER).map { $0 + (part(CURLUPART_PASSWORD).map { ":\($0)" } ?? "") + "@" } ?? ""
        port = part(CURLUPART_PORT).flatMap { Int($0) } ?? (scheme == "https" ? 443 : 1080)
        self.text = "\(scheme)://\(user)\(place)"
        shown = "\(scheme)://\(place)"
    }

    /// Why a text is no address of a proxy. The text is not part of it, as it may have a password.
    public enum ParsingError: Error, Hashable, Sendable {
        /// It has another scheme than `http`, `https` and `socks5h`.
        case scheme
        /// It is no address, or has more in it than a host, a port, a user and a password.
        case address
    }
}

extension TransferProxy.ParsingError: CustomStringConvertible {
    /// A sentence for a person.
    public var description: String {
        switch self {
        case .scheme: "A proxy's address begins with http://, https:// or socks5h://."
        case .address: "A proxy's address is a host and a port, such as http://proxy.example.org:3128."
        }
    }
}

extension TransferProxy: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The address without user and password.
    public var description: String { shown }

    /// The same as ``description``.
    public var debugDescription: String { shown }

    /// Nothing but ``description``, so that `dump` shows no password either.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: [shown]) }
}
