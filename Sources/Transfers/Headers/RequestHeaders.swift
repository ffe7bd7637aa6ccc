/// Header fields that a request is sent with beside the client's own: what lets somebody in, for instance.
///
/// They are part of what is asked for. Two requests with different headers share neither a transfer nor an answer in a cache.
/// Values are written nowhere: not into descriptions, not into errors, and into caches only as a part of a SHA-256.
///
/// ```swift
/// import Transfers
///
/// var headers = try RequestHeaders.authorization(bearer: "5ecre7")
/// try headers.set("Accept-Language", to: "ko")
/// print(headers)
/// ```
/// ```text
/// Accept-Language, Authorization
/// ```
public struct RequestHeaders: Hashable, Sendable {
    private struct Field: Hashable, Sendable {
        /// In small letters, as names do not differ by them.
        let key: String
        /// As it was written, for servers that do not know that.
        let name: String
        let value: String

        static func == (one: Field, other: Field) -> Bool { one.key == other.key && one.value == other.value }

        func hash(into hasher: inout Hasher) {
            hasher.combine(key)
            hasher.combine(value)
        }
    }

    /// By key, so that the order in which they were set makes no difference.
    private var fields: [Field] = []

    /// None.
    public init() {}

    /// Fields by name. Of two with one name the last one counts.
    /// - Throws: Which one cannot be sent, see ``set(_:to:)``.
    public init(_ fields: KeyValuePairs<String, String>) throws(FieldError) {
        for (name, value) in fields { try set(name, to: value) }
    }

    /// One field as it stands in a request: `Name: value`. White space around the value does not count.
    /// - Throws: ``FieldError/noColon`` for a line without one, and what ``set(_:to:)`` throws.
    public init(line: String) throws(FieldError) {
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")) else { throw .noColon }
        try set(String(line[..<colon]), to: String(line[colon...].dropFirst()))
    }

    /// Sets a field, in place of what it was set to before.
    /// - Parameters:
    ///   - name: Its name, of the characters that HTTP allows (RFC 9110, 5.6.2): letters, digits, hyphens and some other signs.
    ///   - value: Its value without line breaks and other control characters; white space around it does not count.
    /// - Throws: What is wrong with the name or the value, or that the client sets this field itself.
    public mutating func set(_ name: String, to value: String) throws(FieldError) {
        guard Self.isToken(name) else { throw .name }
        let key = name.lowercased()
        guard !Self.isReserved(key) else { throw .reserved(name: name) }
        let value = value.trimmed
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { throw .value(name: name) }
        let field = Field(key: key, name: name, value: value)
        let index = fields.firstIndex { $0.key >= key } ?? fields.endIndex
        if index < fields.endIndex, fields[index].key == key {
            fields[index] = field
        } else {
            fields.insert(field, at: index)
        }
    }

    /// These and others; where both have a field of one name, the other's counts.
    public func merging(_ others: RequestHeaders) -> RequestHeaders {
        guard !others.isEmpty else { return self }
        guard !isEmpty else { return others }
        var merged = self
        let replaced = Set(others.fields.map(\.key))
        merged.fields = (fields.filter { !replaced.contains($0.key) } + others.fields).sorted { $0.key < $1.key }
        return merged
    }

    /// Whether there are none.
    public var isEmpty: Bool { fields.isEmpty }

    /// The names as they were written, in the order of the alphabet.
    public var names: [String] { fields.map(\.name) }

    /// The value of a field, whose name is given in whatever letters; nil if it is not set.
    public func value(of name: String) -> String? {
        let key = name.lowercased()
        return fields.first { $0.key == key }?.value
    }

    // MARK: For transfers

    /// Header lines as libcurl takes them: without a value it would take a field away; a semicolon is how it is told to send an
    /// empty one.
    /// - Parameter names: Which fields are left out, in small letters.
    func lines(without names: Set<String> = []) -> [String] {
        if fields.isEmpty { return [] }
        return fields.filter { !names.contains($0.key) }
            .map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    }

    /// All of them as one text that no others have.
    var text: String { fields.map { "\($0.key): \($0.value)\n" }.joined() }

    /// Whether user and password are among them: somebody who has a fingerprint of these could guess.
    var hasPassword: Bool {
        value(of: "Authorization")?.prefix { $0 != " " && $0 != "\t" }.lowercased() == "basic"
    }

    /// Whether a text is a token (RFC 9110, 5.6.2).
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                case UInt8(ascii: "!"), 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E...0x60, 0x7C, 0x7E: true
                default: false
                }
            }
    }
}

extension RequestHeaders {
    /// Why a field cannot be sent. Values are not part of it.
    public enum FieldError: Error, Hashable, Sendable {
        /// The name is empty, or has a character that HTTP does not allow.
        case name
        /// The value of the field has a line break or another control character.
        case value(name: String)
        /// The client sets the field itself.
        case reserved(name: String)
        /// A line has no colon between name and value.
        case noColon
        /// A user's name has a colon, a user's name or password a control character, or a token is empty or has a space.
        case credentials
    }
}

extension RequestHeaders.FieldError: CustomStringConvertible {
    /// A sentence for a person.
    public var description: String {
        switch self {
        case .name: "The name of a header has letters, digits and -, and no spaces."
        case .value(let name): "The value of the header \(name) has a line break or another control character."
        case .reserved(let name): "The header \(name) is set by the program itself."
        case .noColon: "A header has a colon between its name and its value."
        case .credentials: "These are no user and password, or no token, that HTTP could send."
        }
    }
}

extension RequestHeaders: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The names, without the values.
    public var description: String { names.joined(separator: ", ") }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// Nothing but the names, so that `dump` shows no values either.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: names) }
}
