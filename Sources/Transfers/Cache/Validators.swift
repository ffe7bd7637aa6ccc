/// By what a server recognises an answer that it gave (RFC 9110, 8.8).
package struct Validators: Hashable, Sendable {
    /// By what the address is known again that gave the answer: nobody else is asked about it.
    let fingerprint: String
    let entityTag: String?
    let lastModified: String?

    var isEmpty: Bool { entityTag == nil && lastModified == nil }

    /// The request's header lines, for a request to `address` (RFC 9111, 4.3.1).
    func lines(for address: String) -> [String] {
        guard AddressFingerprint.of(address) == fingerprint else { return [] }
        var lines: [String] = []
        if let entityTag { lines.append("If-None-Match: \(entityTag)") }
        if let lastModified { lines.append("If-Modified-Since: \(lastModified)") }
        return lines
    }

    /// Whether an answer with status 304 is about what is stored (RFC 9111, 4.3.4): a tag that it names has to be the
    /// stored one, and without a tag to compare, a date that it names.
    func matches(_ fields: HeaderFields) -> Bool {
        switch (entityTag, Self.usable("etag", of: fields)) {
        case (let own?, let other?): return Self.weak(own) == Self.weak(other)
        // A strong tag says which representation is meant, and none with that tag is stored.
        case (nil, let other?) where !other.hasPrefix("W/"): return false
        default:
            guard let lastModified, let other = Self.usable("last-modified", of: fields) else { return true }
            return lastModified == other
        }
    }

    /// A value that a request can have in its head; one that would break that is none.
    static func usable(_ name: String, of fields: HeaderFields) -> String? {
        guard let value = fields.first(name), !value.isEmpty, value.utf8.count <= 1_024 else { return nil }
        return value.utf8.allSatisfy { $0 >= 32 && $0 != 127 } ? value : nil
    }

    /// The tag without its mark for weakness (RFC 9110, 8.8.3.2).
    private static func weak(_ tag: String) -> Substring {
        tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    }
}
