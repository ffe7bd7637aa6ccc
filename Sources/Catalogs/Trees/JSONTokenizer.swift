/// Takes JSON (RFC 8259) apart, strictly, with two exceptions: what is wrong inside one string is that string's flaw alone, and `NaN`,
/// `Infinity` and `-Infinity`, which Python and DuckDB write for numbers that JSON does not have, are null.
struct JSONTokenizer: TreeTokenizer {
    static var format: CatalogFormat { .json }
    static var hasLines: Bool { true }

    fileprivate enum Expectation {
        case value, firstKey, key, firstElement, separator, nothing
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position: Int
    private(set) var tokenStart: Int
    private(set) var lastNonFinite: Int?
    var literal: TreeText? { TreeText(start: tokenStart, end: position, isPlain: true, flaw: nil) }
    private var expectation = Expectation.value
    private var containers: OpenContainers

    /// - Parameters:
    ///   - bytes: The source, which outlives the tokenizer.
    ///   - start: Where the text begins, behind a byte order mark.
    init(_ bytes: UnsafeBufferPointer<UInt8>, start: Int, maximumDepth: Int) {
        self.bytes = bytes
        containers = OpenContainers(maximumDepth: maximumDepth)
        position = start
        tokenStart = start
    }

    mutating func next() throws(SourceDamage) -> TreeToken {
        while true {
            let byte = skipSpace()
            tokenStart = position
            guard let byte else {
                if expectation == .nothing { return .end }
                throw .cutOff(at: position)
            }
            switch expectation {
            case .nothing: throw damage("more follows after the end")
            case .value: return try value(byte)
            case .firstElement:
                if byte == UInt8(ascii: "]") { return close() }
                return try value(byte)
            case .firstKey, .key:
                if byte == UInt8(ascii: "}"), expectation == .firstKey { return close() }
                return try key(byte)
            case .separator:
                if let end = try separator(byte) { return end }
            }
        }
    }

    // MARK: - Values that are damaged

    struct Mark {
        fileprivate var position: Int
        fileprivate var depth: Int
        fileprivate var expectation: Expectation
    }

    var mark: Mark { Mark(position: position, depth: containers.depth, expectation: expectation) }

    mutating func skipValue(at mark: Mark, after damage: SourceDamage) -> Bool {
        position = mark.position
        containers.leave(downTo: mark.depth)
        guard var byte = skipSpace() else { return false }
        switch mark.expectation {
        case .value, .firstElement: break
        case .separator:
            guard byte == Byte.comma, containers.isInDictionary == false else { return false }
            position += 1
            guard let first = skipSpace() else { return false }
            byte = first
        case .firstKey, .key, .nothing: return false
        }
        tokenStart = position
        var brackets = SkippedBrackets(inDictionary: containers.isInDictionary == true)
        while true {
            switch byte {
            case Byte.quote: if (try? string()) == nil { return false }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                brackets.begin(dictionary: byte == UInt8(ascii: "{"))
                position += 1
            case Byte.comma where brackets.isEmpty || (brackets.isBareEntry && isBeforeObject):
                return isAfterValue()
            case UInt8(ascii: "}") where brackets.isInArray && standsForBracket(brackets.dictionaryCount):
                brackets.endInnermost()
                position += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard brackets.end(dictionary: byte == UInt8(ascii: "}")) else { return isAfterValue() }
                position += 1
            default: position += 1
            }
            guard position < bytes.count else { return false }
            byte = bytes[position]
        }
    }

    /// Goes on behind a value that was skipped. Nothing at all is no element: the fault is in the commas.
    private mutating func isAfterValue() -> Bool {
        expectation = .separator
        return containers.isInDictionary == true || position > tokenStart
    }

    /// Whether the “}” at the position was meant to be “]”, as in `{"a":{"b":[1}},"c":…`: behind it are as many as there are objects
    /// to end, and then the text goes on.
    private func standsForBracket(_ objects: Int) -> Bool {
        // Not far: where many are wrong each would be looked behind.
        guard objects < 64 else { return false }
        var (index, count) = (position, 0)
        while index < bytes.count, count <= objects, bytes[index] == UInt8(ascii: "}") || Byte.isSpace(bytes[index]) {
            if bytes[index] == UInt8(ascii: "}") { count += 1 }
            index += 1
        }
        guard count > objects else { return false }
        return containers.isInDictionary != true || bytes[index...].first { !Byte.isSpace($0) } == Byte.comma
    }

    /// Whether an object comes next behind the comma at the position.
    private var isBeforeObject: Bool {
        bytes[(position + 1)...].first { !Byte.isSpace($0) } == UInt8(ascii: "{")
    }

    // MARK: - Structure

    private mutating func skipSpace() -> UInt8? {
        while position < bytes.count {
            let byte = bytes[position]
            guard Byte.isSpace(byte) else { return byte }
            position += 1
        }
        return nil
    }

    private mutating func key(_ byte: UInt8) throws(SourceDamage) -> TreeToken {
        guard byte == Byte.quote else { throw damage("a key in quotation marks is missing") }
        let text = try string()
        guard let colon = skipSpace() else { throw cutOff() }
        guard colon == Byte.colon else { throw damage("“:” is missing after a key") }
        position += 1
        expectation = .value
        return .key(text)
    }

    private mutating func separator(_ byte: UInt8) throws(SourceDamage) -> TreeToken? {
        let inObject = containers.isInDictionary ?? false
        if byte == Byte.comma {
            position += 1
            expectation = inObject ? .key : .value
            return nil
        }
        guard byte == (inObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
            throw damage(inObject ? "“,” or “}” is missing" : "“,” or “]” is missing")
        }
        return close()
    }

    private mutating func close() -> TreeToken {
        position += 1
        let token = containers.close()
        expectation = containers.isEmpty ? .nothing : .separator
        return token
    }

    private mutating func open(object: Bool) throws(SourceDamage) -> TreeToken {
        let token = try containers.open(dictionary: object, at: position)
        position += 1
        expectation = object ? .firstKey : .firstElement
        return token
    }

    private mutating func value(_ byte: UInt8) throws(SourceDamage) -> TreeToken {
        switch byte {
        case UInt8(ascii: "{"): return try open(object: true)
        case UInt8(ascii: "["): return try open(object: false)
        default: break
        }
        let token: TreeToken
        switch byte {
        case Byte.quote: token = .text(try string())
        case UInt8(ascii: "t"): token = try word("true", .boolean)
        case UInt8(ascii: "f"): token = try word("false", .boolean)
        case UInt8(ascii: "n"): token = try word("null", .null)
        case UInt8(ascii: "N"): token = try nonFinite("NaN")
        case UInt8(ascii: "I"): token = try nonFinite("Infinity")
        case UInt8(ascii: "-") where bytes.count > position + 1 && bytes[position + 1] == UInt8(ascii: "I"):
            token = try nonFinite("-Infinity")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): token = try number()
        default: throw damage("a value is missing")
        }
        // What goes on is a part of the value, which is none then.
        if case .other = token, position < bytes.count, Byte.isLetter(bytes[position]) || Byte.isDigit(bytes[position])
        {
            throw damage("an unknown word")
        }
        expectation = containers.isEmpty ? .nothing : .separator
        return token
    }

    private mutating func word(_ word: StaticString, _ kind: TreeValueKind) throws(SourceDamage) -> TreeToken {
        let count = word.utf8CodeUnitCount
        let matches = word.withUTF8Buffer { letters in bytes[position...].prefix(count).elementsEqual(letters) }
        guard matches else {
            let isCut = word.withUTF8Buffer { $0.starts(with: bytes[position...]) }
            throw isCut ? cutOff() : damage("an unknown word")
        }
        position += count
        return .other(kind)
    }

    /// What programs write in the place of a number that is none.
    private mutating func nonFinite(_ name: StaticString) throws(SourceDamage) -> TreeToken {
        lastNonFinite = position
        return try word(name, .null)
    }

    /// A number of any size: none is ever worked out.
    private mutating func number() throws(SourceDamage) -> TreeToken {
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        if position < bytes.count, bytes[position] == UInt8(ascii: "0") {
            position += 1
        } else {
            try digits()
        }
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            try digits()
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
                position += 1
            }
            try digits()
        }
        return .other(.number)
    }

    private mutating func digits() throws(SourceDamage) {
        guard position < bytes.count else { throw cutOff() }
        guard Byte.isDigit(bytes[position]) else { throw damage("a digit is missing") }
        while position < bytes.count, Byte.isDigit(bytes[position]) { position += 1 }
    }

    private func damage(_ reason: CatalogReason) -> SourceDamage { SourceDamage(offset: position, reason: reason) }

    private func cutOff() -> SourceDamage { .cutOff(at: bytes.count) }
}

// MARK: - Strings

extension JSONTokenizer {
    /// The string whose opening quotation mark is at the position.
    private mutating func string() throws(SourceDamage) -> TreeText {
        position += 1
        var text = TreeText(start: position, end: position, isPlain: true, flaw: nil)
        while position < bytes.count {
            let byte = bytes[position]
            if byte == Byte.quote {
                text.end = position
                position += 1
                return text
            }
            if byte == Byte.backslash {
                text.isPlain = false
                let step = JSONEscape(bytes, at: position)
                if text.flaw == nil { text.flaw = step.flaw }
                position += step.length
            } else {
                if byte < 0x20, text.flaw == nil { text.flaw = .controlCharacter }
                position += 1
            }
        }
        throw cutOff()
    }

    func store(_ text: TreeText, in arena: ByteArena) -> ArenaRange {
        let start = arena.count
        if text.isPlain || text.flaw != nil {
            arena.append(UnsafeBufferPointer(rebasing: bytes[text.start..<text.end]))
            return arena.range(from: start)
        }
        var plain = text.start
        var index = text.start
        while index < text.end {
            guard bytes[index] == Byte.backslash else {
                index += 1
                continue
            }
            arena.append(UnsafeBufferPointer(rebasing: bytes[plain..<index]))
            let step = JSONEscape(bytes, at: index)
            arena.append(step.scalar)
            index += step.length
            plain = index
        }
        arena.append(UnsafeBufferPointer(rebasing: bytes[plain..<text.end]))
        return arena.range(from: start)
    }

    func isUTF8(_ text: TreeText) -> Bool { UTF8Validation.isValid(bytes[text.start..<text.end]) }

    func matches(_ text: TreeText, _ word: [UInt8]) -> Bool {
        if text.isPlain { return Byte.equal(bytes[text.start..<text.end], ignoringCase: word) }
        guard text.flaw == nil else { return false }
        let arena = ByteArena(capacity: text.end - text.start)
        return Byte.equal(arena.bytes(store(text, in: arena)), ignoringCase: word)
    }
}

/// One escape in a JSON string, from its backslash on.
private struct JSONEscape {
    var scalar: Unicode.Scalar = "\u{FFFD}"
    /// How many bytes it takes, never past the source's end by more than the escape's own two.
    var length = 2
    var flaw: EntryFlaw.Kind?

    init(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
        guard start + 1 < bytes.count else { return }
        switch bytes[start + 1] {
        case Byte.quote: scalar = "\""
        case Byte.backslash: scalar = "\\"
        case Byte.slash: scalar = "/"
        case UInt8(ascii: "b"): scalar = "\u{8}"
        case UInt8(ascii: "f"): scalar = "\u{C}"
        case UInt8(ascii: "n"): scalar = "\n"
        case UInt8(ascii: "r"): scalar = "\r"
        case UInt8(ascii: "t"): scalar = "\t"
        case UInt8(ascii: "u"): readUnicode(bytes, at: start)
        default: flaw = .badEscape
        }
    }

    private mutating func readUnicode(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
        guard let first = JSONEscape.unit(bytes, at: start + 2) else {
            flaw = .badEscape
            return
        }
        length = 6
        if let single = Unicode.Scalar(first) {
            scalar = single
            return
        }
        guard start + 7 < bytes.count, bytes[start + 6] == Byte.backslash,
            bytes[start + 7] == UInt8(ascii: "u"), let second = JSONEscape.unit(bytes, at: start + 8),
            let pair = Unicode.Scalar(surrogates: first, second)
        else {
            flaw = .loneSurrogate
            return
        }
        scalar = pair
        length = 12
    }

    private static func unit(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> UInt32? {
        guard start + 4 <= bytes.count else { return nil }
        var unit: UInt32 = 0
        for index in start..<start + 4 {
            guard let digit = Byte.hexValue(bytes[index]) else { return nil }
            unit = unit << 4 | digit
        }
        return unit
    }
}
