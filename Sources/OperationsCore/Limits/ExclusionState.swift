/// Who holds which keys, and who waits for some: a plain value.
///
/// An operation takes all its keys or none, so that two can never wait for each other.
struct ExclusionState<Waiter> {
    private var holders: [ExclusionKey: ObjectIdentifier] = [:]
    private var waiting: [(identity: ObjectIdentifier, keys: Set<ExclusionKey>, waiter: Waiter)] = []

    var isEmpty: Bool { holders.isEmpty && waiting.isEmpty }

    /// Takes all keys, or notes that somebody waits for them.
    /// - Returns: False if some key is held by another.
    mutating func acquire(_ keys: Set<ExclusionKey>, for identity: ObjectIdentifier, _ waiter: Waiter) -> Bool {
        guard areFree(keys, for: identity) else {
            waiting.append((identity, keys, waiter))
            return false
        }
        for key in keys { holders[key] = identity }
        return true
    }

    /// Gives back what `identity` holds and forgets that it waits.
    /// - Returns: Those who may try again; they have to ask anew. What else it held is in `forgotten`, for release.
    mutating func release(_ keys: Set<ExclusionKey>, of identity: ObjectIdentifier) -> (
        woken: [Waiter], forgotten: [Waiter]
    ) {
        for key in keys where holders[key] == identity { holders[key] = nil }
        let forgotten = waiting.filter { $0.identity == identity }.map(\.waiter)
        waiting.removeAll { $0.identity == identity }
        let isWoken = waiting.map { !$0.keys.isDisjoint(with: keys) && areFree($0.keys, for: $0.identity) }
        let woken = zip(waiting, isWoken).filter(\.1).map(\.0.waiter)
        waiting = zip(waiting, isWoken).filter { !$0.1 }.map(\.0)
        return (woken, forgotten)
    }

    private func areFree(_ keys: Set<ExclusionKey>, for identity: ObjectIdentifier) -> Bool {
        keys.allSatisfy { holders[$0] == nil || holders[$0] == identity }
    }
}
