/// Telling JSON Lines, also where some of the first lines are broken.
extension CatalogDetection {
    /// Whether a text is JSON Lines.
    ///
    /// One object that has a line to itself is enough, if what follows could not follow it in JSON: another line that begins with a
    /// brace, or nothing although something came before. An object alone is a row if it has an address by its key; by any other key
    /// it is a dictionary of names and addresses.
    /// - Parameter isWhole: Whether the bytes are all of the text, and not its beginning.
    static func isLines(
        _ bytes: UnsafeBufferPointer<UInt8>, start: Int, _ keys: CatalogKeys, isWhole: Bool
    ) -> Bool {
        let lines = firstLines(bytes, start: start)
        func isLast(_ line: Range<Int>) -> Bool { isWhole && bytes[line.upperBound...].allSatisfy(Byte.isSpace) }
        guard lines.count > 1 else {
            return lines.first.map { isLast($0) && isObject(bytes, $0, with: keys.addressWord) } ?? false
        }
        let braces = lines.map { bytes[$0.lowerBound] == UInt8(ascii: "{") }
        return lines.indices.contains { index in
            guard braces[index] else { return false }
            let isFollowed =
                if index == 0 {
                    // One that stands first is the whole of a JSON text.
                    braces.dropFirst().contains(true)
                } else if index + 1 < lines.count {
                    braces[index + 1]
                } else {
                    isLast(lines[index])
                }
            return isFollowed && isObject(bytes, lines[index])
        }
    }

    /// Whether the beginning of a text has all that its format is told by: so many lines that say something.
    static func canTell(from bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var position = 0
        for _ in 0..<mostLines {
            guard ListReader.nextLine(bytes, &position) != nil, position < bytes.count else { return false }
        }
        return true
    }

    private static let mostLines = 16

    /// The first lines in which something stands, without the white space before it.
    private static func firstLines(_ bytes: UnsafeBufferPointer<UInt8>, start: Int) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var position = start
        while lines.count < mostLines, position < bytes.count {
            let end = bytes[position...].firstIndex(of: Byte.lineFeed) ?? bytes.count
            if let first = bytes[position..<end].firstIndex(where: { !Byte.isSpace($0) }) { lines.append(first..<end) }
            position = end + 1
        }
        return lines
    }

    /// Whether a line is an object, and nothing else.
    /// - Parameter word: A key with a text that it must have; nil for none.
    private static func isObject(
        _ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>, with word: [UInt8]? = nil
    ) -> Bool {
        guard bytes[line.lowerBound] == UInt8(ascii: "{") else { return false }
        var tokenizer = JSONTokenizer(
            UnsafeBufferPointer(rebasing: bytes[..<line.upperBound]), start: line.lowerBound, maximumDepth: 10_000)
        var (depth, isAtWord, hasWord) = (0, false, word == nil)
        while let token = try? tokenizer.next() {
            switch token {
            case .dictionaryStart, .arrayStart: depth += 1
            case .dictionaryEnd, .arrayEnd: depth -= 1
            case .text where isAtWord: hasWord = true
            case .end: return hasWord
            default: break
            }
            isAtWord = false
            if case .key(let key) = token, depth == 1, let word { isAtWord = tokenizer.matches(key, word) }
        }
        return false
    }
}
