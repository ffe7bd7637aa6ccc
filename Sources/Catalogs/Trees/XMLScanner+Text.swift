/// The texts of leaves: names and addresses.
extension XMLScanner {
    /// What is open inside a text that has elements.
    private struct Inside {
        /// Elements of the leaf's own name.
        var equal = 0
        /// Others that no property list knows.
        var unknown = 0
    }

    private static let structure: [StaticString] = ["plist", "dict", "array"]
    private static let elements: [StaticString] =
        structure + ["key", "string", "integer", "real", "true", "false", "date", "data"]

    /// Reads the text up to a leaf's end tag; where that is missing or misspelt, up to where the elements around the
    /// leaf go on.
    mutating func text(of tag: XMLTag) throws(SourceDamage) -> TreeText {
        var text = TreeText(start: tag.end, end: tag.end, isPlain: true, flaw: tag.isClosed ? nil : .missingEndTag)
        if tag.isEmpty || !tag.isClosed { return text }
        var inside = Inside()
        while let byte {
            switch byte {
            case Byte.less:
                text.end = position
                if try goOn(past: tag, in: &text, &inside) { return text }
            case Byte.ampersand:
                text.isPlain = false
                let reference = XMLReference(bytes, at: position)
                text.flaw = text.flaw ?? reference.flaw
                move(to: position + reference.length)
            case Byte.carriageReturn:
                text.isPlain = false
                move(to: position + 1)
            default: move(to: position + 1)
            }
        }
        throw cutOff()
    }

    /// Goes past what begins with “<” in a leaf's text.
    /// - Returns: Whether the text ends before it.
    private mutating func goOn(
        past leaf: XMLTag, in text: inout TreeText, _ inside: inout Inside
    ) throws(SourceDamage) -> Bool {
        if starts(with: "</") { return try endsText(of: leaf, in: &text, &inside) }
        text.isPlain = false
        if try skipSection() { return false }
        if try skipComment() { return false }
        let place = position
        guard isAtStartTag else {
            text.flaw = text.flaw ?? .bareLess
            move(to: place + 1)
            return false
        }
        let child = try startTag()
        let isEqual = child.isNamed(like: leaf, bytes)
        if !isEqual, isAny(of: Self.elements, child) {
            move(to: place)
            text.flaw = text.flaw ?? .missingEndTag
            return true
        }
        text.flaw = text.flaw ?? (child.isClosed ? .elementInText : .bareLess)
        if child.isClosed, !child.isEmpty {
            if isEqual { inside.equal += 1 } else { inside.unknown += 1 }
        }
        return false
    }

    private mutating func endsText(
        of leaf: XMLTag, in text: inout TreeText, _ inside: inout Inside
    ) throws(SourceDamage) -> Bool {
        let end = try endTag()
        let isEqual = end.isNamed(like: leaf, bytes)
        if isEqual, inside.equal > 0 {
            inside.equal -= 1
        } else if !isEqual, isAny(of: Self.structure, end) {
            text.flaw = text.flaw ?? .missingEndTag
            return true
        } else if !isEqual, inside.unknown > 0 {
            inside.unknown -= 1
        } else {
            if !isEqual || !end.isClosed { text.flaw = text.flaw ?? .missingEndTag }
            move(to: end.end)
            return true
        }
        move(to: end.end)
        return false
    }

    private func isAny(of names: [StaticString], _ tag: XMLTag) -> Bool {
        names.contains { tag.isNamed($0, bytes) }
    }

    /// Decodes a text: references, CDATA sections, line ends; comments fall out.
    func store(_ text: TreeText, in arena: ByteArena) -> ArenaRange {
        let start = arena.count
        guard !text.isPlain, text.flaw == nil else {
            arena.append(UnsafeBufferPointer(rebasing: bytes[text.start..<text.end]))
            return arena.range(from: start)
        }
        var scanner = XMLScanner(bytes, start: text.start)
        while scanner.position < text.end {
            let place = scanner.position
            switch bytes[place] {
            case Byte.less:
                if (try? scanner.skipSection()) == true {
                    appendLines(place + 9..<scanner.position - 3, to: arena)
                } else if (try? scanner.skipComment()) != true {
                    scanner.move(to: place + 1)
                }
            case Byte.ampersand:
                let reference = XMLReference(bytes, at: place)
                arena.append(reference.scalar)
                scanner.move(to: place + reference.length)
            default:
                let end = bytes[place..<text.end].firstIndex { $0 == Byte.less || $0 == Byte.ampersand } ?? text.end
                appendLines(place..<end, to: arena)
                scanner.move(to: end)
            }
        }
        return arena.range(from: start)
    }

    /// Appends text with each of CR LF and CR as LF (XML 1.0, section 2.11).
    private func appendLines(_ range: Range<Int>, to arena: ByteArena) {
        for index in range {
            guard bytes[index] == Byte.carriageReturn else {
                arena.append(bytes[index])
                continue
            }
            let isPair = index + 1 < range.upperBound && bytes[index + 1] == Byte.lineFeed
            if !isPair { arena.append(Byte.lineFeed) }
        }
    }
}
