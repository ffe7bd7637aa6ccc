/// Takes an XML property list apart.
///
/// An own tokenizer and not libxml2, because a conforming XML processor has to give up the whole document for what
/// people get wrong in one entry: a bare `&` in an address, or a byte that is not UTF-8. The grammar of property lists
/// needs neither a DTD nor declared entities, so both are passed over unread: nothing is fetched, and no entity can
/// grow.
struct XMLPropertyListTokenizer: TreeTokenizer {
    static var format: CatalogFormat { .xmlPropertyList }
    static var hasLines: Bool { true }

    private enum Container {
        case plist, dict, array

        var tag: StaticString {
            switch self {
            case .plist: "plist"
            case .dict: "dict"
            case .array: "array"
            }
        }
    }

    /// Damage is not recovered from.
    var mark: Void { () }

    private var scanner: XMLScanner
    private let maximumDepth: Int
    private(set) var tokenStart: Int
    private var open: [Container] = []
    private var isRootDone = false
    /// Whether the last token began a container that ended in the same tag, `<dict/>`.
    private var isAtEmptyEnd = false

    /// - Parameters:
    ///   - bytes: The source in UTF-8, which outlives the tokenizer.
    ///   - start: Where the text begins, behind a byte order mark.
    init(_ bytes: UnsafeBufferPointer<UInt8>, start: Int, maximumDepth: Int) {
        scanner = XMLScanner(bytes, start: start)
        self.maximumDepth = maximumDepth
        tokenStart = start
    }

    mutating func next() throws(SourceDamage) -> TreeToken {
        if isAtEmptyEnd {
            isAtEmptyEnd = false
            if let token = endContainer() { return token }
        }
        while true {
            scanner.skipSpace()
            tokenStart = scanner.position
            guard let byte = scanner.byte else {
                if isRootDone, open.isEmpty { return .end }
                throw scanner.cutOff()
            }
            if byte != Byte.less || scanner.starts(with: "<![CDATA[") {
                // Text between elements is nobody's name or address: an entry that says so.
                guard !open.isEmpty, open != [.plist] else { throw scanner.damage("text outside the property list") }
                try scanner.skipLooseText()
                return .other(.element)
            }
            if try scanner.skipMarkup() { continue }
            if scanner.starts(with: "</") {
                if let token = try closingTag() { return token }
            } else if let token = try openingTag() {
                return token
            }
        }
    }

    private mutating func closingTag() throws(SourceDamage) -> TreeToken? {
        guard let container = open.last else { throw scanner.damage("an end tag without a start") }
        try scanner.closeTag(named: container.tag)
        if container == .plist, !isRootDone { throw scanner.damage("the property list is empty") }
        return endContainer()
    }

    /// Ends the innermost container; the outermost element is none.
    private mutating func endContainer() -> TreeToken? {
        guard let container = open.popLast(), container != .plist else { return nil }
        isRootDone = open.isEmpty || open == [.plist]
        return container == .dict ? .dictionaryEnd : .arrayEnd
    }

    private mutating func openingTag() throws(SourceDamage) -> TreeToken? {
        let tag = try scanner.openTag()
        if tag.isNamed("plist", scanner.bytes), open.isEmpty, !isRootDone {
            guard !tag.isEmpty else { throw SourceDamage(offset: tokenStart, reason: "the property list is empty") }
            open.append(.plist)
            return nil
        }
        guard !isRootDone else { throw SourceDamage(offset: tokenStart, reason: "more follows after the end") }
        if tag.isNamed("dict", scanner.bytes) { return try container(.dict, tag) }
        if tag.isNamed("array", scanner.bytes) { return try container(.array, tag) }
        if tag.isNamed("string", scanner.bytes) { return .text(try scanner.text(of: tag)) }
        if tag.isNamed("key", scanner.bytes) { return .key(try scanner.text(of: tag)) }
        if !tag.isEmpty { try scanner.skipElement(tag, maximumDepth: maximumDepth) }
        return .other(kind(of: tag))
    }

    private mutating func container(_ kind: Container, _ tag: XMLTag) throws(SourceDamage) -> TreeToken {
        guard open.count <= maximumDepth else { throw SourceDamage(offset: tokenStart, reason: nil) }
        open.append(kind)
        isAtEmptyEnd = tag.isEmpty
        return kind == .dict ? .dictionaryStart : .arrayStart
    }

    private func kind(of tag: XMLTag) -> TreeValueKind {
        let names: [(StaticString, TreeValueKind)] = [
            ("integer", .number), ("real", .number), ("true", .boolean), ("false", .boolean), ("date", .date),
            ("data", .data),
        ]
        return names.first { tag.isNamed($0.0, scanner.bytes) }?.1 ?? .element
    }

    func store(_ text: TreeText, in arena: ByteArena) -> ArenaRange { scanner.store(text, in: arena) }

    func matches(_ text: TreeText, _ word: StaticString) -> Bool {
        if text.isPlain { return Byte.equal(scanner.bytes[text.start..<text.end], ignoringCase: word) }
        guard text.flaw == nil else { return false }
        let arena = ByteArena(capacity: text.end - text.start)
        return Byte.equal(arena.bytes(store(text, in: arena)), ignoringCase: word)
    }
}
