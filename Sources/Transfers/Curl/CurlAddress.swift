import CCurl

package import struct FoundationEssentials.URL

/// An http or https address as libcurl reads it.
///
/// libcurl's own parser decides, because libcurl is who connects: two parsers that disagree about what the host is
/// are how address checks are got round.
package struct CurlAddress: Hashable, Sendable {
    /// The normalised address to give to libcurl, without fragment.
    let text: String
    /// Scheme, host and port: what shares connections and limits.
    let origin: Origin
    private let user: String?
    private let password: String?
    /// The address as it was given, where that says the same and nothing secret.
    private var given: URL?

    /// Who answers for an address.
    struct Origin: Hashable, Sendable {
        let scheme: String
        let host: String
        let port: String

        /// The host says nearly all.
        func hash(into hasher: inout Hasher) { hasher.combine(host) }
    }

    /// Reads an absolute address.
    init(_ text: String) throws(TransferError) {
        try self.init(base: nil, reference: text)
    }

    /// Reads an absolute address.
    package init(_ url: URL) throws(TransferError) {
        let reference = url.absoluteString
        try self.init(base: nil, reference: reference)
        if url.baseURL == nil, text == reference, !hasCredentials { given = url }
    }

    /// The address that a `Location` header names, seen from this one.
    ///
    /// User and password go along only to the same origin.
    func redirected(to location: String) throws(TransferError) -> CurlAddress {
        try CurlAddress(base: self, reference: location)
    }

    /// The network address that stands in place of a name, in whatever notation, if one does.
    ///
    /// libcurl has brought IPv4 into its usual form.
    var literal: IPAddress? {
        let host = origin.host
        return IPAddress(host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host)
    }

    /// Whether a user or password is part of it.
    var hasCredentials: Bool { user != nil || password != nil }

    /// Whether it lets whoever has it in, so that it is written nowhere.
    var isSecret: Bool { hasCredentials || SecretParameters.areIn(text) }

    /// The address without user and password, to show.
    var publicURL: URL? {
        if let given { return given }
        guard hasCredentials else { return URL(string: text) }
        guard let handle = curl_url() else { return nil }
        defer { curl_url_cleanup(handle) }
        guard curl_url_set(handle, CURLUPART_URL, text, 0) == CURLUE_OK else { return nil }
        curl_url_set(handle, CURLUPART_USER, nil, 0)
        curl_url_set(handle, CURLUPART_PASSWORD, nil, 0)
        return Self.part(CURLUPART_URL, of: handle).flatMap { URL(string: $0) }
    }

    private init(base: CurlAddress?, reference: String) throws(TransferError) {
        // libcurl would read no further than a zero.
        guard !reference.utf8.contains(0), let handle = curl_url() else { throw .invalidAddress }
        defer { curl_url_cleanup(handle) }
        if let base {
            guard curl_url_set(handle, CURLUPART_URL, base.text, 0) == CURLUE_OK else { throw .invalidAddress }
        }
        // Servers do send spaces and raw UTF-8 in Location, and browsers follow them.
        let lenient = UInt32(CURLU_URLENCODE | CURLU_ALLOW_SPACE)
        let flags = UInt32(CURLU_NON_SUPPORT_SCHEME) | (base == nil ? 0 : lenient)
        guard curl_url_set(handle, CURLUPART_URL, reference, flags) == CURLUE_OK else { throw .invalidAddress }
        try Self.nameHostInASCII(handle)
        guard let scheme = Self.part(CURLUPART_SCHEME, of: handle) else { throw .invalidAddress }
        guard scheme == "http" || scheme == "https" else { throw .forbiddenAddress(.scheme) }
        guard let host = Self.part(CURLUPART_HOST, of: handle), !host.isEmpty,
            let port = Self.part(CURLUPART_PORT, of: handle, flags: UInt32(CURLU_DEFAULT_PORT))
        else { throw .invalidAddress }
        guard !HostName.endsInNumber(host) || IPAddress(host) != nil else { throw .invalidAddress }
        origin = Origin(scheme: scheme, host: host.lowercased(), port: port)
        curl_url_set(handle, CURLUPART_FRAGMENT, nil, 0)
        if let base {
            let keeps = origin == base.origin && Self.part(CURLUPART_USER, of: handle) == nil
            if keeps, let user = base.user {
                curl_url_set(handle, CURLUPART_USER, user, 0)
                curl_url_set(handle, CURLUPART_PASSWORD, base.password, 0)
            }
        }
        user = Self.part(CURLUPART_USER, of: handle)
        password = Self.part(CURLUPART_PASSWORD, of: handle)
        guard let text = Self.part(CURLUPART_URL, of: handle) else { throw .invalidAddress }
        self.text = text
    }

    /// Brings a host in other letters into ASCII, and reads the address again: that may have made a number of it.
    private static func nameHostInASCII(_ handle: OpaquePointer) throws(TransferError) {
        guard let host = part(CURLUPART_HOST, of: handle), !host.utf8.allSatisfy({ $0 < 0x80 }) else { return }
        guard let ascii = HostName.ascii(host), curl_url_set(handle, CURLUPART_HOST, ascii, 0) == CURLUE_OK,
            let text = part(CURLUPART_URL, of: handle), curl_url_set(handle, CURLUPART_URL, text, 0) == CURLUE_OK
        else { throw .invalidAddress }
    }

    private static func part(_ part: CURLUPart, of handle: OpaquePointer, flags: UInt32 = 0) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &value, flags) == CURLUE_OK, let value else { return nil }
        defer { curl_free(value) }
        return String(cString: value)
    }
}
