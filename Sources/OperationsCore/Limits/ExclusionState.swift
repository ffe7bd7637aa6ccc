/// Who holds which keys, and who waits for some: a plain value.
///
/// An operation takes all its keys or none, so that two can never wait for each other. One that cannot have them waits in the
/// line of one key that another holds, and of those that wait for a key the first of each queue is woken when it is free. It
/// has to ask anew; until it has, or has declined, nobody else of its queue is woken for that key.
struct ExclusionState<Waiter> {
    typealias Queue = ObjectIdentifier

    /// What was taken out and has to be released with no lock held: it may be the last reference to what is a client's.
    struct Garbage {
        fileprivate var keys: [ExclusionKey] = []
        fileprivate var waiters: [Waiter] = []
    }

    private struct Wait {
        let key: ExclusionKey
        let queue: Queue
        let ticket: Int
        let waiter: Waiter
    }

    private struct Offer {
        let key: ExclusionKey
        let queue: Queue
    }

    private var holders: [ExclusionKey: ObjectIdentifier] = [:]
    private var held: [ObjectIdentifier: Set<ExclusionKey>] = [:]
    private var waits: [ObjectIdentifier: Wait] = [:]
    private var offers: [ObjectIdentifier: Offer] = [:]
    private var lines: [ExclusionKey: [Queue: ExclusionLine]] = [:]
    private var tickets = 0
    private var garbage = Garbage()

    var isEmpty: Bool { holders.isEmpty && held.isEmpty && waits.isEmpty && offers.isEmpty && lines.isEmpty }

    mutating func takeGarbage() -> Garbage {
        defer { garbage = Garbage() }
        return garbage
    }

    /// Takes all keys, or notes that somebody waits for them.
    /// - Returns: Whether it has them, and others who may try now.
    mutating func acquire(
        _ keys: Set<ExclusionKey>, for identity: ObjectIdentifier, of queue: Queue, _ rank: ExclusionLine.Rank,
        _ waiter: Waiter
    ) -> (isAcquired: Bool, woken: [Waiter]) {
        forgetWait(of: identity)
        let missing = keys.first { holders[$0].map { $0 != identity } ?? false }
        if let missing {
            tickets += 1
            waits[identity] = Wait(key: missing, queue: queue, ticket: tickets, waiter: waiter)
            lines[missing, default: [:]][queue, default: ExclusionLine()].insert(identity, tickets, rank)
        } else if !keys.isEmpty {
            for key in keys { holders[key] = identity }
            held[identity] = keys
        }
        return (missing == nil, decline(identity))
    }

    /// Gives back what `identity` holds, and forgets that it waits.
    /// - Returns: Those who may try now.
    mutating func release(of identity: ObjectIdentifier) -> [Waiter] {
        forgetWait(of: identity)
        var woken = decline(identity)
        for key in held.removeValue(forKey: identity) ?? [] {
            garbage.keys.append(key)
            if let index = holders.index(forKey: key) { garbage.keys.append(holders.remove(at: index).key) }
            for queue in lines[key]?.keys.map({ $0 }) ?? [] { woken += wakeFirst(of: queue, for: key) }
        }
        return woken
    }

    /// One that was woken for a key does not ask for it, or has asked.
    /// - Returns: Who may try in its place, if the key is still free.
    mutating func decline(_ identity: ObjectIdentifier) -> [Waiter] {
        guard let offer = offers.removeValue(forKey: identity) else { return [] }
        garbage.keys.append(offer.key)
        return holders[offer.key] == nil ? wakeFirst(of: offer.queue, for: offer.key) : []
    }

    private mutating func wakeFirst(of queue: Queue, for key: ExclusionKey) -> [Waiter] {
        while let first = lines[key]?[queue]?.popFirst() {
            guard waits[first.identity]?.ticket == first.ticket,
                let wait = waits.removeValue(forKey: first.identity)
            else { continue }
            garbage.keys.append(wait.key)
            lines[key]?[queue]?.leave()
            dropIfEmpty(queue, key)
            offers[first.identity] = Offer(key: key, queue: queue)
            return [wait.waiter]
        }
        return []
    }

    private mutating func forgetWait(of identity: ObjectIdentifier) {
        guard let wait = waits.removeValue(forKey: identity) else { return }
        garbage.keys.append(wait.key)
        garbage.waiters.append(wait.waiter)
        lines[wait.key]?[wait.queue]?.leave()
        if lines[wait.key]?[wait.queue]?.isWide == true {
            let waits = waits
            lines[wait.key]?[wait.queue]?.close { waits[$0]?.ticket == $1 }
        }
        dropIfEmpty(wait.queue, wait.key)
    }

    private mutating func dropIfEmpty(_ queue: Queue, _ key: ExclusionKey) {
        if lines[key]?[queue]?.isEmpty == true { lines[key]?[queue] = nil }
        guard lines[key]?.isEmpty == true, let index = lines.index(forKey: key) else { return }
        garbage.keys.append(lines.remove(at: index).key)
    }
}
