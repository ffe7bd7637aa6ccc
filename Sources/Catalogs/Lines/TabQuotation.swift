/// Tells a field in quotation marks from one that only begins with such a mark, in a table that is parted by tabs.
///
/// Spreadsheets and programs put fields into quotation marks, as in a table that is parted by commas. Most data sets have no such rule:
/// there a caption may begin with a mark that nothing closes. So a mark opens a quotation only where one that closes it stands before a tab,
/// a line end or the end of the text.
///
/// Inside may be tabs or line ends. Both may be there only in a row whose fields are all in quotation marks, as ``CatalogText`` writes
/// it: otherwise the marks of two captions would swallow the rows between them.
///
/// All fields of a table together take time in proportion to the text. A look for the closing mark ends at the first mark that is not
/// doubled, and at a field that begins with doubled ones a look of its own ends at once: so no two looks go over the same text.
struct TabQuotation {
    /// How far behind its first line end a quotation may end.
    static let most = 1 << 20

    /// What stands before a field in its row.
    enum Before {
        case nothing, quotedFields, others
    }

    let bytes: UnsafeBufferPointer<UInt8>
    let before: Before
    /// Whether the bytes are the beginning of a longer text.
    let isCut: Bool
    private var hasTab = false
    /// The first line end inside.
    private var lineEnd: Int?

    init(_ bytes: UnsafeBufferPointer<UInt8>, before: Before, isCut: Bool) {
        self.bytes = bytes
        self.before = before
        self.isCut = isCut
    }

    /// Reads the field whose quotation mark stands at `opening`.
    ///
    /// - Returns: The field, whose closing mark stands at its end; nil where the mark is a character as any other.
    /// - Throws: Where what follows the bytes would tell.
    mutating func field(at opening: Int) throws(SourceDamage) -> TableField? {
        var field = TableField(start: opening + 1, end: opening + 1, isQuoted: true)
        var position = opening + 1
        while true {
            position = ByteSearch.first(in: bytes, from: position) {
                $0.has(Byte.quote) .| $0.has(Byte.tab) .| $0.has(Byte.lineFeed) .| $0.has(Byte.carriageReturn)
            }
            if let lineEnd, position - lineEnd > Self.most { return nil }
            guard let byte = try byte(at: position, opening) else { return nil }
            switch byte {
            case Byte.quote:
                guard try self.byte(at: position + 1, opening) == Byte.quote else {
                    (field.end, field.hasQuotedTab) = (position, hasTab)
                    return try isEnd(position + 1, opening) ? field : nil
                }
                field.hasDoubledQuotes = true
                position += 1
            case Byte.tab: hasTab = true
            default: lineEnd = lineEnd ?? position
            }
            if hasBoth, before == .others { return nil }
            position += 1
        }
    }

    private var hasBoth: Bool { hasTab && lineEnd != nil }

    /// Whether a field ends at a position, behind a quotation mark.
    private func isEnd(_ position: Int, _ opening: Int) throws(SourceDamage) -> Bool {
        switch try byte(at: position, opening) {
        case nil, Byte.lineFeed, Byte.carriageReturn: return !hasBoth || before == .quotedFields
        case Byte.tab:
            if !hasBoth { return true }
            return try byte(at: position + 1, opening) == Byte.quote
        default: return false
        }
    }

    /// The byte at a position; nil at the end of the text.
    private func byte(at position: Int, _ opening: Int) throws(SourceDamage) -> UInt8? {
        if position < bytes.count { return bytes[position] }
        if isCut { throw .openQuotation(at: opening) }
        return nil
    }
}

extension SourceDamage {
    /// A quotation mark is not closed in what there is.
    static func openQuotation(at opening: Int) -> SourceDamage {
        SourceDamage(offset: opening, reason: "this quotation mark is never closed, so the file may be cut off")
    }
}

extension TabQuotation {
    /// Whether a row with a text has to have all of its fields in quotation marks.
    static func needsQuotedRow(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        hasLineEnd(text) && ByteSearch.first(in: text, from: 0) { $0.has(Byte.tab) } < text.count
    }

    /// Whether a text can be a field; of those with line ends only shorter ones can.
    static func canHold(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        // With all marks doubled.
        2 * text.count <= most || !hasLineEnd(text)
    }

    private static func hasLineEnd(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        ByteSearch.first(in: text, from: 0) { $0.has(Byte.lineFeed) .| $0.has(Byte.carriageReturn) } < text.count
    }
}
