/// Takes an OpenStep property list apart: `{ name = "address"; }`, `( "address", … )`, bare words, `<data>`, and
/// comments. GNUstep's typed values in `<*…>` are values that are not text.
struct OpenStepTokenizer: TreeTokenizer {
    static var format: CatalogFormat { .openStepPropertyList }
    static var hasLines: Bool { true }

    fileprivate enum Expectation {
        case value, keyOrEnd, equals, elementOrEnd, separator, nothing
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position: Int
    private(set) var tokenStart: Int
    private var expectation = Expectation.value
    private var containers: OpenContainers

    /// - Parameters:
    ///   - bytes: The source in UTF-8, which outlives the tokenizer.
    ///   - start: Where the text begins, behind a byte order mark.
    init(_ bytes: UnsafeBufferPointer<UInt8>, start: Int, maximumDepth: Int) {
        self.bytes = bytes
        containers = OpenContainers(maximumDepth: maximumDepth)
        position = start
        tokenStart = start
    }

    mutating func next() throws(SourceDamage) -> TreeToken {
        while true {
            let byte = try skipSpace()
            tokenStart = position
            guard let byte else {
                if expectation == .nothing { return .end }
                throw cutOff()
            }
            switch expectation {
            case .nothing: throw damage("more follows after the end")
            case .value: return try value(byte)
            case .elementOrEnd:
                return byte == UInt8(ascii: ")") ? close() : try value(byte)
            case .keyOrEnd:
                if byte == UInt8(ascii: "}") { return close() }
                let text = try string(byte)
                expectation = .equals
                return .key(text)
            case .equals:
                // As in a strings file, a key alone is allowed by the grammar: a member without a value.
                if byte == Byte.semicolon {
                    position += 1
                    expectation = .keyOrEnd
                } else if byte == Byte.equals {
                    position += 1
                    expectation = .value
                } else {
                    throw damage("“=” is missing after a key")
                }
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
        guard let inDictionary = containers.isInDictionary(atDepth: mark.depth) else { return false }
        position = mark.position
        containers.leave(downTo: mark.depth)
        do throws(SourceDamage) {
            switch mark.expectation {
            case .value, .elementOrEnd: break
            case .equals, .separator:
                guard try skipSpace() == (inDictionary ? Byte.equals : Byte.comma) else { return false }
                position += 1
            case .keyOrEnd, .nothing: return false
            }
            var byte = try skipSpace()
            tokenStart = position
            var brackets = SkippedBrackets(inDictionary: inDictionary)
            while let found = byte {
                switch found {
                case Byte.quote, Byte.apostrophe: _ = try string(found)
                case UInt8(ascii: "{"), UInt8(ascii: "("):
                    brackets.begin(dictionary: found == UInt8(ascii: "{"))
                    position += 1
                case UInt8(ascii: "}"), UInt8(ascii: ")"):
                    guard brackets.end(dictionary: found == UInt8(ascii: "}")) else {
                        return isAfterValue(inDictionary)
                    }
                    position += 1
                case inDictionary ? Byte.semicolon : Byte.comma where brackets.isEmpty:
                    return isAfterValue(inDictionary)
                case Byte.comma where brackets.isBareEntry:
                    let comma = position
                    position += 1
                    guard try skipSpace() == UInt8(ascii: "{") else { break }
                    position = comma
                    return isAfterValue(inDictionary)
                // Whole, as what looks like a comment inside a word is none: “http://h/a.jpg”.
                case _ where Self.isBare(found): _ = try bareWord()
                default: position += 1
                }
                byte = try skipSpace()
            }
        } catch {}
        return false
    }

    /// Goes on behind a value that was skipped. Nothing at all is no element: the fault is in the commas.
    private mutating func isAfterValue(_ inDictionary: Bool) -> Bool {
        expectation = .separator
        return inDictionary || position > tokenStart
    }

    // MARK: - Structure

    /// Goes past white space and comments.
    private mutating func skipSpace() throws(SourceDamage) -> UInt8? {
        while position < bytes.count {
            let byte = bytes[position]
            let following = position + 1 < bytes.count ? bytes[position + 1] : 0
            if Byte.isSpace(byte) || byte == 0x0B || byte == 0x0C {
                position += 1
            } else if byte == Byte.slash, following == Byte.slash {
                while position < bytes.count, bytes[position] != Byte.lineFeed, bytes[position] != Byte.carriageReturn {
                    position += 1
                }
            } else if byte == Byte.slash, following == UInt8(ascii: "*") {
                // Not `/*/`: the asterisk that opens does not close too.
                position += 3
                while position < bytes.count, bytes[position] != Byte.slash || bytes[position - 1] != UInt8(ascii: "*")
                {
                    position += 1
                }
                guard position < bytes.count else { throw cutOff() }
                position += 1
            } else {
                return byte
            }
        }
        return nil
    }

    private mutating func separator(_ byte: UInt8) throws(SourceDamage) -> TreeToken? {
        let inDictionary = containers.isInDictionary ?? false
        if byte == (inDictionary ? Byte.semicolon : Byte.comma) {
            position += 1
            expectation = inDictionary ? .keyOrEnd : .elementOrEnd
            return nil
        }
        guard byte == (inDictionary ? UInt8(ascii: "}") : UInt8(ascii: ")")) else {
            throw damage(inDictionary ? "“;” is missing after a value" : "“,” or “)” is missing")
        }
        return close()
    }

    private mutating func close() -> TreeToken {
        position += 1
        let token = containers.close()
        expectation = containers.isEmpty ? .nothing : .separator
        return token
    }

    private mutating func value(_ byte: UInt8) throws(SourceDamage) -> TreeToken {
        if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "(") {
            let token = try containers.open(dictionary: byte == UInt8(ascii: "{"), at: position)
            position += 1
            expectation = byte == UInt8(ascii: "{") ? .keyOrEnd : .elementOrEnd
            return token
        }
        let token: TreeToken
        if byte == Byte.less {
            try skipData()
            token = .other(.data)
        } else {
            token = .text(try string(byte))
            // Here and not behind it: an unquoted address with “=” would count, cut off, and what follows as a member of its own.
            if try skipSpace() == Byte.equals { throw damage("a value with “=” needs quotation marks") }
        }
        expectation = containers.isEmpty ? .nothing : .separator
        return token
    }

    /// Goes past `<…>`. It looks no further than to a byte that cannot stand in data: where many are not closed, each would be
    /// looked for to the end of the file.
    private mutating func skipData() throws(SourceDamage) {
        repeat { position += 1 } while position < bytes.count && !Self.endsData(bytes[position])
        guard position < bytes.count else { throw cutOff() }
        guard bytes[position] == Byte.greater else { throw damage("“>” is missing after data") }
        position += 1
    }

    private static func endsData(_ byte: UInt8) -> Bool {
        switch byte {
        case Byte.greater, Byte.less, Byte.quote, Byte.comma, Byte.semicolon, UInt8(ascii: "{"), UInt8(ascii: "}"),
            UInt8(ascii: "("), UInt8(ascii: ")"):
            true
        default: false
        }
    }

    private func damage(_ reason: CatalogReason) -> SourceDamage { SourceDamage(offset: position, reason: reason) }

    private func cutOff() -> SourceDamage { .cutOff(at: bytes.count) }
}

// MARK: - Strings

extension OpenStepTokenizer {
    private mutating func string(_ first: UInt8) throws(SourceDamage) -> TreeText {
        guard first == Byte.quote || first == Byte.apostrophe else { return try bareWord() }
        position += 1
        var text = TreeText(start: position, end: position, isPlain: true, flaw: nil)
        while position < bytes.count {
            let byte = bytes[position]
            if byte == first {
                text.end = position
                position += 1
                return text
            }
            if byte == Byte.backslash {
                text.isPlain = false
                let step = OpenStepEscape(bytes, at: position)
                text.flaw = text.flaw ?? step.flaw
                position += step.length
            } else {
                position += 1
            }
        }
        throw cutOff()
    }

    private mutating func bareWord() throws(SourceDamage) -> TreeText {
        let start = position
        while position < bytes.count, OpenStepTokenizer.isBare(bytes[position]) { position += 1 }
        guard position > start else { throw damage("a value in quotation marks is missing") }
        return TreeText(start: start, end: position, isPlain: true, flaw: nil)
    }

    private static func isBare(_ byte: UInt8) -> Bool {
        Byte.isLetter(byte) || Byte.isDigit(byte) || "_$/:.-+%~@&?#!*".utf8.contains(byte) || byte >= 0x80
    }

    func store(_ text: TreeText, in arena: ByteArena) -> ArenaRange {
        let start = arena.count
        guard !text.isPlain, text.flaw == nil else {
            arena.append(UnsafeBufferPointer(rebasing: bytes[text.start..<text.end]))
            return arena.range(from: start)
        }
        var index = text.start
        while index < text.end {
            if bytes[index] == Byte.backslash {
                let step = OpenStepEscape(bytes, at: index)
                arena.append(step.scalar)
                index += step.length
            } else {
                arena.append(bytes[index])
                index += 1
            }
        }
        return arena.range(from: start)
    }

    func isUTF8(_ text: TreeText) -> Bool { UTF8Validation.isValid(bytes[text.start..<text.end]) }

    func matches(_ text: TreeText, _ word: [UInt8]) -> Bool {
        guard text.flaw == nil else { return false }
        let arena = ByteArena(capacity: text.end - text.start)
        return Byte.equal(arena.bytes(store(text, in: arena)), ignoringCase: word)
    }
}

/// One escape in an OpenStep string, from its backslash on.
private struct OpenStepEscape {
    var scalar: Unicode.Scalar
    var length = 2
    var flaw: EntryFlaw.Kind?

    init(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
        scalar = "\u{FFFD}"
        guard start + 1 < bytes.count else { return }
        let letter = bytes[start + 1]
        switch letter {
        case UInt8(ascii: "a"): scalar = "\u{7}"
        case UInt8(ascii: "b"): scalar = "\u{8}"
        case UInt8(ascii: "f"): scalar = "\u{C}"
        case UInt8(ascii: "n"): scalar = "\n"
        case UInt8(ascii: "r"): scalar = "\r"
        case UInt8(ascii: "t"): scalar = "\t"
        case UInt8(ascii: "v"): scalar = "\u{B}"
        case UInt8(ascii: "0")...UInt8(ascii: "7"): readOctal(bytes, at: start + 1)
        case UInt8(ascii: "U"), UInt8(ascii: "u"): readUnicode(bytes, at: start)
        // Any other character stands for itself: quotes, the backslash, the end of a line.
        case 0..<0x80: scalar = Unicode.Scalar(letter)
        default: flaw = .badEscape
        }
    }

    private mutating func readOctal(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
        var value: UInt32 = 0
        var index = start
        while index < min(bytes.count, start + 3), bytes[index] & 0xF8 == 0x30 {
            value = value << 3 | UInt32(bytes[index] & 7)
            index += 1
        }
        length = index - start + 1
        guard let found = value < 0x80 ? Unicode.Scalar(value) : Self.nextStep(value) else {
            flaw = .unsupportedOctal
            return
        }
        scalar = found
    }

    /// A character past ASCII of NeXTSTEP's own set, which octal escapes are numbers in.
    private static func nextStep(_ value: UInt32) -> Unicode.Scalar? {
        let index = Int(value) - 0x80
        return nextStepCharacters.indices.contains(index) ? nextStepCharacters[index] : nil
    }

    private static let nextStepCharacters = Array(
        ("\u{A0}ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖÙÚÛÜÝÞµ×÷©¡¢£⁄¥ƒ§¤’“«‹›ﬁﬂ®–†‡·¦¶•‚„”»…‰¬¿"
            + "¹ˋ´ˆ˜¯˘˙¨²˚¸³˝˛ˇ—±¼½¾àáâãäåçèéêëìÆíªîïðñŁØŒºòóôõöæùúûıüýłøœßþÿ")
            .unicodeScalars)

    private mutating func readUnicode(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
        guard let (first, digits) = OpenStepEscape.unit(bytes, at: start) else {
            flaw = .badEscape
            return
        }
        length = 2 + digits
        if let single = Unicode.Scalar(first) {
            scalar = single
            return
        }
        guard let (second, _) = OpenStepEscape.unit(bytes, at: start + 6),
            let pair = Unicode.Scalar(surrogates: first, second)
        else {
            flaw = .loneSurrogate
            return
        }
        scalar = pair
        length = 12
    }

    /// What one to four digits behind `\U` say, and how many there are.
    private static func unit(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> (unit: UInt32, digits: Int)? {
        guard start + 1 < bytes.count, bytes[start] == Byte.backslash, bytes[start + 1] | 0x20 == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt32 = 0
        var index = start + 2
        while index < min(start + 6, bytes.count), let digit = Byte.hexValue(bytes[index]) {
            unit = unit << 4 | digit
            index += 1
        }
        return index > start + 2 ? (unit, index - start - 2) : nil
    }
}
