/// Takes an XML property list apart.
///
/// An own tokenizer and not libxml2's push parser, which would cost the whole catalog what people get wrong in one
/// entry. Of libxml2 2.9.14, in recovery mode: it stops for good at a “<” that is not escaped; takes all that follows a
/// byte that is not UTF-8 for Latin-1, without a word for each name; and finds no end of a DOCTYPE in which an
/// instruction has an apostrophe. The grammar of property lists needs neither a DTD nor declared entities, so both are
/// passed over unread: nothing is fetched, and no entity can grow.
struct XMLPropertyListTokenizer: TreeTokenizer {
    static var format: CatalogFormat { .xmlPropertyList }
    static var hasLines: Bool { true }
    static var pairsAreLoose: Bool { true }

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

    private var scanner: XMLScanner
    private let maximumDepth: Int
    private(set) var tokenStart: Int
    private var open: [Container] = []
    /// Whether a key waits for its value in the innermost container.
    private var hasKey = false
    private var isRootDone = false
    /// What comes next, where one place in the source gives two tokens.
    private var following: TreeToken?

    /// - Parameters:
    ///   - bytes: The source in UTF-8, which outlives the tokenizer.
    ///   - start: Where the text begins, behind a byte order mark.
    init(_ bytes: UnsafeBufferPointer<UInt8>, start: Int, maximumDepth: Int) {
        scanner = XMLScanner(bytes, start: start)
        self.maximumDepth = maximumDepth
        tokenStart = start
    }

    mutating func next() throws(SourceDamage) -> TreeToken {
        if let following {
            self.following = nil
            return following
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
                guard isInside else { throw scanner.damage("text outside the property list") }
                try scanner.skipLooseText()
                return value(.other(.element))
            }
            if isInside ? try scanner.skipComment() : try scanner.skipMarkup() { continue }
            if scanner.starts(with: "</") {
                if let token = try closingTag() { return token }
            } else if let token = try openingTag() {
                return token
            }
        }
    }

    /// Whether a dictionary or an array is open.
    private var isInside: Bool { !open.isEmpty && open != [.plist] }

    /// Notes that a token is a value, which a key no longer waits for.
    private mutating func value(_ token: TreeToken) -> TreeToken {
        hasKey = false
        return token
    }

    // MARK: - Values that are damaged

    struct Mark {
        fileprivate var position: Int
        fileprivate var depth: Int
    }

    var mark: Mark { Mark(position: scanner.position, depth: open.count) }

    mutating func skipValue(at mark: Mark, after damage: SourceDamage) -> Bool {
        guard open.count >= mark.depth else { return false }
        open.removeLast(open.count - mark.depth)
        guard isInside else { return false }
        following = nil
        hasKey = false
        scanner.move(to: mark.position)
        repeat { scanner.skipSpace() } while (try? scanner.skipComment()) == true
        tokenStart = scanner.position
        return scanner.skipElement()
    }

    // MARK: - Tags

    private mutating func closingTag() throws(SourceDamage) -> TreeToken? {
        guard let container = open.last else { throw scanner.damage("an end tag without a start") }
        let tag = try scanner.endTag()
        if tag.isNamed(container.tag, scanner.bytes) {
            scanner.move(to: tag.end)
            if container == .plist, !isRootDone { throw scanner.damage("the property list is empty") }
            return endContainer()
        }
        guard isInside else { throw scanner.damage("“</\(container.tag)>” is missing") }
        if open.contains(where: { tag.isNamed($0.tag, scanner.bytes) }) { return endOpenContainer() }
        scanner.move(to: tag.end)
        return .flaw(.strayEndTag)
    }

    /// Ends the innermost container; the outermost element is none.
    private mutating func endContainer() -> TreeToken? {
        hasKey = false
        guard let container = open.popLast(), container != .plist else { return nil }
        isRootDone = open.isEmpty || open == [.plist]
        return container == .dict ? .dictionaryEnd : .arrayEnd
    }

    /// Ends a container whose end tag is missing, before the tag at the position.
    private mutating func endOpenContainer() -> TreeToken {
        following = endContainer()
        return .flaw(.missingEndTag)
    }

    private mutating func openingTag() throws(SourceDamage) -> TreeToken? {
        let tag = try scanner.startTag()
        if tag.isNamed("plist", scanner.bytes), open.isEmpty, !isRootDone {
            guard !tag.isEmpty else { throw SourceDamage(offset: tokenStart, reason: "the property list is empty") }
            open.append(.plist)
            return nil
        }
        guard !isRootDone else { throw SourceDamage(offset: tokenStart, reason: "more follows after the end") }
        if tag.isNamed("dict", scanner.bytes) {
            // A dictionary where a key must stand is the next one of the array that both are in.
            if !hasKey, open.suffix(2) == [.array, .dict] {
                scanner.move(to: tokenStart)
                return endOpenContainer()
            }
            return try container(.dict, tag)
        }
        if tag.isNamed("array", scanner.bytes) { return try container(.array, tag) }
        if tag.isNamed("string", scanner.bytes) { return value(.text(try scanner.text(of: tag))) }
        if tag.isNamed("key", scanner.bytes) {
            hasKey = true
            return .key(try scanner.text(of: tag))
        }
        return value(try leaf(tag))
    }

    private mutating func container(_ kind: Container, _ tag: XMLTag) throws(SourceDamage) -> TreeToken {
        guard tag.isClosed else { throw SourceDamage(offset: tokenStart, reason: "“<” inside a tag") }
        guard open.count <= maximumDepth else { throw SourceDamage(offset: tokenStart, reason: nil) }
        open.append(kind)
        hasKey = false
        if tag.isEmpty { following = endContainer() }
        return kind == .dict ? .dictionaryStart : .arrayStart
    }

    /// Goes past an element that is neither text nor container.
    private mutating func leaf(_ tag: XMLTag) throws(SourceDamage) -> TreeToken {
        let names: [(StaticString, TreeValueKind)] = [
            ("integer", .number), ("real", .number), ("true", .boolean), ("false", .boolean), ("date", .date),
            ("data", .data),
        ]
        guard let known = names.first(where: { tag.isNamed($0.0, scanner.bytes) }) else {
            guard tag.isClosed else { return .flaw(.missingEndTag) }
            if !tag.isEmpty { try scanner.skipElement(tag, maximumDepth: maximumDepth) }
            return .other(.element)
        }
        return try scanner.text(of: tag).flaw.map { .flaw($0) } ?? .other(known.1)
    }

    // MARK: - Texts

    func isUTF8(_ text: TreeText) -> Bool { UTF8Validation.isValid(scanner.bytes[text.start..<text.end]) }

    func store(_ text: TreeText, in arena: ByteArena) -> ArenaRange { scanner.store(text, in: arena) }

    func matches(_ text: TreeText, _ word: [UInt8]) -> Bool {
        if text.isPlain { return Byte.equal(scanner.bytes[text.start..<text.end], ignoringCase: word) }
        guard text.flaw == nil else { return false }
        let arena = ByteArena(capacity: text.end - text.start)
        return Byte.equal(arena.bytes(store(text, in: arena)), ignoringCase: word)
    }
}
