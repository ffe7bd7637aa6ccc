/// Those who want a piece of shared work, by the numbers of their holds. A change costs the same however many there are.
struct SharedHolders<Event: Sendable> {
    /// One of them.
    struct Holder {
        let observer: (any SharedWorkObserver<Event>)?
        /// Whether it is the last work of what this one wants.
        let isLast: Bool
        fileprivate(set) var priority: Operation.QueuePriority
    }

    private(set) var byNumber: [Int: Holder] = [:]
    /// The one that has wanted it longest, or did so when ``passOn()`` was called last.
    private(set) var first: Int?
    /// The others in the order in which they came; also some that have left.
    private var line = Line<Int>()
    /// How many there are of each priority.
    private var counts = [0, 0, 0, 0, 0]

    var isEmpty: Bool { byNumber.isEmpty }
    var observers: [any SharedWorkObserver<Event>] { byNumber.values.compactMap(\.observer) }

    /// The priority of the most urgent one; nil if there is none.
    var priority: Operation.QueuePriority? {
        counts.indices.last { counts[$0] > 0 }.map { Operation.QueuePriority(level: UInt8($0)) }
    }

    mutating func insert(
        _ number: Int, _ observer: (any SharedWorkObserver<Event>)?, isLast: Bool, _ priority: Operation.QueuePriority
    ) {
        byNumber[number] = Holder(observer: observer, isLast: isLast, priority: priority)
        counts[Int(priority.level)] += 1
        if first == nil { first = number } else { line.append(number) }
    }

    mutating func remove(_ number: Int) -> Holder? {
        guard let holder = byNumber.removeValue(forKey: number) else { return nil }
        counts[Int(holder.priority.level)] -= 1
        return holder
    }

    /// Has another one be the first, if that has left and there is one.
    mutating func passOn() {
        guard let left = first, byNumber[left] == nil else { return }
        while let next = line.popFirst() {
            guard byNumber[next] != nil else { continue }
            first = next
            return
        }
    }

    mutating func setPriority(_ priority: Operation.QueuePriority, of number: Int) {
        guard let holder = byNumber[number] else { return }
        counts[Int(holder.priority.level)] -= 1
        counts[Int(priority.level)] += 1
        byNumber[number]?.priority = priority
    }

    /// Forgets all of them, but which was the first.
    mutating func removeAll() {
        let first = first
        self = SharedHolders()
        self.first = first
    }
}
