/// Those of one queue that wait for one key, the first on top of a heap.
///
/// Who does not wait any more leaves a gap: an entry that is passed over when its turn comes.
struct ExclusionLine {
    /// Which of a queue's operations comes first.
    struct Rank {
        let level: UInt8
        let sequence: UInt64

        func comes(before other: Rank, in order: ExecutionOrder) -> Bool {
            level != other.level ? level > other.level : order.puts(sequence, before: other.sequence)
        }
    }

    private struct Entry {
        let identity: ObjectIdentifier
        let ticket: Int
        let rank: Rank
    }

    private var entries: [Entry] = []
    /// The queue's, when the line was last used.
    private var order: ExecutionOrder
    /// How many of them wait.
    private var live = 0

    init(_ order: ExecutionOrder) { self.order = order }

    var isEmpty: Bool { live == 0 }

    private mutating func setOrder(_ order: ExecutionOrder) {
        guard self.order != order else { return }
        self.order = order
        sort()
    }

    private mutating func sort() {
        // An array that is sorted is a heap.
        entries.sort { $0.rank.comes(before: $1.rank, in: order) }
    }

    mutating func insert(_ identity: ObjectIdentifier, _ ticket: Int, _ rank: Rank, _ order: ExecutionOrder) {
        setOrder(order)
        live += 1
        entries.append(Entry(identity: identity, ticket: ticket, rank: rank))
        var index = entries.count - 1
        while index > 0, entries[index].rank.comes(before: entries[(index - 1) / 2].rank, in: order) {
            entries.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// Takes the first entry out, which may be a gap. For one that waits, `leave` has to follow.
    mutating func popFirst(_ order: ExecutionOrder) -> (identity: ObjectIdentifier, ticket: Int)? {
        setOrder(order)
        return removeFirst().map { ($0.identity, $0.ticket) }
    }

    /// One of them has ceased to wait.
    mutating func leave() { live -= 1 }

    /// So many entries are gaps that they should be closed.
    var isWide: Bool { entries.count > 2 * live + 16 }

    /// Closes the gaps: keeps the entries that wait.
    mutating func close(_ waits: (ObjectIdentifier, Int) -> Bool) {
        entries = entries.filter { waits($0.identity, $0.ticket) }
        sort()
    }

    private mutating func removeFirst() -> Entry? {
        guard let first = entries.first, let last = entries.popLast() else { return nil }
        guard !entries.isEmpty else { return first }
        entries[0] = last
        var index = 0
        while 2 * index + 1 < entries.count {
            var child = 2 * index + 1
            if child + 1 < entries.count, entries[child + 1].rank.comes(before: entries[child].rank, in: order) {
                child += 1
            }
            guard entries[child].rank.comes(before: entries[index].rank, in: order) else { break }
            entries.swapAt(index, child)
            index = child
        }
        return first
    }
}
