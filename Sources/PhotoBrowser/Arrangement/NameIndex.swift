import Glibc

/// All names of a catalog in one block of folded bytes, in which a million of them are searched in milliseconds.
struct NameIndex: Sendable {
    /// Stands between names, and in none: it is no byte of UTF-8.
    private static let separator: UInt8 = 0xFF

    private var bytes: [UInt8] = []
    /// Where each name begins, and at last where the next one would.
    private var starts: [Int] = [0]

    /// Takes names in.
    ///
    /// - Parameters:
    ///   - name: The name at a place from 0 on.
    ///   - isCancelled: Asked now and then; true stops it.
    /// - Returns: nil if it was cancelled.
    init?(count: Int, name: (Int) -> String, isCancelled: () -> Bool = { false }) {
        starts.reserveCapacity(count + 1)
        for place in 0..<count {
            if place.isMultiple(of: 4_096), isCancelled() { return nil }
            FoldedText.append(name(place), to: &bytes)
            bytes.append(Self.separator)
            starts.append(bytes.count)
        }
    }

    var count: Int { starts.count - 1 }

    /// The places of all names with every one of these words in them, ascending; nil if it was cancelled.
    func places(matching words: [[UInt8]], isCancelled: () -> Bool = { false }) -> [UInt32]? {
        // The longest word has the fewest matches.
        guard let first = words.max(by: { $0.count < $1.count }), !first.isEmpty else {
            return Array(0..<UInt32(count))
        }
        var found: [UInt32] = []
        var isStopped = false
        bytes.withUnsafeBytes { bytes in
            var place = 0
            var offset = 0
            var steps = 0
            while let match = Self.firstMatch(of: first, in: bytes, from: offset) {
                steps += 1
                if steps.isMultiple(of: 4_096), isCancelled() {
                    isStopped = true
                    return
                }
                place = self.place(at: match, from: place)
                let name = UnsafeRawBufferPointer(rebasing: bytes[starts[place]..<starts[place + 1]])
                if words.allSatisfy({ $0 == first || Self.firstMatch(of: $0, in: name, from: 0) != nil }) {
                    found.append(UInt32(place))
                }
                place += 1
                offset = starts[place]
            }
        }
        return isStopped ? nil : found
    }

    /// The place of the name that a byte belongs to, which is not before another one.
    private func place(at offset: Int, from first: Int) -> Int {
        // Matches are often close to each other: look a few names ahead before halving.
        var low = first
        for _ in 0..<8 {
            if starts[low + 1] > offset { return low }
            low += 1
            if low >= count { return count - 1 }
        }
        var high = count
        while low + 1 < high {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return low
    }

    private static func firstMatch(of word: [UInt8], in bytes: UnsafeRawBufferPointer, from offset: Int) -> Int? {
        guard let base = bytes.baseAddress, let first = word.first else { return nil }
        var start = offset
        while start + word.count <= bytes.count {
            guard let found = memchr(base + start, Int32(first), bytes.count - word.count - start + 1) else {
                return nil
            }
            start = UnsafeRawPointer(found) - base
            if memcmp(base + start, word, word.count) == 0 { return start }
            start += 1
        }
        return nil
    }
}
