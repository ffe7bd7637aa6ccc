import CZstd

/// A column of a table, as Parquet stores it: pages of values one behind the other (PLAIN), packed with Zstandard. Any value may be missing.
struct ParquetColumn {
    enum Kind: Int, Sendable {
        /// A whole number of 64 bits.
        case number = 2
        /// A text in UTF-8.
        case text = 6
    }

    let name: String
    let kind: Kind
    /// How many values it has, with those that are missing.
    private(set) var count = 0
    /// The pages that are whole, packed.
    private(set) var pages: [UInt8] = []
    /// What the pages are with their heads and without packing, in bytes.
    private(set) var unpackedCount = 0
    /// Whether there was no memory to pack a page.
    private(set) var isBroken = false

    /// The values of the page at hand.
    private var values: [UInt8] = []
    /// Whether each of them is there, in the order of the rows.
    private var presence: [Bool] = []

    /// A page is closed with so many bytes, or so many values.
    private static let (pageBytes, pageValues) = (1 << 18, 1 << 14)

    init(_ name: String, _ kind: Kind) {
        (self.name, self.kind) = (name, kind)
    }

    mutating func append(_ text: String?) {
        if let text {
            append(littleEndian: UInt32(text.utf8.count))
            values.append(contentsOf: text.utf8)
        }
        close(text != nil)
    }

    mutating func append(_ number: Int?) {
        if let number { append(littleEndian: UInt64(bitPattern: Int64(number))) }
        close(number != nil)
    }

    /// Appends missing values until there are so many.
    mutating func fill(to count: Int) {
        while self.count < count { close(false) }
    }

    private mutating func append(littleEndian value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { values.append(contentsOf: $0) }
    }

    private mutating func close(_ isPresent: Bool) {
        presence.append(isPresent)
        count += 1
        if values.count >= Self.pageBytes || presence.count >= Self.pageValues { closePage() }
    }

    /// Packs the values that are in no page yet.
    mutating func closePage() {
        guard !presence.isEmpty else { return }
        let raw = levels() + values
        guard let packed = Self.packed(raw) else {
            isBroken = true
            return
        }
        let head = ThriftText { head in
            // A page of data.
            head.add(1, 0)
            head.add(2, raw.count)
            head.add(3, packed.count)
            head.add(5) { data in
                data.add(1, presence.count)
                data.add(2, ParquetTable.plain)
                data.add(3, ParquetTable.runs)
                data.add(4, ParquetTable.runs)
            }
        }
        pages += head.bytes + packed
        unpackedCount += head.bytes.count + raw.count
        values.removeAll(keepingCapacity: true)
        presence.removeAll(keepingCapacity: true)
    }

    /// Which values are there: one run where all or none are, and else a bit for each (Parquet's encoding RLE, with its length in front).
    private func levels() -> [UInt8] {
        var bytes: [UInt8] = []
        if presence.allSatisfy({ $0 == presence[0] }) {
            bytes.append(varint: UInt64(presence.count) << 1)
            bytes.append(presence[0] ? 1 : 0)
        } else {
            bytes.append(varint: UInt64((presence.count + 7) / 8) << 1 | 1)
            for start in stride(from: 0, to: presence.count, by: 8) {
                var byte: UInt8 = 0
                for place in start..<min(start + 8, presence.count) where presence[place] {
                    byte |= 1 << (place - start)
                }
                bytes.append(byte)
            }
        }
        return withUnsafeBytes(of: UInt32(bytes.count).littleEndian) { Array($0) } + bytes
    }

    private static func packed(_ bytes: [UInt8]) -> [UInt8]? {
        var isPacked = false
        let packed = [UInt8](unsafeUninitializedCapacity: ZSTD_compressBound(bytes.count)) { room, count in
            let length = ZSTD_compress(room.baseAddress, room.count, bytes, bytes.count, ZSTD_CLEVEL_DEFAULT)
            isPacked = ZSTD_isError(length) == 0
            count = isPacked ? length : 0
        }
        return isPacked ? packed : nil
    }
}
