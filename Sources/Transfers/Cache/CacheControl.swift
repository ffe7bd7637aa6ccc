/// What a server says about keeping its answer: the directives of `Cache-Control` that matter to a private cache (RFC 9111,
/// 5.2.2; RFC 5861 for the two about stale answers; RFC 8246 for `immutable`).
///
/// `s-maxage`, `private` and `proxy-revalidate` are for others: this cache has one user. What cannot be read is taken the careful way: a `max-age` that is no number makes the
/// answer stale (4.2.1), of directives that are there twice the stricter one counts.
struct CacheControl: Hashable, Sendable {
    /// How long the answer is fresh, in seconds.
    private(set) var maxAge: Int?
    /// It may be stored nowhere, unless ``mustUnderstand`` is there, too.
    private(set) var noStore = false
    /// It may be stored by whoever knows what its status asks of caches (5.2.2.3).
    private(set) var mustUnderstand = false
    /// It may be stored, and be used only after the server was asked. With field names it would be about those fields
    /// only; a cache may take it to be about everything (5.2.2.4).
    private(set) var noCache = false
    /// Once stale it may not be used without the server, not even offline.
    private(set) var mustRevalidate = false
    /// It may be stored although nothing says for how long.
    private(set) var isPublic = false
    /// It does not change while it is fresh, so that asking again is of no use.
    private(set) var isImmutable = false
    /// For how many seconds after it became stale it may be used while the server is being asked.
    private(set) var staleWhileRevalidate = 0
    /// For how many seconds after it became stale it may be used in place of a server's error.
    private(set) var staleIfError = 0

    /// What a number of seconds is at most: one that is larger is taken for this (1.2.2).
    static let longest = 1 << 31

    /// Reads all `Cache-Control` fields of an answer, and `Pragma`'s successor only: that one is for requests.
    init(_ fields: HeaderFields) {
        var windows: (stale: Int?, error: Int?) = (nil, nil)
        for value in fields.values("cache-control") {
            for (name, argument) in Self.directives(value) {
                switch name {
                case "max-age": maxAge = min(maxAge ?? Self.longest, Self.seconds(argument) ?? 0)
                case "no-store": noStore = true
                case "must-understand": mustUnderstand = true
                case "no-cache": noCache = true
                case "must-revalidate": mustRevalidate = true
                case "public": isPublic = true
                case "immutable": isImmutable = true
                case "stale-while-revalidate":
                    windows.stale = min(windows.stale ?? Self.longest, Self.seconds(argument) ?? 0)
                case "stale-if-error":
                    windows.error = min(windows.error ?? Self.longest, Self.seconds(argument) ?? 0)
                default: break
                }
            }
        }
        if mustUnderstand { noStore = false }
        staleWhileRevalidate = windows.stale ?? 0
        staleIfError = windows.error ?? 0
    }

    /// The seconds that a text names; nil if it names none.
    static func seconds(_ text: String?) -> Int? {
        guard let text, !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return min(Int(text) ?? longest, longest)
    }

    /// The directives of a field, names in small letters; commas and signs within quotes belong to the argument.
    private static func directives(_ value: String) -> [(name: String, argument: String?)] {
        var directives: [(name: String, argument: String?)] = []
        var name: [UInt8] = []
        var argument: [UInt8]?
        var isQuoted = false
        var isEscaped = false
        func flush() {
            let text = String(decoding: name, as: UTF8.self).trimmed.lowercased()
            if !text.isEmpty { directives.append((text, argument.map { String(decoding: $0, as: UTF8.self).trimmed })) }
            name = []
            argument = nil
        }
        for byte in value.utf8 {
            switch byte {
            case _ where isEscaped:
                argument?.append(byte)
                isEscaped = false
            case UInt8(ascii: "\\") where isQuoted: isEscaped = true
            case UInt8(ascii: "\"") where argument != nil: isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted: flush()
            case UInt8(ascii: "=") where argument == nil: argument = []
            default: if argument == nil { name.append(byte) } else { argument?.append(byte) }
            }
        }
        flush()
        return directives
    }
}
