/// The chain of directories in a TIFF or BigTIFF file, or in EXIF data.
struct TIFFDirectories {
    let reader: ByteReader
    let bigEndian: Bool
    private let isBig: Bool
    private let firstOffset: Int

    init?(_ reader: ByteReader) {
        guard reader.has("II") || reader.has("MM") else { return nil }
        self.reader = reader
        bigEndian = reader.has("MM")
        guard let version = reader.number(2, 2, bigEndian: bigEndian), version == 42 || version == 43 else {
            return nil
        }
        isBig = version == 43
        guard let offset = reader.number(isBig ? 8 : 4, isBig ? 8 : 4, bigEndian: bigEndian) else { return nil }
        firstOffset = offset
    }

    var first: Directory? { directory(at: firstOffset) }

    /// How many directories follow each other, counted to `most` only: a chain may be a circle.
    func count(upTo most: Int) -> Int {
        var total = 0
        var offset = firstOffset
        while offset != 0, total < most, let directory = directory(at: offset) {
            total += 1
            offset = directory.next
        }
        return total
    }

    func directory(at offset: Int) -> Directory? {
        let counter = isBig ? 8 : 2
        let entrySize = isBig ? 20 : 12
        guard let entries = reader.number(offset, counter, bigEndian: bigEndian), entries <= reader.count / entrySize
        else { return nil }
        let start = offset + counter
        let next = reader.number(start + entries * entrySize, isBig ? 8 : 4, bigEndian: bigEndian) ?? 0
        return Directory(
            reader: reader, bigEndian: bigEndian, isBig: isBig, start: start, entries: entries, next: next)
    }

    /// One entry, with its value as it stands in the file.
    struct Field {
        let tag: Int
        let type: Int
        let count: Int
        let bytes: [UInt8]
    }

    /// One directory: tags in ascending order, each with a type, a count and a value or its place.
    struct Directory {
        let reader: ByteReader
        fileprivate let bigEndian: Bool
        fileprivate let isBig: Bool
        fileprivate let start: Int
        fileprivate let entries: Int
        fileprivate let next: Int

        /// The first number of a tag, of any integer type; nil if it is missing.
        func value(_ tag: Int) -> Int? {
            for index in 0..<entries {
                let entry = start + index * (isBig ? 20 : 12)
                guard reader.number(entry, 2, bigEndian: bigEndian) == tag else { continue }
                guard let type = reader.number(entry + 2, 2, bigEndian: bigEndian),
                    let count = reader.number(entry + 4, isBig ? 8 : 4, bigEndian: bigEndian), count > 0
                else { return nil }
                let sizes = [1: 1, 3: 2, 4: 4, 13: 4, 16: 8, 18: 8]
                guard let size = sizes[type] else { return nil }
                let room = isBig ? 8 : 4
                let field = entry + (isBig ? 12 : 8)
                if count <= room / size { return reader.number(field, size, bigEndian: bigEndian) }
                guard let place = reader.number(field, room, bigEndian: bigEndian) else { return nil }
                return reader.number(place, size, bigEndian: bigEndian)
            }
            return nil
        }

        /// The bytes of one value of each type that a classic TIFF has.
        private static let sizes = [
            1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8, 129: 1,
        ]

        /// Longer values than this are pictures.
        private static let longestValue = 128_000

        /// An entry; nil if it is missing, lies outside the file, or is too long for a description.
        func field(_ tag: Int) -> Field? {
            for index in 0..<entries {
                guard reader.number(entry(index), 2, bigEndian: bigEndian) == tag else { continue }
                return field(at: index)
            }
            return nil
        }

        /// Entries of types that a classic TIFF has, that lie inside the file and are not too long; of so many, the first ones.
        /// - Parameter isWanted: Asked by the tag and the number of bytes before those are copied: entries may share them.
        func fields(upTo most: Int, where isWanted: (_ tag: Int, _ byteCount: Int) -> Bool) -> [Field] {
            (0..<min(entries, most)).compactMap { field(at: $0, where: isWanted) }
        }

        private func entry(_ index: Int) -> Int { start + index * (isBig ? 20 : 12) }

        private func field(at index: Int, where isWanted: (Int, Int) -> Bool = { _, _ in true }) -> Field? {
            let entry = entry(index)
            guard let tag = reader.number(entry, 2, bigEndian: bigEndian),
                let type = reader.number(entry + 2, 2, bigEndian: bigEndian), let size = Self.sizes[type],
                let count = reader.number(entry + 4, isBig ? 8 : 4, bigEndian: bigEndian), count > 0,
                count <= min(reader.count, Self.longestValue) / size
            else { return nil }
            let room = isBig ? 8 : 4
            let field = entry + (isBig ? 12 : 8)
            let place = count * size <= room ? field : reader.number(field, room, bigEndian: bigEndian) ?? .max
            guard place <= reader.count - count * size, isWanted(tag, count * size) else { return nil }
            return Field(
                tag: tag, type: type, count: count, bytes: Array(reader.slice(place..<place + count * size).bytes))
        }
    }
}
