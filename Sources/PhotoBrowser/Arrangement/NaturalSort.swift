import Glibc

/// The order of names as a person has it: numbers by their value, letters without regard to case and accents.
///
/// Each name becomes a key whose bytes compare as the names do, once, so that sorting a million compares bytes only.
struct NaturalSort {
    private struct Entry {
        /// The key's first eight bytes, which decide most comparisons alone.
        var head: UInt64
        var start: Int
        var count: Int
        var place: UInt32
    }

    private var keys: [UInt8] = []
    private var entries: [Entry] = []

    /// The places of names in their order; nil if it was cancelled.
    static func places(
        count: Int, name: (Int) -> String, isCancelled: () -> Bool = { false }
    ) -> [UInt32]? {
        var sort = NaturalSort()
        sort.entries.reserveCapacity(count)
        for place in 0..<count {
            if place.isMultiple(of: 4_096), isCancelled() { return nil }
            sort.append(name(place), UInt32(place))
        }
        return sort.sorted(isCancelled)
    }

    private mutating func append(_ name: String, _ place: UInt32) {
        let start = keys.count
        Self.appendKey(of: FoldedText.bytes(of: name), to: &keys)
        var head: UInt64 = 0
        for index in start..<(start + 8) { head = head << 8 | UInt64(index < keys.count ? keys[index] : 0) }
        entries.append(Entry(head: head, start: start, count: keys.count - start, place: place))
    }

    /// Numbers stand where the digit 0 does, then the one with fewer digits first, without leading zeros.
    private static func appendKey(of name: [UInt8], to key: inout [UInt8]) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        var index = 0
        while index < name.count {
            guard digits.contains(name[index]) else {
                key.append(name[index])
                index += 1
                continue
            }
            let end = name[index...].firstIndex { !digits.contains($0) } ?? name.count
            let number = name[index..<end].drop { $0 == UInt8(ascii: "0") }
            key += [UInt8(ascii: "0"), UInt8(clamping: number.count)]
            key += number
            index = end
        }
    }

    private mutating func sorted(_ isCancelled: () -> Bool) -> [UInt32]? {
        // Runs are sorted by themselves and merged, so that a sort that nobody wants any more ends soon.
        let width = 65_536
        for start in stride(from: 0, to: entries.count, by: width) {
            if isCancelled() { return nil }
            let end = min(start + width, entries.count)
            keys.withUnsafeBytes { keys in entries[start..<end].sort { Self.precedes($0, $1, keys) } }
        }
        var merged = width
        while merged < entries.count {
            var next: [Entry] = []
            next.reserveCapacity(entries.count)
            for start in stride(from: 0, to: entries.count, by: 2 * merged) {
                if isCancelled() { return nil }
                merge(start, min(start + merged, entries.count), min(start + 2 * merged, entries.count), into: &next)
            }
            entries = next
            merged *= 2
        }
        return entries.map(\.place)
    }

    private func merge(_ start: Int, _ middle: Int, _ end: Int, into next: inout [Entry]) {
        keys.withUnsafeBytes { keys in
            var (left, right) = (start, middle)
            while left < middle, right < end {
                if Self.precedes(entries[right], entries[left], keys) {
                    next.append(entries[right])
                    right += 1
                } else {
                    next.append(entries[left])
                    left += 1
                }
            }
            next += entries[left..<middle]
            next += entries[right..<end]
        }
    }

    private static func precedes(_ left: Entry, _ right: Entry, _ keys: UnsafeRawBufferPointer) -> Bool {
        if left.head != right.head { return left.head < right.head }
        let shared = min(left.count, right.count)
        if shared > 8, let base = keys.baseAddress {
            let order = memcmp(base + left.start, base + right.start, shared)
            if order != 0 { return order < 0 }
        }
        return left.count != right.count ? left.count < right.count : left.place < right.place
    }
}
