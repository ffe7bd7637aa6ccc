/// The characters of an XML text, of which those of ASCII are told apart.
///
/// The text is in UTF-16 where it begins with that byte order mark, and otherwise in an encoding that has ASCII as single bytes.
struct XMLText {
    private let reader: ByteReader
    /// Where the first character stands, behind a byte order mark.
    private let start: Int
    private let bytesPerCharacter: Int
    private let isBigEndian: Bool

    init(_ reader: ByteReader) {
        self.reader = reader
        isBigEndian = reader.has([0xFE, 0xFF])
        if isBigEndian || reader.has([0xFF, 0xFE]) {
            (start, bytesPerCharacter) = (2, 2)
        } else {
            (start, bytesPerCharacter) = (reader.has([0xEF, 0xBB, 0xBF]) ? 3 : 0, 1)
        }
    }

    var count: Int { (reader.count - start) / bytesPerCharacter }

    /// A character; 0xFF, which is none of ASCII, for those of UTF-16 that have more than a byte, and nil behind the end.
    subscript(index: Int) -> UInt8? {
        guard (0..<count).contains(index) else { return nil }
        let place = start + index * bytesPerCharacter
        guard bytesPerCharacter == 2 else { return reader.bytes[place] }
        let (high, low) = isBigEndian ? (place, place + 1) : (place + 1, place)
        return reader.bytes[high] == 0 ? reader.bytes[low] : 0xFF
    }

    /// Whether these characters stand there.
    func has(_ expected: StaticString, at index: Int) -> Bool {
        (0..<expected.utf8CodeUnitCount).allSatisfy { self[index + $0] == expected.utf8Start[$0] }
    }

    func isSpace(at index: Int) -> Bool {
        self[index].map { [0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? false
    }

    /// What stands there, with a mark for each character that is none of ASCII.
    func text(_ range: Range<Int>) -> String {
        String(decoding: range.compactMap { self[$0].map { $0 < 0x80 ? $0 : UInt8(ascii: "?") } }, as: UTF8.self)
    }

    /// The file with texts of ASCII in place of ranges, which are in order and do not overlap.
    func replacing(_ changes: [(place: Range<Int>, text: String)]) -> [UInt8] {
        var file: [UInt8] = []
        file.reserveCapacity(reader.count + changes.reduce(0) { $0 + 2 * $1.text.utf8.count })
        var copied = 0
        for change in changes {
            file += reader.slice(copied..<start + change.place.lowerBound * bytesPerCharacter).bytes
            for character in change.text.utf8 {
                file += bytesPerCharacter == 1 ? [character] : isBigEndian ? [0, character] : [character, 0]
            }
            copied = start + change.place.upperBound * bytesPerCharacter
        }
        return file + reader.slice(copied..<reader.count).bytes
    }
}
