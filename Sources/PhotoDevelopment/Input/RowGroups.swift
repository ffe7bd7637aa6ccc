/// Which rows of a catalog share something, found without keeping what each of them has.
enum RowGroups {
    /// How many bits of the filter belong to a key, at least.
    private static let bitsPerKey = 8
    private static let probes: UInt64 = 3

    /// The rows that share their key with others.
    ///
    /// The first pass puts all keys into a Bloom filter: a key that seems to be there already is one that may come twice. The second pass
    /// counts these exactly. Three probes into 8 to 16 bits a key take one key in thirty to two hundred for a repeated one, which the second
    /// pass sees is none.
    ///
    /// - Parameters:
    ///   - count: How many rows there are.
    ///   - bits: 64 bits of a key that say nothing about those of others.
    ///   - key: The key of a row, the same each time. It is asked for twice, row by row.
    /// - Returns: The rows of each key that at least two have, in order.
    static func sharing<Key: Hashable>(count: Int, bits: (Key) -> UInt64, key: (Int) -> Key) -> [[Int]] {
        var filter = BloomFilter(bits: count * bitsPerKey, probes: probes)
        var suspects: Set<Key> = []
        for row in 0..<count {
            let key = key(row)
            if filter.insert(bits(key)) { suspects.insert(key) }
        }
        filter = BloomFilter(bits: 0, probes: probes)
        guard !suspects.isEmpty else { return [] }
        var rows: [Key: [Int]] = [:]
        for row in 0..<count {
            let key = key(row)
            if suspects.contains(key) { rows[key, default: []].append(row) }
        }
        return rows.values.filter { $0.count > 1 }
    }
}

/// A set of keys that may take a key for one of them that is none, and never the other way round.
private struct BloomFilter {
    private var words: [UInt64]
    private let mask: UInt64
    private let probes: UInt64

    /// - Parameters:
    ///   - bits: How many bits it has, at least; a power of two is taken.
    ///   - probes: How many of them belong to a key.
    init(bits: Int, probes: UInt64) {
        var size = 64
        while size < bits { size *= 2 }
        words = Array(repeating: 0, count: size / 64)
        mask = UInt64(size - 1)
        self.probes = probes
    }

    /// Adds a key.
    ///
    /// - Returns: Whether it seems to have been there.
    mutating func insert(_ key: UInt64) -> Bool {
        let step = key >> 32 | 1
        var isThere = true
        for probe in 0..<probes {
            let bit = (key &+ probe &* step) & mask
            let (word, flag) = (Int(bit / 64), UInt64(1) << (bit % 64))
            isThere = isThere && words[word] & flag != 0
            words[word] |= flag
        }
        return isThere
    }
}
