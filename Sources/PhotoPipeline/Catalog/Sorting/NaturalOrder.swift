import Glibc

/// The order of names as a person has it: numbers by their value, letters without regard to case and accents, the
/// same in every locale.
///
/// Each name is turned into a key whose bytes compare as the names do, once, so that sorting a million names compares
/// bytes only. Names with equal keys keep their order.
enum NaturalOrder {
    private struct Entry {
        /// The key's first eight bytes, which decide most comparisons without a look into the arena.
        var head: UInt64
        var key: ArenaRange
        var index: UInt32
    }

    /// Rows in the order of their names; those without a name of their own come first.
    static func sorted(_ rows: [RowRecord], in arena: ByteArena) -> [RowRecord] {
        order(rows, in: arena).map { rows[Int($0.index)] }
    }

    private static func order(_ rows: [RowRecord], in arena: ByteArena) -> [Entry] {
        let keys = ByteArena(capacity: arena.count / 2)
        var entries: [Entry] = []
        entries.reserveCapacity(rows.count)
        for (index, row) in rows.enumerated() {
            let start = keys.count
            if let name = row.name { SortKey.append(of: arena.bytes(name), to: keys) }
            let key = keys.range(from: start)
            entries.append(Entry(head: head(keys.bytes(key)), key: key, index: UInt32(index)))
        }
        withExtendedLifetime(keys) {
            let bytes = keys.bytes
            entries.sort { precedes($0, $1, bytes) }
        }
        return entries
    }

    private static func precedes(_ left: Entry, _ right: Entry, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        if left.head != right.head { return left.head < right.head }
        let shared = Int(min(left.key.count, right.key.count))
        if shared > 8, let base = bytes.baseAddress {
            let order = memcmp(base + Int(left.key.start), base + Int(right.key.start), shared)
            if order != 0 { return order < 0 }
        }
        if left.key.count != right.key.count { return left.key.count < right.key.count }
        return left.index < right.index
    }

    private static func head(_ key: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var head: UInt64 = 0
        for index in 0..<8 { head = head << 8 | UInt64(index < key.count ? key[index] : 0) }
        return head
    }
}
