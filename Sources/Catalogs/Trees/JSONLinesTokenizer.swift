/// Takes JSON Lines apart, as an array whose elements are the values of the lines. What is wrong in a line costs that line.
struct JSONLinesTokenizer: TreeTokenizer {
    static var format: CatalogFormat { .jsonLines }
    static var hasLines: Bool { true }

    private enum Place {
        case beginning, betweenLines, inLine, end
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private let maximumDepth: Int
    private var place = Place.beginning
    /// Where the next line begins, and the one that is taken apart.
    private var nextLine: Int
    private var line: JSONTokenizer
    private(set) var tokenStart: Int
    var literal: TreeText? { line.literal }
    var lastNonFinite: Int? { line.lastNonFinite }

    /// - Parameters:
    ///   - bytes: The source, which outlives the tokenizer.
    ///   - start: Where the text begins, behind a byte order mark.
    init(_ bytes: UnsafeBufferPointer<UInt8>, start: Int, maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
        nextLine = start
        tokenStart = start
        line = JSONTokenizer(bytes, start: start, maximumDepth: maximumDepth)
    }

    mutating func next() throws(SourceDamage) -> TreeToken {
        switch place {
        case .beginning:
            place = .betweenLines
            return .arrayStart
        case .end: return .end
        case .inLine:
            defer { tokenStart = line.tokenStart }
            let token = try line.next()
            guard case .end = token else { return token }
            place = .betweenLines
        case .betweenLines: break
        }
        guard beginLine() else {
            place = .end
            tokenStart = bytes.count
            return .arrayEnd
        }
        place = .inLine
        defer { tokenStart = line.tokenStart }
        return try line.next()
    }

    /// Goes to the next line in which something stands.
    private mutating func beginLine() -> Bool {
        while nextLine < bytes.count {
            let end = bytes[nextLine...].firstIndex(of: Byte.lineFeed) ?? bytes.count
            let (start, text) = (nextLine, bytes[nextLine..<end])
            nextLine = end + 1
            guard let first = text.firstIndex(where: { !Byte.isSpace($0) }) else { continue }
            tokenStart = first
            line = JSONTokenizer(
                UnsafeBufferPointer(rebasing: bytes[..<end]), start: start, maximumDepth: maximumDepth)
            return true
        }
        return false
    }

    var mark: Void {}

    /// The damage is in the line that was begun last, since no value goes on in another one.
    mutating func skipValue(at mark: Void, after damage: SourceDamage) -> Bool {
        place = .betweenLines
        return true
    }

    func store(_ text: TreeText, in arena: ByteArena) -> ArenaRange { line.store(text, in: arena) }
    func isUTF8(_ text: TreeText) -> Bool { line.isUTF8(text) }
    func matches(_ text: TreeText, _ word: [UInt8]) -> Bool { line.matches(text, word) }
}
