/// What `ReadyStore` needs of an element: its place in the order of adding, and room to note where it is kept.
protocol ReadyElement: AnyObject {
    /// Position in the order of adding; never changes while the element is in a store.
    var sequence: UInt64 { get }
    /// Written by the store alone.
    var storePlace: StorePlace { get set }
}

/// Where a store keeps an element, packed into eight bytes because every operation carries one.
struct StorePlace: Equatable {
    private var word: UInt64

    static let none = StorePlace(word: 0)

    private init(word: UInt64) { self.word = word }

    init(level: UInt8, isLate: Bool, index: Int) {
        word = 1 | (isLate ? 2 : 0) | UInt64(level) << 2 | UInt64(index) << 8
    }

    var isPresent: Bool { word & 1 != 0 }
    /// In the heap of those that came out of order.
    var isLate: Bool { word & 2 != 0 }
    var level: UInt8 { UInt8(truncatingIfNeeded: word >> 2 & 0x3F) }
    var index: Int { Int(word >> 8) }
}

/// The operations of one queue that may start, and nothing else: highest priority first, then the order of
/// adding or its reverse.
///
/// Inserting in the order of adding and taking the first are O(1); an element that comes out of order costs
/// O(log n); removing and changing the priority, wherever the element is, cost O(1) or O(log n). The store keeps
/// no element alive, its owner does.
struct ReadyStore<Element: ReadyElement> {
    /// One for each priority.
    private var buckets = InlineArray<5, ReadyBucket<Element>>(repeating: ReadyBucket())
    /// Bit n: bucket n has elements.
    private var occupied: UInt8 = 0

    var isEmpty: Bool { occupied == 0 }

    var count: Int { buckets.indices.reduce(0) { $0 + buckets[$1].count } }

    /// The element that `popFirst` would take.
    var first: Unmanaged<Element>? {
        guard occupied != 0 else { return nil }
        return buckets[highestLevel].first
    }

    /// The highest priority that there is; -1 if it is empty.
    var highestLevel: Int { 7 - occupied.leadingZeroBitCount }

    /// Which of one priority comes first. To change it costs the same whatever there is.
    var order = ExecutionOrder.fifo {
        didSet {
            guard order != oldValue else { return }
            for level in buckets.indices { buckets[level].order = order }
        }
    }

    /// Adds an element that is in no store.
    mutating func insert(_ element: Element, level: UInt8) {
        precondition(!element.storePlace.isPresent, "The element is in a store already.")
        buckets[Int(level)].insert(element, level: level)
        occupied |= 1 << level
    }

    mutating func popFirst() -> Unmanaged<Element>? {
        guard occupied != 0 else { return nil }
        let level = highestLevel
        let element = buckets[level].popFirst(level: UInt8(level))
        if buckets[level].isEmpty { occupied &= ~(1 << UInt8(level)) }
        return element
    }

    /// Takes an element out; does nothing when it is not in.
    mutating func remove(_ element: Element) {
        let place = element.storePlace
        guard place.isPresent else { return }
        let level = Int(place.level)
        buckets[level].remove(element, at: place)
        if buckets[level].isEmpty { occupied &= ~(1 << place.level) }
    }

    /// Moves an element to another priority, where it keeps its place in the order of adding.
    mutating func move(_ element: Element, to level: UInt8) {
        guard element.storePlace.level != level else { return }
        remove(element)
        insert(element, level: level)
    }
}
