/// A start tag: its name, and whether it ends itself (`<dict/>`).
struct XMLTag {
    var name: Range<Int>
    var isEmpty: Bool
    /// Where the content begins.
    var end: Int

    func isNamed(_ word: StaticString, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        name.count == word.utf8CodeUnitCount && word.withUTF8Buffer { $0.elementsEqual(bytes[name]) }
    }
}

/// Goes through XML markup (XML 1.0, sections 2 to 4) as far as a property list has any.
struct XMLScanner {
    let bytes: UnsafeBufferPointer<UInt8>
    private(set) var position: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, start: Int) {
        self.bytes = bytes
        position = start
    }

    var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipSpace() {
        while position < bytes.count, Byte.isSpace(bytes[position]) { position += 1 }
    }

    func starts(with word: StaticString) -> Bool { starts(with: word, at: position) }

    func damage(_ reason: String) -> SourceDamage { SourceDamage(offset: position, reason: reason) }

    func cutOff() -> SourceDamage { SourceDamage(offset: bytes.count, reason: "the file ends in the middle") }

    /// Goes past a comment, a processing instruction or a document type, if one is here.
    mutating func skipMarkup() throws(SourceDamage) -> Bool {
        if starts(with: "<!--") {
            position = try end(of: "-->", after: position + 4)
        } else if starts(with: "<?") {
            position = try end(of: "?>", after: position + 2)
        } else if starts(with: "<!") {
            try skipDeclaration()
        } else {
            return false
        }
        return true
    }

    /// Goes past text, with its CDATA sections, to the next tag.
    mutating func skipLooseText() throws(SourceDamage) {
        while let byte {
            if starts(with: "<![CDATA[") {
                position = try end(of: "]]>", after: position + 9)
            } else if byte == Byte.less {
                return
            } else {
                position += 1
            }
        }
    }

    /// Reads the start tag at the position; its attributes are passed over.
    mutating func openTag() throws(SourceDamage) -> XMLTag {
        let start = position + 1
        position = start
        while let byte, !Byte.isSpace(byte), byte != Byte.greater, byte != Byte.slash {
            guard byte != Byte.less else { throw damage("“<” inside a tag") }
            position += 1
        }
        let name = start..<position
        guard byte != nil else { throw cutOff() }
        guard !name.isEmpty else { throw damage("a tag without a name; “<” in text must be written “&lt;”") }
        while let byte, byte != Byte.greater {
            guard byte != Byte.less else { throw damage("“<” inside a tag") }
            position += 1
            if byte == Byte.quote || byte == Byte.apostrophe {
                while let inner = self.byte, inner != byte { position += 1 }
                position += 1
            }
        }
        guard position < bytes.count else { throw cutOff() }
        position += 1
        return XMLTag(name: name, isEmpty: bytes[position - 2] == Byte.slash, end: position)
    }

    /// Goes past the end tag at the position, which must have a name.
    mutating func closeTag(named name: StaticString) throws(SourceDamage) {
        let found = try endTagName()
        guard name.withUTF8Buffer({ $0.elementsEqual(bytes[found.name]) }) else {
            throw damage("“</\(name)>” is missing")
        }
        position = found.end
    }

    /// Reads the text up to a leaf's end tag.
    mutating func text(of tag: XMLTag) throws(SourceDamage) -> TreeText {
        var text = TreeText(start: tag.end, end: tag.end, isPlain: true, flaw: nil)
        if tag.isEmpty { return text }
        while let byte {
            switch byte {
            case Byte.less:
                if starts(with: "</") {
                    text.end = position
                    try closeTag(like: tag)
                    return text
                }
                text.isPlain = false
                if starts(with: "<![CDATA[") {
                    position = try end(of: "]]>", after: position + 9)
                } else if try !skipMarkup() {
                    text.flaw = text.flaw ?? .elementInText
                    let child = try openTag()
                    if !child.isEmpty { try skipElement(child, maximumDepth: XMLScanner.depthInsideText) }
                }
            case Byte.ampersand:
                text.isPlain = false
                let reference = XMLReference(bytes, at: position)
                text.flaw = text.flaw ?? reference.flaw
                position += reference.length
            case Byte.carriageReturn:
                text.isPlain = false
                position += 1
            default: position += 1
            }
        }
        throw cutOff()
    }

    /// Goes past an element's content and its end tag, whatever is inside.
    mutating func skipElement(_ tag: XMLTag, maximumDepth: Int) throws(SourceDamage) {
        var open = [tag]
        while let innermost = open.last {
            try skipLooseText()
            guard byte != nil else { throw cutOff() }
            if starts(with: "</") {
                try closeTag(like: innermost)
                open.removeLast()
            } else if try !skipMarkup() {
                guard open.count < maximumDepth else { throw SourceDamage(offset: position, reason: nil) }
                let child = try openTag()
                if !child.isEmpty { open.append(child) }
            }
        }
    }

    /// Decodes a text: references, CDATA sections, line ends; comments fall out.
    func store(_ text: TreeText, in arena: ByteArena) -> ArenaRange {
        let start = arena.count
        guard !text.isPlain, text.flaw == nil else {
            arena.append(UnsafeBufferPointer(rebasing: bytes[text.start..<text.end]))
            return arena.range(from: start)
        }
        var index = text.start
        while index < text.end {
            switch bytes[index] {
            case Byte.less:
                let isText = starts(with: "<![CDATA[", at: index)
                let end = markupEnd(at: index)
                if isText { arena.append(UnsafeBufferPointer(rebasing: bytes[index + 9..<end - 3])) }
                index = end
            case Byte.ampersand:
                let reference = XMLReference(bytes, at: index)
                arena.append(reference.scalar)
                index += reference.length
            case Byte.carriageReturn:
                arena.append(Byte.lineFeed)
                index += index + 1 < text.end && bytes[index + 1] == Byte.lineFeed ? 2 : 1
            case let byte:
                arena.append(byte)
                index += 1
            }
        }
        return arena.range(from: start)
    }

    // MARK: - Parts

    private static let depthInsideText = 128

    private func starts(with word: StaticString, at index: Int) -> Bool {
        guard index + word.utf8CodeUnitCount <= bytes.count else { return false }
        return word.withUTF8Buffer { letters in
            var offset = index
            for letter in letters {
                if bytes[offset] != letter { return false }
                offset += 1
            }
            return true
        }
    }

    private func end(of mark: StaticString, after start: Int) throws(SourceDamage) -> Int {
        var index = start
        while index < bytes.count {
            if starts(with: mark, at: index) { return index + mark.utf8CodeUnitCount }
            index += 1
        }
        throw cutOff()
    }

    /// The end of a comment, instruction or CDATA section inside a text that was gone through once already.
    private func markupEnd(at index: Int) -> Int {
        let (mark, skip): (StaticString, Int) =
            if starts(with: "<!--", at: index) {
                ("-->", 4)
            } else if starts(with: "<![CDATA[", at: index) {
                ("]]>", 9)
            } else {
                ("?>", 2)
            }
        return (try? end(of: mark, after: index + skip)) ?? bytes.count
    }

    private func endTagName() throws(SourceDamage) -> (name: Range<Int>, end: Int) {
        let start = position + 2
        var index = start
        while index < bytes.count, !Byte.isSpace(bytes[index]), bytes[index] != Byte.greater { index += 1 }
        let name = min(start, index)..<index
        while index < bytes.count, Byte.isSpace(bytes[index]) { index += 1 }
        guard index < bytes.count else { throw cutOff() }
        guard bytes[index] == Byte.greater else { throw damage("an end tag that is not closed") }
        return (name, index + 1)
    }

    private mutating func closeTag(like tag: XMLTag) throws(SourceDamage) {
        let found = try endTagName()
        guard bytes[found.name].elementsEqual(bytes[tag.name]) else {
            throw damage("“</\(String(decoding: bytes[tag.name], as: UTF8.self))>” is missing")
        }
        position = found.end
    }

    /// Goes past `<!DOCTYPE … [ … ]>` without believing any of it.
    private mutating func skipDeclaration() throws(SourceDamage) {
        var brackets = 0
        while let byte {
            position += 1
            switch byte {
            case Byte.quote, Byte.apostrophe:
                while let inner = self.byte, inner != byte { position += 1 }
                position += 1
            case UInt8(ascii: "["): brackets += 1
            case UInt8(ascii: "]"): brackets -= 1
            case Byte.less where brackets > 0 && bytes[position...].starts(with: "!--".utf8):
                position = try end(of: "-->", after: position + 3)
            case Byte.greater where brackets <= 0: return
            default: break
            }
        }
        throw cutOff()
    }
}
