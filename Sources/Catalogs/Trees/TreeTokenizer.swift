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
    /// The end of the source, after the root.
    case end
}

/// Takes a tree's source apart, without knowing what a catalog is. It answers for the format's own grammar: brackets
/// match, and nothing follows the root.
protocol TreeTokenizer {
    static var format: CatalogFormat { get }
    /// Whether places in the source are lines and columns.
    static var hasLines: Bool { get }
    /// A state between two tokens, to which a tokenizer can go back.
    associatedtype Mark
    var mark: Mark { get }
    /// Where the last token begins.
    var tokenStart: Int { get }

    mutating func next() throws(SourceDamage) -> TreeToken
    /// After damage inside the value that comes next at `mark`: goes to that value's end without looking into it.
    /// - Returns: False where that end cannot be told, or the damage is elsewhere. The tokenizer is of no use then.
    mutating func skipValue(at mark: Mark, after damage: SourceDamage) -> Bool
    /// Decodes a text to the end of an arena. A text with a flaw is stored as it is written.
    mutating func store(_ text: TreeText, in arena: ByteArena) throws(SourceDamage) -> ArenaRange
    /// Whether a key is a word, in either case; `word` is lower case.
    func matches(_ text: TreeText, _ word: StaticString) -> Bool
}

extension TreeTokenizer {
    mutating func skipValue(at mark: Mark, after damage: SourceDamage) -> Bool { false }

    /// Goes past the rest of a container whose start was the last token.
    mutating func skipContainer() throws(SourceDamage) {
        var depth = 1
        while depth > 0 {
            switch try next() {
            case .dictionaryStart, .arrayStart: depth += 1
            case .dictionaryEnd, .arrayEnd: depth -= 1
            case .end: return
            case .key, .text, .other: break
            }
        }
    }
}
