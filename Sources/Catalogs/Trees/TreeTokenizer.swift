/// A text in a source, found and checked but not yet decoded.
struct TreeText {
    /// The first byte and the one after the last, without quotes or tags.
    var start: Int
    var end: Int
    /// Whether the bytes are the text itself, without escapes.
    var isPlain: Bool
    /// What keeps the text from being decoded.
    var flaw: EntryFlaw.Kind?
}

enum TreeToken {
    case dictionaryStart, dictionaryEnd, arrayStart, arrayEnd
    case key(TreeText)
    case text(TreeText)
    case other(TreeValueKind)
    /// A fault that the tokenizer got over, in the place of a value if one was due; it is the innermost entry's.
    case flaw(EntryFlaw.Kind)
    /// The end of the source, after the root.
    case end
}

/// Takes a tree's source apart, without knowing what a catalog is. It answers for the format's own grammar: brackets
/// match, and nothing follows the root.
protocol TreeTokenizer {
    static var format: CatalogFormat { get }
    /// Whether places in the source are lines and columns.
    static var hasLines: Bool { get }
    /// Whether the grammar says what is a key and what is a value, but not that one follows the other.
    static var pairsAreLoose: Bool { get }
    /// A state between two tokens, to which a tokenizer can go back.
    associatedtype Mark
    var mark: Mark { get }
    /// Where the last token begins.
    var tokenStart: Int { get }
    /// How the last token is written, which was a number or a truth value; nil in a format that does not write these as texts.
    var literal: TreeText? { get }
    /// Where the last value begins that is read as null and written as something that no JSON has, such as `NaN`.
    var lastNonFinite: Int? { get }

    mutating func next() throws(SourceDamage) -> TreeToken
    /// After damage inside the value that comes next at `mark`: goes to that value's end without looking into it.
    /// - Returns: False where that end cannot be told, or the damage is elsewhere. The tokenizer is of no use then.
    mutating func skipValue(at mark: Mark, after damage: SourceDamage) -> Bool
    /// Decodes a text to the end of an arena. A text with a flaw is stored as it is written.
    mutating func store(_ text: TreeText, in arena: ByteArena) throws(SourceDamage) -> ArenaRange
    /// Whether a text is UTF-8, as it is written.
    func isUTF8(_ text: TreeText) -> Bool
    /// Whether a key is a word, in either case; `word` is ``Byte/word(_:)``.
    func matches(_ text: TreeText, _ word: [UInt8]) -> Bool
}

extension TreeTokenizer {
    static var pairsAreLoose: Bool { false }
    var literal: TreeText? { nil }
    var lastNonFinite: Int? { nil }

    /// What is wrong with a text that nobody stores, and that is checked all the same.
    func flaw(of text: TreeText) -> FoundFlaw? {
        guard let kind = text.flaw ?? (isUTF8(text) ? nil : .textNotUTF8) else { return nil }
        return FoundFlaw(kind: kind, offset: text.start)
    }

    /// Goes past the rest of a container whose start was the last token.
    /// - Parameter isDictionary: Whether it is one, and no array.
    /// - Returns: The first flaw in it.
    mutating func skipContainer(isDictionary: Bool) throws(SourceDamage) -> FoundFlaw? {
        var depth = 1
        var found: FoundFlaw?
        var pairs = Self.pairsAreLoose ? PairOrder(isDictionary: isDictionary) : nil
        while depth > 0 {
            let token = try next()
            if let kind = pairs?.flaw(at: token) { found = found ?? FoundFlaw(kind: kind, offset: tokenStart) }
            switch token {
            case .dictionaryStart, .arrayStart: depth += 1
            case .dictionaryEnd, .arrayEnd: depth -= 1
            case .end: return found
            case .key(let text), .text(let text): found = found ?? flaw(of: text)
            case .flaw(let kind): found = found ?? FoundFlaw(kind: kind, offset: tokenStart)
            case .other: break
            }
        }
        return found
    }
}
