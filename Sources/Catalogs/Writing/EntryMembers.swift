/// The members of an entry, an object of JSON, one after the other and as they stand in it. They are there as long as the entry is.
package struct EntryMembers: IteratorProtocol {
    package struct Member {
        /// The key with its quotation marks.
        package let key: UnsafeBufferPointer<UInt8>
        package let value: UnsafeBufferPointer<UInt8>
        /// How many objects and arrays lie in each other in the value.
        package let depth: Int
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    /// - Parameter entry: The object; what is none has no members.
    package init(of entry: UnsafeBufferPointer<UInt8>) {
        bytes = entry
        if nextByte() == UInt8(ascii: "{") { position += 1 } else { position = entry.count }
    }

    package mutating func next() -> Member? {
        guard nextByte() == Byte.quote else { return nil }
        let key = value().bytes
        guard nextByte() == Byte.colon else {
            position = bytes.count
            return nil
        }
        position += 1
        _ = nextByte()
        let (value, depth) = value()
        if nextByte() == Byte.comma { position += 1 }
        return Member(key: key, value: value, depth: depth)
    }

    /// The next byte that is no space, where the position is then; nil at the end.
    private mutating func nextByte() -> UInt8? {
        while position < bytes.count, Byte.isSpace(bytes[position]) { position += 1 }
        return position < bytes.count ? bytes[position] : nil
    }

    /// The value at the position, which is behind it then.
    private mutating func value() -> (bytes: UnsafeBufferPointer<UInt8>, depth: Int) {
        let start = position
        var (depth, deepest) = (0, 0)
        scan: while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case Byte.quote:
                skipText()
                if depth == 0 { break scan }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                deepest = max(deepest, depth)
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { break scan }
                depth -= 1
                if depth == 0 {
                    position += 1
                    break scan
                }
            default:
                let endsWord = byte == Byte.comma || byte == Byte.colon || Byte.isSpace(byte)
                if depth == 0, endsWord { break scan }
            }
            position += 1
        }
        return (UnsafeBufferPointer(rebasing: bytes[start..<position]), deepest)
    }

    /// Goes behind the text whose opening quotation mark is at the position.
    private mutating func skipText() {
        position += 1
        while true {
            position = ByteSearch.first(in: bytes, from: position) { $0.has(Byte.quote) .| $0.has(Byte.backslash) }
            guard position < bytes.count else { return }
            if bytes[position] == Byte.quote {
                position += 1
                return
            }
            position = min(position + 2, bytes.count)
        }
    }
}

extension EntryMembers {
    /// Calls `body` with what a value says as a text: a text without marks and escapes, all else as JSON writes it. What no text can be,
    /// such as half of a pair of surrogates, stays as it is written, too.
    package static func withText<Result>(
        of value: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        guard value.count >= 2, value[0] == Byte.quote else { return body(value) }
        if !hasEscapes(value) { return body(UnsafeBufferPointer(rebasing: value[1..<value.count - 1])) }
        var tokenizer = JSONTokenizer(value, start: 0, maximumDepth: 1)
        guard case .text(let text) = try? tokenizer.next(), text.flaw == nil else { return body(value) }
        let arena = ByteArena(capacity: value.count)
        return body(arena.bytes(tokenizer.store(text, in: arena)))
    }

    /// The same as a string.
    package static func text(of value: UnsafeBufferPointer<UInt8>) -> String {
        withText(of: value) { String(decoding: $0, as: UTF8.self) }
    }

    package static func isNull(_ value: UnsafeBufferPointer<UInt8>) -> Bool { value.elementsEqual("null".utf8) }

    static func hasEscapes(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
        ByteSearch.first(in: value, from: 0) { $0.has(Byte.backslash) } < value.count
    }
}
