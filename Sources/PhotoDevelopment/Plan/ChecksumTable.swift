import Transfers

/// Numbers by 64-bit checksums, each with a count, in memory of its own, which grows with them. For one thread.
///
/// Checksums are spread evenly already, so that they say where to look; a dictionary of Swift would hash them once more. What is known of
/// one lies in one line of the processor's cache.
final class ChecksumTable {
    private struct Slot: BitwiseCopyable {
        var key: UInt64
        var number: UInt32
        /// 0 where there is none.
        var count: UInt32
    }

    /// How many places there are at first. Few plans have so few hosts that they need no more, but those are to take next to no memory.
    private static let fewest = 1 << 12

    private var memory: LargeMemory
    private var slots: UnsafeMutableBufferPointer<Slot>
    private var used = 0

    init() {
        memory = Self.memory(slots: Self.fewest)
        slots = memory.bytes.bindMemory(to: Slot.self)
    }

    private static func memory(slots: Int) -> LargeMemory {
        LargeMemory(byteCount: slots * MemoryLayout<Slot>.stride, isMuchUsed: slots > fewest)
    }

    /// Takes eight times as many places, so that what was there is moved seldom.
    private func grow() {
        let (before, old) = (memory, slots)
        memory = Self.memory(slots: 8 * old.count)
        slots = memory.bytes.bindMemory(to: Slot.self)
        withExtendedLifetime(before) {
            for slot in old where slot.count > 0 { slots[place(of: slot.key)] = slot }
        }
    }

    /// Has the processor fetch what ``countedNumber(of:)`` will look at.
    func prepare(for key: UInt64) {
        guard let base = slots.baseAddress else { return }
        Checksum.prefetch(base + (Int(truncatingIfNeeded: key) & (slots.count - 1)))
    }

    /// The number of a checksum, which is counted once more; nil where there is none.
    func countedNumber(of key: UInt64) -> Int? {
        let place = place(of: key)
        guard slots[place].count > 0 else { return nil }
        slots[place].count += 1
        return Int(slots[place].number)
    }

    /// The count of a checksum; 0 where there is none.
    func count(of key: UInt64) -> Int { Int(slots[place(of: key)].count) }

    /// Adds to the count of a checksum.
    ///
    /// - Parameters:
    ///   - count: How much, at least 1; all that is added together must be less than 2^32.
    ///   - number: Its number, where it has none yet; less than 2^32.
    func add(_ count: Int, to key: UInt64, number: Int) {
        var place = place(of: key)
        if slots[place].count == 0 {
            used += 1
            // Half of the places stay empty.
            if 2 * used > slots.count {
                grow()
                place = self.place(of: key)
            }
            slots[place] = Slot(key: key, number: UInt32(number), count: 0)
        }
        slots[place].count += UInt32(count)
    }

    /// All numbers with their counts.
    func each(_ body: (_ number: Int, _ count: Int) -> Void) {
        for slot in slots where slot.count > 0 { body(Int(slot.number), Int(slot.count)) }
    }

    func removeAll() {
        slots.update(repeating: Slot(key: 0, number: 0, count: 0))
        used = 0
    }

    private func place(of key: UInt64) -> Int {
        let mask = slots.count - 1
        var place = Int(truncatingIfNeeded: key) & mask
        while slots[place].count > 0, slots[place].key != key { place = (place + 1) & mask }
        return place
    }
}
