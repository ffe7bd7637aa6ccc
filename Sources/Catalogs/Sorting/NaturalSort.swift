import Glibc

/// The order of names as a person has it: numbers by their value, letters without regard to case and accents, the
/// same in every locale.
///
/// Each name is turned into a key whose bytes compare as the names do, once, so that sorting a million names compares
/// bytes only. Names with equal keys keep their order.
package struct NaturalSort {
    private struct Entry {
        /// The key's first eight bytes, which decide most comparisons without a look at the key.
        var head: UInt64
        var start: Int
        var count: UInt32
        var place: UInt32
    }

    private let keys = ByteArena(capacity: 0)
    private var entries: Block<Entry>

    /// The places of names in their order. Takes time in proportion to their number, so call it off the main thread.
    ///
    /// - Parameters:
    ///   - count: How many names there are.
    ///   - name: The name at a place from 0 on.
    ///   - isCancelled: Asked now and then; true stops it. Default: never.
    /// - Returns: nil if it was cancelled, or there is not enough memory.
    package static func places(
        count: Int, name: (Int) -> String, isCancelled: () -> Bool = { false }
    ) -> [UInt32]? {
        let sorted = entries(count: count, isCancelled: isCancelled) { place, key in
            var name = name(place)
            name.withUTF8 { SortKey.append(of: $0, to: key) }
        }
        return sorted.map { $0.elements.map(\.place) }
    }

    /// Rows in the order of their names; those without a name of their own come first.
    /// - Returns: nil if there is not enough memory.
    static func sorted(_ rows: Block<RowRecord>, in arena: ByteArena) -> Block<RowRecord>? {
        let entries = entries(count: rows.count, isCancelled: { false }) { place, key in
            if let name = rows[place].name { SortKey.append(of: arena.bytes(name), to: key) }
        }
        guard let entries else { return nil }
        let sorted = Block<RowRecord>(capacity: rows.count)
        for entry in entries.elements { sorted.append(rows[Int(entry.place)]) }
        return sorted.isExhausted ? nil : sorted
    }

    private static func entries(
        count: Int, isCancelled: () -> Bool, appendKey: (Int, ByteArena) -> Void
    ) -> Block<Entry>? {
        var sort = NaturalSort(entries: Block(capacity: count))
        for place in 0..<count {
            if place.isMultiple(of: 4_096), isCancelled() { return nil }
            let start = sort.keys.count
            appendKey(place, sort.keys)
            sort.addEntry(from: start, UInt32(place))
        }
        guard !sort.keys.isExhausted, !sort.entries.isExhausted, sort.sort(isCancelled) else { return nil }
        return withExtendedLifetime(sort.keys) { sort.entries }
    }

    private func addEntry(from start: Int, _ place: UInt32) {
        let bytes = keys.bytes
        var head: UInt64 = 0
        for index in start..<(start + 8) { head = head << 8 | UInt64(index < bytes.count ? bytes[index] : 0) }
        entries.append(
            Entry(head: head, start: start, count: UInt32(clamping: bytes.count - start), place: place))
    }

    /// - Returns: False if it was cancelled, or there is not enough memory.
    private mutating func sort(_ isCancelled: () -> Bool) -> Bool {
        // Runs are sorted by themselves and merged, so that a sort that nobody wants any more ends soon.
        let width = 65_536
        let bytes = keys.bytes
        for start in stride(from: 0, to: entries.count, by: width) {
            if isCancelled() { return false }
            let end = min(start + width, entries.count)
            var run = UnsafeMutableBufferPointer(rebasing: entries.elements[start..<end])
            run.sort { Self.precedes($0, $1, bytes) }
        }
        var merged = width
        while merged < entries.count {
            let next = Block<Entry>(capacity: entries.count)
            for start in stride(from: 0, to: entries.count, by: 2 * merged) {
                if isCancelled() { return false }
                merge(start, min(start + merged, entries.count), min(start + 2 * merged, entries.count), into: next)
            }
            if next.isExhausted { return false }
            entries = next
            merged *= 2
        }
        return true
    }

    private func merge(_ start: Int, _ middle: Int, _ end: Int, into next: Block<Entry>) {
        let bytes = keys.bytes
        let entries = entries.elements
        var (left, right) = (start, middle)
        while left < middle, right < end {
            if Self.precedes(entries[right], entries[left], bytes) {
                next.append(entries[right])
                right += 1
            } else {
                next.append(entries[left])
                left += 1
            }
        }
        next.append(contentsOf: entries[left..<middle])
        next.append(contentsOf: entries[right..<end])
    }

    private static func precedes(_ left: Entry, _ right: Entry, _ keys: UnsafeBufferPointer<UInt8>) -> Bool {
        if left.head != right.head { return left.head < right.head }
        let shared = Int(min(left.count, right.count))
        if shared > 8, let base = keys.baseAddress {
            let order = memcmp(base + left.start, base + right.start, shared)
            if order != 0 { return order < 0 }
        }
        return left.count != right.count ? left.count < right.count : left.place < right.place
    }
}
