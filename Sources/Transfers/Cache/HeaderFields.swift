/// The header fields of an answer, in the order in which they came.
struct HeaderFields: Hashable, Sendable, Codable {
    struct Field: Hashable, Sendable, Codable {
        /// In small letters.
        let name: String
        let value: String
    }

    private(set) var fields: [Field] = []

    init() {}

    init(_ pairs: KeyValuePairs<String, String>) {
        for (name, value) in pairs { append(name, value) }
    }

    mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name.lowercased(), value: value))
    }

    /// All values of a field, whose name is given in small letters.
    func values(_ name: String) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }

    /// The first value of a field that is to be there once (RFC 9110, 5.3).
    func first(_ name: String) -> String? {
        fields.first { $0.name == name }?.value
    }

    /// The members of a field that is a list, in small letters (RFC 9110, 5.6.1); empty ones do not count.
    func list(_ name: String) -> [String] {
        values(name).flatMap { $0.split(separator: ",") }
            .map { $0.trimmed.lowercased() }.filter { !$0.isEmpty }
    }

    /// Only those fields that a cache goes by: the others need not be kept.
    var cached: HeaderFields {
        var kept = HeaderFields()
        kept.fields = fields.filter { Self.cachedNames.contains($0.name) }
        return kept
    }

    /// The fields as an answer with status 304 changes them: each one that it has replaces the one that was stored (RFC
    /// 9111, 3.2). The type stays, because it belongs to the body that stays. The age and the date do not: they say when an answer
    /// was made, and those of the former one would keep it stale for good where the new one does not name its own. A tag is not
    /// given to a body that came without one.
    func updated(by other: HeaderFields) -> HeaderFields {
        let kept: Set = first("etag") == nil ? ["content-type", "etag"] : ["content-type"]
        let new = other.cached.fields.filter { !kept.contains($0.name) }
        let replaced = Set(new.map(\.name)).union(["age", "date"])
        var updated = HeaderFields()
        updated.fields = fields.filter { !replaced.contains($0.name) } + new
        return updated
    }

    /// The fields but for some, whose names are given in small letters.
    func without(_ names: Set<String>) -> HeaderFields {
        var rest = HeaderFields()
        rest.fields = fields.filter { !names.contains($0.name) }
        return rest
    }

    /// The bytes of all names and values.
    var byteCount: Int { fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } }

    private static let cachedNames: Set<String> = [
        "age", "cache-control", "content-type", "date", "etag", "expires", "last-modified", "vary",
        // Not for the cache itself: whoever gets the answer may have to know.
        "x-robots-tag",
    ]
}

extension StringProtocol {
    /// Without the white space around it that HTTP knows.
    var trimmed: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        guard let first = firstIndex(where: { !isSpace($0) }), let last = lastIndex(where: { !isSpace($0) }) else {
            return ""
        }
        return String(self[first...last])
    }
}
