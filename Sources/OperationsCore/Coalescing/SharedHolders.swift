/// Those who want a piece of shared work, by the numbers of their holds. A change costs the same however many there are.
struct SharedHolders {
    /// One of them.
    struct Holder {
        let observer: (any SharedWorkObserver)?
        /// Whether it is the last work of what this one wants.
        let isLast: Bool
        fileprivate(set) var priority: Operation.QueuePriority
    }

    /// The one that has wanted it longest, or did so when ``passOn()`` was called last.
    private(set) var first: Int?
    /// That one; nil if it has left. Mostly it is the only one, for whom a table would be too much.
    private var firstHolder: Holder?
    private var others: [Int: Holder] = [:]
    /// The others in the order in which they came; also some that have left.
    private(set) var line = Line<Int>()
    /// How many there are of each priority.
    private var counts = InlineArray<5, Int>(repeating: 0)

    var isEmpty: Bool { firstHolder == nil && others.isEmpty }

    func forEach(_ body: (Holder) -> Void) {
        if let firstHolder { body(firstHolder) }
        others.values.forEach(body)
    }

    var observers: [any SharedWorkObserver] {
        var observers: [any SharedWorkObserver] = []
        forEach { if let observer = $0.observer { observers.append(observer) } }
        return observers
    }

    /// The priority of the most urgent one; nil if there is none.
    var priority: Operation.QueuePriority? {
        counts.indices.last { counts[$0] > 0 }.map { Operation.QueuePriority(level: UInt8($0)) }
    }

    mutating func insert(_ number: Int, _ holder: Holder) {
        counts[Int(holder.priority.level)] += 1
        if first == nil {
            (first, firstHolder) = (number, holder)
        } else {
            others[number] = holder
            line.append(number)
        }
    }

    mutating func remove(_ number: Int) -> Holder? {
        guard let holder = number == first ? firstHolder.take() : others.removeValue(forKey: number) else { return nil }
        counts[Int(holder.priority.level)] -= 1
        // Where many come and go behind the first, those that have left would be more and more.
        if line.count > 2 * others.count + 16 {
            let others = others
            line.removeAll { others[$0] == nil }
        }
        return holder
    }

    /// Has another one be the first, if that has left and there is one.
    mutating func passOn() {
        while firstHolder == nil, let next = line.popFirst() {
            guard let holder = others.removeValue(forKey: next) else { continue }
            (first, firstHolder) = (next, holder)
        }
    }

    mutating func setPriority(_ priority: Operation.QueuePriority, of number: Int) {
        guard let before = number == first ? firstHolder?.priority : others[number]?.priority else { return }
        counts[Int(before.level)] -= 1
        counts[Int(priority.level)] += 1
        if number == first { firstHolder?.priority = priority } else { others[number]?.priority = priority }
    }

    /// Forgets all of them, but which was the first.
    mutating func removeAll() {
        let first = first
        self = SharedHolders()
        self.first = first
    }
}
