/// What proves that a later answer is byte for byte the same representation; sent in `If-Range` (RFC 9110, 13.1.5).
struct StrongValidator: Hashable, Sendable {
    /// The header's value, an entity tag or a date, as it was sent.
    let value: String

    /// The strong validator of an answer; nil if it has none.
    ///
    /// An entity tag that is not weak. Only where there is no tag at all: a modification date that is at least a minute
    /// before the answer's own date, so that a second change within the same second cannot be missed and clocks that
    /// differ a little do not matter (RFC 9110, 8.8.2.2).
    init?(entityTag: String?, lastModified: String?, date: String?) {
        if let entityTag {
            guard Self.isStrong(entityTag) else { return nil }
            value = entityTag
        } else if let lastModified, let date, let modified = HTTPDate.seconds(lastModified),
            let sent = HTTPDate.seconds(date),
            sent - modified >= 60
        {
            value = lastModified
        } else {
            return nil
        }
    }

    /// A validator that was kept.
    init(kept value: String) {
        self.value = value
    }

    /// Whether an answer with these validators can be about the same representation. A part need not repeat any of them.
    ///
    /// Not if it names another one of the same kind. Where a date was kept there was no tag, so that a tag is another
    /// representation's.
    func isConfirmed(entityTag: String?, lastModified: String?) -> Bool {
        if value.hasPrefix("\"") { return entityTag == nil || entityTag == value }
        return entityTag == nil && (lastModified == nil || lastModified == value)
    }

    /// `"…"` with the characters of RFC 9110, 8.8.3, and not `W/"…"`.
    private static func isStrong(_ tag: String) -> Bool {
        let bytes = Array(tag.utf8)
        guard bytes.count >= 2, bytes.first == UInt8(ascii: "\""), bytes.last == UInt8(ascii: "\"") else {
            return false
        }
        return bytes[1..<(bytes.count - 1)].allSatisfy { $0 == 0x21 || (0x23...0x7E).contains($0) || $0 >= 0x80 }
    }
}
