/// A start tag: its name, and whether it ends itself (`<dict/>`).
struct XMLTag {
    var name: Range<Int>
    var isEmpty: Bool
    /// Where the content begins.
    var end: Int
    /// Whether it is whole, up to its “>”; one that is not ends before the next “<”.
    var isClosed = true

    func isNamed(_ word: StaticString, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        name.count == word.utf8CodeUnitCount && word.withUTF8Buffer { $0.elementsEqual(bytes[name]) }
    }

    func isNamed(like other: XMLTag, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes[name].elementsEqual(bytes[other.name])
    }
}

/// Goes through XML markup (XML 1.0, sections 2 to 4) as far as a property list has any.
///
/// What people get wrong in one place does not end it: a “<” or “&” that is not escaped, an end tag that is missing or
/// misspelt. Where XML leaves open what was meant, the elements of property lists tell.
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

    /// Goes to a place where the scanner was before, or to one that ``endTag()`` named.
    mutating func move(to place: Int) { position = place }

    func starts(with word: StaticString) -> Bool { starts(with: word, at: position) }

    /// Whether a start tag is at the position: a “<” with a name.
    var isAtStartTag: Bool {
        guard byte == Byte.less, position + 1 < bytes.count else { return false }
        let next = bytes[position + 1]
        return Byte.isLetter(next) || next >= 0x80 || next == UInt8(ascii: "_") || next == Byte.colon
    }

    func damage(_ reason: CatalogReason) -> SourceDamage { SourceDamage(offset: position, reason: reason) }

    func cutOff() -> SourceDamage { .cutOff(at: bytes.count) }

    /// Goes past a comment, a processing instruction or a document type, if one is here.
    mutating func skipMarkup() throws(SourceDamage) -> Bool {
        if try skipComment() { return true }
        guard starts(with: "<!") else { return false }
        try skipDeclaration()
        return true
    }

    /// Goes past a comment or a processing instruction, if one is here.
    mutating func skipComment() throws(SourceDamage) -> Bool {
        if starts(with: "<!--") {
            position = try end(of: "-->", after: position + 4)
        } else if starts(with: "<?") {
            position = try end(of: "?>", after: position + 2)
        } else {
            return false
        }
        return true
    }

    /// Goes past text, with its CDATA sections, to the next tag.
    mutating func skipLooseText() throws(SourceDamage) {
        while let byte {
            if try !skipSection() {
                if byte == Byte.less { return }
                position += 1
            }
        }
    }

    /// Goes past a CDATA section, if one is here.
    mutating func skipSection() throws(SourceDamage) -> Bool {
        guard byte == Byte.less, starts(with: "<![CDATA[") else { return false }
        position = try end(of: "]]>", after: position + 9)
        return true
    }

    // MARK: - Tags

    /// Reads the start tag at the position; its attributes are passed over.
    mutating func startTag() throws(SourceDamage) -> XMLTag {
        let start = position + 1
        position = start
        while let byte, !Byte.isSpace(byte), byte != Byte.greater, byte != Byte.slash, byte != Byte.less {
            position += 1
        }
        let name = start..<position
        guard !name.isEmpty else {
            throw byte == nil ? cutOff() : damage("a tag without a name; “<” in text must be written “&lt;”")
        }
        var isInQuotes: UInt8?
        while let byte, byte != Byte.less {
            position += 1
            if byte == isInQuotes {
                isInQuotes = nil
            } else if isInQuotes == nil, byte == Byte.greater {
                return XMLTag(name: name, isEmpty: bytes[position - 2] == Byte.slash, end: position)
            } else if isInQuotes == nil, byte == Byte.quote || byte == Byte.apostrophe {
                isInQuotes = byte
            }
        }
        guard byte != nil else { throw cutOff() }
        return XMLTag(name: name, isEmpty: false, end: position, isClosed: false)
    }

    /// Reads the end tag at the position, and stays there.
    func endTag() throws(SourceDamage) -> XMLTag {
        let start = position + 2
        var index = start
        while index < bytes.count, !Byte.isSpace(bytes[index]), bytes[index] != Byte.greater, bytes[index] != Byte.less
        {
            index += 1
        }
        let name = min(start, index)..<index
        var isBlank = true
        while index < bytes.count, bytes[index] != Byte.greater, bytes[index] != Byte.less {
            isBlank = isBlank && Byte.isSpace(bytes[index])
            index += 1
        }
        guard index < bytes.count else { throw cutOff() }
        let isEnded = bytes[index] == Byte.greater
        return XMLTag(name: name, isEmpty: false, end: isEnded ? index + 1 : index, isClosed: isEnded && isBlank)
    }

    /// Goes past an element's content and its end tag.
    mutating func skipElement(_ tag: XMLTag, maximumDepth: Int) throws(SourceDamage) {
        var open = [tag]
        while let innermost = open.last {
            try skipLooseText()
            guard byte != nil else { throw cutOff() }
            if starts(with: "</") {
                let end = try endTag()
                guard end.isNamed(like: innermost, bytes) else {
                    throw damage("“</\(String(decoding: bytes[innermost.name], as: UTF8.self))>” is missing")
                }
                position = end.end
                open.removeLast()
            } else if try !skipComment() {
                // No declaration stands here: one without an end would be looked for to the end of the source.
                guard isAtStartTag else { throw damage("“<” in text must be written “&lt;”") }
                guard open.count < maximumDepth else { throw SourceDamage(offset: position, reason: nil) }
                let child = try startTag()
                if !child.isEmpty { open.append(child) }
            }
        }
    }

    // MARK: - Parts

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

    /// Goes past `<!DOCTYPE … [ … ]>` without believing any of it.
    private mutating func skipDeclaration() throws(SourceDamage) {
        var brackets = 0
        while let byte {
            // What stands in comments and instructions closes nothing.
            if byte == Byte.less, brackets > 0, try skipComment() { continue }
            position += 1
            switch byte {
            case Byte.quote, Byte.apostrophe:
                while let inner = self.byte, inner != byte { position += 1 }
                position += 1
            case UInt8(ascii: "["): brackets += 1
            case UInt8(ascii: "]"): brackets -= 1
            case Byte.greater where brackets <= 0: return
            default: break
            }
        }
        throw cutOff()
    }
}
