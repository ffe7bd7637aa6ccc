/// Takes a binary property list (`bplist00`) apart.
///
/// An own tokenizer and not Foundation's reader, because a hostile file of a few kilobytes makes a reader that builds
/// the whole tree run for ever or fill the memory: containers may contain themselves, and share their parts. Here the
/// number of tokens has a limit, and each string is decoded once.
struct BinaryPropertyListTokenizer: TreeTokenizer {
    static var format: CatalogFormat { .binaryPropertyList }
    static var hasLines: Bool { false }

    private struct Frame {
        /// Where the container is.
        var start: Int
        var isDictionary: Bool
        /// Where the references stand: keys first, then values.
        var references: Int
        var count: Int
        var next = 0
        var isValueNext = false
    }

    /// The most tokens of a small file.
    private static let mostSharedTokens = 1_000_000

    private let arena: ByteArena
    /// How much of the arena is the source.
    private let count: Int
    private let maximumDepth: Int
    private let trailer: BinaryPropertyListTrailer
    private(set) var tokenStart = 0
    private var frames: [Frame] = []
    private var isStarted = false
    private var tokensLeft: Int
    /// How many characters of text may still be referred to: texts may be shared, but looking at a long one for each of a
    /// million references would never end, whether it is stored or not.
    private var textLeft: Int
    /// Where the texts in UTF-16 are once they are in UTF-8, by their offsets.
    private var stored: [Int: ArenaRange] = [:]

    /// The source; never kept, because the arena's memory moves when a text is added.
    private var bytes: UnsafeBufferPointer<UInt8> { arena.bytes }

    /// - Parameter arena: The source, and nothing else yet.
    init(_ arena: ByteArena, maximumDepth: Int) throws(SourceDamage) {
        self.arena = arena
        count = arena.count
        self.maximumDepth = maximumDepth
        trailer = try BinaryPropertyListTrailer(arena.bytes)
        // Every reference takes a byte and gives one token, except that a container has an end as well. Where containers
        // are shared there are more, but not without end.
        tokensLeft = max(2 * arena.count + 16, Self.mostSharedTokens)
        // Texts may be shared, too, and each is stored where it is used.
        textLeft = max(1 << 24, 64 * arena.count)
    }

    mutating func next() throws(SourceDamage) -> TreeToken {
        tokensLeft -= 1
        guard tokensLeft > 0 else {
            throw SourceDamage(offset: tokenStart, reason: "its containers contain one another")
        }
        guard var frame = frames.popLast() else {
            if isStarted { return .end }
            isStarted = true
            return try object(trailer.root, isKey: false)
        }
        if frame.next == frame.count {
            return frame.isDictionary ? .dictionaryEnd : .arrayEnd
        }
        var place = frame.references + frame.next * trailer.referenceSize
        let isKey = frame.isDictionary && !frame.isValueNext
        if frame.isDictionary, frame.isValueNext { place += frame.count * trailer.referenceSize }
        if !isKey { frame.next += 1 }
        frame.isValueNext = isKey
        frames.append(frame)
        return try object(trailer.integer(at: place, size: trailer.referenceSize, in: bytes), isKey: isKey)
    }

    /// How many containers are open.
    var mark: Int { frames.count }

    mutating func skipValue(at mark: Int, after damage: SourceDamage) -> Bool {
        // Where the file contradicts itself, nothing else in it can be trusted.
        guard damage.reason == nil, mark > 0, mark <= frames.count else { return false }
        frames.removeLast(frames.count - mark)
        return frames.last?.isValueNext == false
    }

    // MARK: - Objects

    private mutating func object(_ number: Int, isKey: Bool) throws(SourceDamage) -> TreeToken {
        let start = try trailer.offset(ofObject: number, in: bytes)
        tokenStart = start
        let marker = bytes[start]
        switch marker >> 4 {
        case 0x0 where marker == 0x08 || marker == 0x09: return .other(.boolean)
        case 0x0: return .other(.null)
        case 0x1, 0x2: return .other(.number)
        case 0x3: return .other(.date)
        case 0x4: return .other(.data)
        case 0x5, 0x6, 0x7:
            let text = try string(at: start)
            return isKey ? .key(text) : .text(text)
        case 0x8: return .other(.identifier)
        case 0xA, 0xC: return try container(at: start, isDictionary: false)
        case 0xD: return try container(at: start, isDictionary: true)
        default: throw SourceDamage(offset: start, reason: "an object of unknown type")
        }
    }

    private mutating func container(at start: Int, isDictionary: Bool) throws(SourceDamage) -> TreeToken {
        let (count, references) = try length(at: start)
        let size = trailer.referenceSize * (isDictionary ? 2 : 1)
        guard count <= (trailer.tableStart - references) / size else {
            throw SourceDamage(offset: start, reason: "a container that is larger than the file")
        }
        guard frames.count < maximumDepth else { throw SourceDamage(offset: start, reason: nil) }
        guard !frames.contains(where: { $0.start == start }) else {
            throw SourceDamage(offset: start, reason: "its containers contain one another")
        }
        frames.append(Frame(start: start, isDictionary: isDictionary, references: references, count: count))
        return isDictionary ? .dictionaryStart : .arrayStart
    }

    /// A text from its marker to its last byte: what kind of characters it has is read again when it is stored.
    private mutating func string(at start: Int) throws(SourceDamage) -> TreeText {
        let (count, first) = try length(at: start)
        let unit = bytes[start] >> 4 == 0x6 ? 2 : 1
        guard count <= (trailer.tableStart - first) / unit else {
            throw SourceDamage(offset: start, reason: "a text that is longer than the file")
        }
        textLeft -= count
        guard textLeft >= 0 else {
            throw SourceDamage(offset: start, reason: "its texts are shared too often")
        }
        return TreeText(start: start, end: first + count * unit, isPlain: unit == 1, flaw: nil)
    }

    /// How many elements an object has, and where they begin.
    private func length(at start: Int) throws(SourceDamage) -> (count: Int, first: Int) {
        let short = Int(bytes[start] & 0xF)
        guard short == 0xF else { return (short, start + 1) }
        guard start + 1 < trailer.tableStart, bytes[start + 1] >> 4 == 0x1, bytes[start + 1] & 0xF <= 3 else {
            throw SourceDamage(offset: start, reason: "an object without a length")
        }
        let size = 1 << Int(bytes[start + 1] & 0xF)
        guard start + 2 + size <= trailer.tableStart else {
            throw .cutOff(at: start)
        }
        return (try trailer.integer(at: start + 2, size: size, in: bytes), start + 2 + size)
    }

    // MARK: - Texts

    mutating func store(_ text: TreeText, in arena: ByteArena) throws(SourceDamage) -> ArenaRange {
        let (length, first) = try length(at: text.start)
        if text.isPlain { return ArenaRange(start: UInt32(first), count: UInt32(length)) }
        if let known = stored[text.start] { return known }
        // Honest texts do not overlap, and grow by half at most.
        let grown = arena.count + 3 * length
        guard grown - count <= 2 * count, grown <= Int(UInt32.max) else {
            throw SourceDamage(offset: text.start, reason: "its texts overlap")
        }
        let units = (0..<length).map { index in
            UInt16(bytes[first + 2 * index]) << 8 | UInt16(bytes[first + 2 * index + 1])
        }
        let start = arena.count
        // A half of a surrogate pair becomes bytes that are no UTF-8, so that it is the entry's flaw.
        TextEncoding.appendUTF8(of: units, to: arena)
        let range = arena.range(from: start)
        stored[text.start] = range
        return range
    }

    func isUTF8(_ text: TreeText) -> Bool {
        guard text.isPlain, let (_, first) = try? length(at: text.start) else { return true }
        return UTF8Validation.isValid(bytes[first..<text.end])
    }

    func matches(_ text: TreeText, _ word: [UInt8]) -> Bool {
        guard let count = try? length(at: text.start).count else { return false }
        if text.isPlain { return Byte.equal(bytes[text.start..<text.end].suffix(count), ignoringCase: word) }
        // Each unit of UTF-16 is at least a byte of UTF-8, and at most three.
        guard count <= word.count, word.count <= 3 * count else { return false }
        let units = Array(bytes[text.start..<text.end].suffix(2 * count))
        let letters = String(
            decoding: (0..<count).map { UInt16(units[2 * $0]) << 8 | UInt16(units[2 * $0 + 1]) }, as: UTF16.self)
        return Byte.equal(letters.utf8, ignoringCase: word)
    }
}

/// The last 32 bytes of a binary property list, checked: where its objects are.
struct BinaryPropertyListTrailer {
    static let size = 32
    static let magic = "bplist0"

    let offsetSize: Int
    let referenceSize: Int
    let objectCount: Int
    let root: Int
    let tableStart: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(SourceDamage) {
        let start = bytes.count - BinaryPropertyListTrailer.size
        guard start >= 8 else { throw .cutOff(at: bytes.count) }
        let damage = SourceDamage(offset: start, reason: "it has no valid trailer, so it may be cut off")
        offsetSize = Int(bytes[start + 6])
        referenceSize = Int(bytes[start + 7])
        let fields = [8, 16, 24].map { field in
            (0..<8).reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[start + field + $1]) }
        }
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
            let objectCount = Int(exactly: fields[0]), let root = Int(exactly: fields[1]),
            let tableStart = Int(exactly: fields[2]), tableStart >= 8, tableStart <= start, root < objectCount,
            objectCount <= (start - tableStart) / offsetSize
        else { throw damage }
        self.objectCount = objectCount
        self.root = root
        self.tableStart = tableStart
    }

    /// The offset of an object, which is one inside the file's objects.
    func offset(ofObject number: Int, in bytes: UnsafeBufferPointer<UInt8>) throws(SourceDamage) -> Int {
        guard number < objectCount else {
            throw SourceDamage(offset: tableStart, reason: "a reference to an object that is not there")
        }
        let place = tableStart + number * offsetSize
        let offset = try integer(at: place, size: offsetSize, in: bytes)
        guard offset >= 8, offset < tableStart else {
            throw SourceDamage(offset: place, reason: "an object outside the file")
        }
        return offset
    }

    /// An unsigned big-endian number of 1 to 8 bytes that lie inside the source.
    func integer(at place: Int, size: Int, in bytes: UnsafeBufferPointer<UInt8>) throws(SourceDamage) -> Int {
        var number: UInt64 = 0
        for index in place..<place + size { number = number << 8 | UInt64(bytes[index]) }
        guard let found = Int(exactly: number) else {
            throw SourceDamage(offset: place, reason: "a number that is too large")
        }
        return found
    }
}
