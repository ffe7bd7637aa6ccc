import CCurl

public import struct FoundationEssentials.URL

/// An http or https address, read once and normalised; whoever has one need not look at its text again.
///
/// It is read as the [URL standard](https://url.spec.whatwg.org) says, and so as browsers read it: `HTTP:\\Host:80/a b` is
/// `http://host/a%20b`. libcurl's own parser decides what is what, because libcurl is who connects: two parsers that
/// disagree about what the host is are how address checks are got round. What libcurl does not connect to is no address
/// here, also where the standard would allow it (a host with `!` or `'` in its name).
///
/// - Scheme and host are in small letters. A host in other letters is in ASCII, by UTS 46 without the transitional
///   mappings. An IPv4 address in whatever notation has its four decimal numbers, an IPv6 address its shortest form.
/// - The path begins with a slash and has no `.` or `..` in it. What no address may have, such as spaces and letters
///   beyond ASCII, is escaped; escapes that are there stay.
/// - A port that is the scheme's own, a fragment, and a `?` with nothing behind it are dropped.
public struct WebAddress: Sendable {
    /// The whole address in ASCII, with user and password if it has them; reading it again gives the same address.
    public let text: String
    /// Scheme, host and port: what shares connections and limits.
    public let origin: Origin
    /// `user:password`, escaped.
    private let userInfo: String?
    /// Where in the text the path begins.
    private let pathStart: Int

    /// Who answers for an address, as browsers see it: two addresses are of one origin if scheme, host and port are the same.
    public struct Origin: Hashable, Sendable {
        /// `http` or `https`.
        public let scheme: String
        /// The host's name in ASCII and small letters, or its number, an IPv6 address in brackets.
        public let host: String
        /// The port, also where the address does not name it.
        public let port: Int

        /// Goes by ``host``, which says nearly all.
        public func hash(into hasher: inout Hasher) { hasher.combine(host) }
    }

    /// Reads an address.
    /// - Parameters:
    ///   - text: The address. White space and control characters around it, and line breaks in it, do not count.
    ///   - base: What it is relative to; nil, the default, for an address that has to be whole.
    /// - Throws: What is wrong with it.
    public init(_ text: String, relativeTo base: WebAddress? = nil) throws(ParsingError) {
        try self.init(bytes: Array(text.utf8), relativeTo: base)
    }

    /// Reads an address from bytes, which need not be UTF-8: in paths and queries others are escaped as they are.
    private init(bytes: [UInt8], relativeTo base: WebAddress?) throws(ParsingError) {
        var spelling = AddressSpelling(bytes)
        let form = try spelling.spell(relativeTo: base?.origin.scheme)
        if form == .same, let base {
            self = base
            return
        }
        guard let handle = curl_url() else { throw .unreadable }
        defer { curl_url_cleanup(handle) }
        if form == .relative, let base {
            guard curl_url_set(handle, CURLUPART_URL, base.text, 0) == CURLUE_OK else { throw .unreadable }
        }
        let code = spelling.withCString { curl_url_set(handle, CURLUPART_URL, $0, 0) }
        guard code == CURLUE_OK else { throw ParsingError(code) }
        try self.init(handle)
    }

    /// What libcurl has read.
    private init(_ handle: OpaquePointer) throws(ParsingError) {
        func part(_ part: CURLUPart, flags: UInt32 = 0) -> String? {
            var value: UnsafeMutablePointer<CChar>?
            guard curl_url_get(handle, part, &value, flags) == CURLUE_OK, let value else { return nil }
            defer { curl_free(value) }
            return String(cString: value)
        }
        guard let scheme = part(CURLUPART_SCHEME), let host = part(CURLUPART_HOST), !host.isEmpty,
            let port = part(CURLUPART_PORT, flags: UInt32(CURLU_DEFAULT_PORT)).flatMap({ Int($0) })
        else { throw .host }
        // What libcurl does not take for an IPv4 address the system might.
        guard !HostName.endsInNumber(host.utf8) || IPAddress(host) != nil else { throw .host }
        let password = part(CURLUPART_PASSWORD).map { ":\($0)" } ?? ""
        self.init(
            Origin(scheme: scheme, host: host, port: port), userInfo: part(CURLUPART_USER).map { $0 + password },
            path: part(CURLUPART_PATH) ?? "/", query: part(CURLUPART_QUERY))
    }

    private init(_ origin: Origin, userInfo: String?, path: String, query: String?) {
        // As libcurl would put it together, which takes it as long as all the reading.
        var text = origin.scheme
        text += "://"
        if let userInfo {
            text += userInfo
            text += "@"
        }
        text += origin.host
        if origin.port != (origin.scheme == "https" ? 443 : 80) { text += ":\(origin.port)" }
        pathStart = text.utf8.count
        text += path
        if let query, !query.isEmpty {
            text += "?"
            text += query
        }
        self.text = text
        self.origin = origin
        self.userInfo = userInfo
    }
}

extension WebAddress {
    /// `http` or `https`.
    public var scheme: String { origin.scheme }
    /// The host's name in ASCII, or its number, an IPv6 address in brackets.
    public var host: String { origin.host }
    /// The port, also where the address does not name it.
    public var port: Int { origin.port }
    /// The path with its escapes, at least a slash.
    public var path: Substring { pathAndQuery.prefix { $0 != "?" } }
    /// What follows the first question mark, with its escapes; nil if there is none.
    public var query: Substring? {
        let rest = pathAndQuery
        return rest.utf8.firstIndex(of: UInt8(ascii: "?")).map { rest[rest.utf8.index(after: $0)...] }
    }

    /// Whether a user or password is part of it.
    public var hasCredentials: Bool { userInfo != nil }

    /// The same without user and password, as it can be shown.
    public var withoutCredentials: WebAddress {
        hasCredentials ? with(userInfo: nil) : self
    }

    /// The same as Foundation has it.
    public var url: URL {
        // Foundation escapes what it does not take, and takes the rest.
        URL(string: text) ?? URL(filePath: "/")
    }

    /// The network address that stands in place of a name, if one does.
    var literal: IPAddress? { HostName.literal(host) }

    /// Whether it lets whoever has it in, so that it is written nowhere.
    var isSecret: Bool { hasCredentials || SecretParameters.areIn(text) }

    /// The address that a `Location` header names, seen from this one. It is read as browsers do: bytes that are no ASCII are
    /// escaped, whatever character set they were meant in.
    ///
    /// User and password go along only to the same origin.
    func redirected(to location: [UInt8]) throws(ParsingError) -> WebAddress {
        let next = try WebAddress(bytes: location, relativeTo: self)
        return next.origin == origin && !next.hasCredentials ? next.with(userInfo: userInfo) : next
    }

    private var pathAndQuery: Substring { text[text.utf8.index(text.startIndex, offsetBy: pathStart)...] }

    private func with(userInfo: String?) -> WebAddress {
        WebAddress(origin, userInfo: userInfo, path: String(path), query: query.map(String.init))
    }
}

extension WebAddress: Hashable {
    /// Whether both are one address, however they were written.
    public static func == (left: WebAddress, right: WebAddress) -> Bool { left.text == right.text }

    /// Goes by ``text``.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension WebAddress: CustomStringConvertible {
    /// The address without user and password.
    public var description: String { withoutCredentials.text }
}
