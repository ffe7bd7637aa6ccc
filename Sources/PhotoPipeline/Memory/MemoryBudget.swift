/// Bytes that photos on their way may hold together, shared out so that somebody can always finish.
///
/// A plain value: a holder asks for an amount, and is granted or has to wait. The holder that asked first of all who are
/// there is always granted, over the limit too; without that rule a few half-received pictures could hold all of the memory
/// and wait for each other. So the bytes held are at most the limit, what the eldest needs beyond it, and what was made without knowing its size before. Whoever has asked
/// has its transfer under way, and so can go on when it is granted: a photo that has not begun is nobody's eldest, and neither is
/// one whose transfer waits for another try, which may not begin before others are done.
struct MemoryBudget {
    /// Who holds memory; the number that it was given when it first asked, from low to high.
    typealias Holder = Int

    let limit: Int
    private(set) var held = 0
    private var amounts: [Holder: Int] = [:]
    private var waiting: Set<Holder> = []
    /// Those who cannot go on for now, and keep what they hold.
    private var paused: Set<Holder> = []

    /// - Parameter limit: How many bytes all holders may hold together.
    init(limit: Int) {
        self.limit = limit
    }

    /// Asks that a holder may hold `amount` bytes from now on, in place of what it held.
    ///
    /// - Returns: Whether it may. If not, the holder is waiting, and a later change names it among those to ask again.
    mutating func request(_ amount: Int, for holder: Holder) -> Bool {
        let current = amounts[holder, default: 0]
        amounts[holder] = current
        guard amount <= current || held - current + amount <= limit || holder == eldest else {
            waiting.insert(holder)
            return false
        }
        amounts[holder] = amount
        held += amount - current
        return true
    }

    /// Notes that a holder holds `amount` bytes, over the limit too; nothing for one that holds more.
    mutating func take(_ amount: Int, for holder: Holder) {
        let current = amounts[holder, default: 0]
        amounts[holder] = max(amount, current)
        held += max(amount - current, 0)
    }

    /// Lets a holder hold less.
    ///
    /// - Returns: Those who were waiting and should ask again.
    mutating func shrink(to amount: Int, for holder: Holder) -> Set<Holder> {
        guard let current = amounts[holder], amount < current else { return [] }
        amounts[holder] = amount
        held += amount - current
        return takeWaiting()
    }

    /// Notes that a holder cannot go on for now.
    ///
    /// - Returns: Those who were waiting and should ask again: one of them may be the eldest now.
    mutating func pause(_ holder: Holder) -> Set<Holder> {
        guard amounts[holder] != nil, paused.insert(holder).inserted else { return [] }
        return takeWaiting()
    }

    /// Notes that a paused holder can go on: as the youngest, since the others did not wait for it.
    mutating func resume(_ holder: Holder, as youngest: Holder) {
        paused.remove(holder)
        amounts[youngest] = amounts.removeValue(forKey: holder)
        if waiting.remove(holder) != nil { waiting.insert(youngest) }
    }

    /// Lets a holder go with all it held.
    ///
    /// - Returns: Those who were waiting and should ask again.
    mutating func dismiss(_ holder: Holder) -> Set<Holder> {
        guard let current = amounts.removeValue(forKey: holder) else { return [] }
        held -= current
        waiting.remove(holder)
        paused.remove(holder)
        return takeWaiting()
    }

    private mutating func takeWaiting() -> Set<Holder> {
        defer { waiting = [] }
        return waiting
    }

    // At most a few dozen photos are on their way at a time.
    private var eldest: Holder? {
        paused.isEmpty ? amounts.keys.min() : amounts.keys.lazy.filter { !paused.contains($0) }.min()
    }
}
