/// Elements of one priority that came out of order, of which the oldest and the newest are known: a min-max heap (Atkinson, Sack,
/// Santoro and Strothotte, 1986).
///
/// On even levels, the root's among them, each is older than all below it, on odd levels newer. So nothing has to be moved where
/// the newest come first from now on. Adding and removing cost O(log n).
struct LateHeap<Element: ReadyElement> {
    struct Entry {
        let sequence: UInt64
        let element: Unmanaged<Element>
    }

    private var entries: [Entry] = []

    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty }

    /// The one that comes first in an order.
    func first(in order: ExecutionOrder) -> Entry? {
        guard order == .lifo, entries.count > 1 else { return entries.first }
        return entries.count > 2 && entries[2].sequence > entries[1].sequence ? entries[2] : entries[1]
    }

    mutating func insert(_ element: Element, level: UInt8) {
        entries.append(Entry(sequence: element.sequence, element: .passUnretained(element)))
        siftUp(from: entries.count - 1, level: level)
    }

    mutating func remove(at index: Int, level: UInt8) {
        let last = entries.removeLast()
        guard index < entries.count else { return }
        entries[index] = last
        siftUp(from: index, level: level)
        // It, or what has come down in its place.
        siftDown(from: index, level: level)
    }

    private static func isOnEvenLevel(_ index: Int) -> Bool { (index + 1).leadingZeroBitCount % 2 == 1 }

    /// One has to be above the other, on levels of a kind.
    private static func puts(_ one: Entry, above other: Entry, isEven: Bool) -> Bool {
        isEven ? one.sequence < other.sequence : one.sequence > other.sequence
    }

    private mutating func siftUp(from start: Int, level: UInt8) {
        var index = start
        var isEven = Self.isOnEvenLevel(index)
        let entry = entries[index]
        if index > 0, Self.puts(entry, above: entries[(index - 1) / 2], isEven: !isEven) {
            put(entries[(index - 1) / 2], at: index, level: level)
            index = (index - 1) / 2
            isEven.toggle()
        }
        while index > 2, Self.puts(entry, above: entries[(index - 3) / 4], isEven: isEven) {
            put(entries[(index - 3) / 4], at: index, level: level)
            index = (index - 3) / 4
        }
        put(entry, at: index, level: level)
    }

    private mutating func siftDown(from start: Int, level: UInt8) {
        var index = start
        let isEven = Self.isOnEvenLevel(index)
        var entry = entries[index]
        while let next = firstBelow(index, isEven: isEven), Self.puts(entries[next], above: entry, isEven: isEven) {
            let isChild = next <= 2 * index + 2
            put(entries[next], at: index, level: level)
            index = next
            if isChild { break }
            // The one between them is on a level of the other kind.
            let parent = (next - 1) / 2
            if Self.puts(entry, above: entries[parent], isEven: !isEven) {
                let other = entries[parent]
                put(entry, at: parent, level: level)
                entry = other
            }
        }
        put(entry, at: index, level: level)
    }

    /// Which of the children and of their children would have to be above all others, on a level of a kind.
    private func firstBelow(_ index: Int, isEven: Bool) -> Int? {
        let child = 2 * index + 1
        guard child < entries.count else { return nil }
        var first = child
        func consider(_ other: Int) {
            if Self.puts(entries[other], above: entries[first], isEven: isEven) { first = other }
        }
        if child + 1 < entries.count { consider(child + 1) }
        for grandchild in 4 * index + 3..<max(4 * index + 3, min(4 * index + 7, entries.count)) { consider(grandchild) }
        return first
    }

    private mutating func put(_ entry: Entry, at index: Int, level: UInt8) {
        entries[index] = entry
        entry.element._withUnsafeGuaranteedRef {
            $0.storePlace = StorePlace(level: level, isLate: true, index: index)
        }
    }
}
