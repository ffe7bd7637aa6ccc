/// Who holds which keys, and who waits for some: a plain value.
///
/// An operation takes all its keys or none, so that two can never wait for each other. One that cannot have them waits in the
/// line of one key that another holds. Of those that wait for a key that becomes free, the first of one queue is woken, and
/// has to ask anew; until it has, or has declined, nobody else of its queue is woken for that key. It may be kept from
/// asking for long, by what else its queue does. So the next queue's turn comes, by `pass`, if the key is still free then.
/// All in all each time that a key is given back costs the same, in however many queues others wait for it.
struct ExclusionState<Waiter, Key: Hashable> {
    typealias Queue = ObjectIdentifier

    /// What was taken out and has to be released with no lock held: it may be the last reference to what is a client's.
    struct Garbage {
        fileprivate var keys: [Key] = []
        fileprivate var waiters: [Waiter] = []
    }

    /// One who may try now.
    struct Woken {
        let waiter: Waiter
        /// The key for which others have to be woken by `pass`, once this one has had time to ask.
        var passed: Key?
    }

    private struct Wait {
        let key: Key
        let queue: Queue
        let ticket: Int
        let waiter: Waiter
    }

    private struct Offer {
        let key: Key
        let queue: Queue
    }

    /// Those who wait for a key, and those who were woken for it.
    private struct Crowd {
        var lines: [Queue: ExclusionLine] = [:]
        /// Queues of which one was woken, and has neither asked nor declined.
        var offered: Set<Queue> = []
        /// The other queues in the order of their turns; some may have nobody left who waits.
        private var turns = Line<Queue>()
        private var queues: Set<Queue> = []
        /// Somebody will call `pass`.
        var isPassed = false

        var isEmpty: Bool { lines.isEmpty && offered.isEmpty }
        var hasTurns: Bool { !turns.isEmpty }

        mutating func append(_ queue: Queue) {
            if queues.insert(queue).inserted { turns.append(queue) }
        }

        mutating func popNext() -> Queue? {
            let next = turns.popFirst()
            if let next { queues.remove(next) }
            return next
        }
    }

    /// The lines of one queue: its order, which each line takes over when somebody comes or goes, and how many they are.
    private struct Lines {
        var order: ExecutionOrder
        var count = 0
    }

    private var holders: [Key: ObjectIdentifier] = [:]
    private var held: [ObjectIdentifier: [Key]] = [:]
    private var waits: [ObjectIdentifier: Wait] = [:]
    private var offers: [ObjectIdentifier: Offer] = [:]
    private var crowds: [Key: Crowd] = [:]
    /// The queues of which somebody waits.
    private var queues: [Queue: Lines] = [:]
    private var tickets = 0
    private var garbage = Garbage()

    var isEmpty: Bool {
        holders.isEmpty && held.isEmpty && waits.isEmpty && offers.isEmpty && crowds.isEmpty && queues.isEmpty
    }

    func isWaiting(_ identity: ObjectIdentifier) -> Bool { waits[identity] != nil }

    /// Who holds the key that somebody waits for; nil if nobody does just now.
    func holder(awaitedBy identity: ObjectIdentifier) -> ObjectIdentifier? {
        waits[identity].flatMap { holders[$0.key] }
    }

    mutating func takeGarbage() -> Garbage {
        defer { garbage = Garbage() }
        return garbage
    }

    /// Takes all keys, or notes that somebody waits for them.
    /// - Parameter order: The queue's.
    /// - Returns: Whether it has them, and others who may try now.
    mutating func acquire(
        _ keys: [Key], for identity: ObjectIdentifier, of queue: Queue, _ rank: ExclusionLine.Rank,
        _ order: ExecutionOrder, _ waiter: Waiter
    ) -> (isAcquired: Bool, woken: [Woken]) {
        forgetWait(of: identity)
        let missing = keys.first { holders[$0].map { $0 != identity } ?? false }
        if let missing {
            tickets += 1
            waits[identity] = Wait(key: missing, queue: queue, ticket: tickets, waiter: waiter)
            if crowds[missing]?.lines[queue] == nil { queues[queue, default: Lines(order: order)].count += 1 }
            crowds[missing, default: Crowd()].lines[queue, default: ExclusionLine(order)].insert(
                identity, tickets, rank, queues[queue]?.order ?? order)
            if crowds[missing]?.offered.contains(queue) == false { crowds[missing]?.append(queue) }
        } else if !keys.isEmpty {
            for key in keys { holders[key] = identity }
            held[identity] = keys
        }
        return (missing == nil, decline(identity))
    }

    /// Has those of a queue that wait come in another order.
    mutating func setOrder(_ order: ExecutionOrder, of queue: Queue) {
        queues[queue]?.order = order
    }

    /// Gives back what `identity` holds, and forgets that it waits.
    /// - Returns: Those who may try now.
    mutating func release(of identity: ObjectIdentifier) -> [Woken] {
        forgetWait(of: identity)
        var woken = decline(identity)
        for key in held.removeValue(forKey: identity) ?? [] {
            garbage.keys.append(key)
            if let index = holders.index(forKey: key) { garbage.keys.append(holders.remove(at: index).key) }
            woken += wakeNext(for: key)
        }
        return woken
    }

    /// One that was woken for a key does not ask for it, or has asked.
    /// - Returns: Who may try in its place, if the key is still free.
    mutating func decline(_ identity: ObjectIdentifier) -> [Woken] {
        guard let offer = offers.removeValue(forKey: identity) else { return [] }
        garbage.keys.append(offer.key)
        crowds[offer.key]?.offered.remove(offer.queue)
        defer { dropIfEmpty(offer.queue, offer.key) }
        if holders[offer.key] == nil {
            return wakeFirst(of: offer.queue, for: offer.key).map { [Woken(waiter: $0)] } ?? []
        }
        if crowds[offer.key]?.lines[offer.queue] != nil { crowds[offer.key]?.append(offer.queue) }
        return []
    }

    /// Those who were woken for `key` have had time to ask for it.
    /// - Returns: Who may try now, if it is still free.
    mutating func pass(_ key: Key) -> [Woken] {
        crowds[key]?.isPassed = false
        return holders[key] == nil ? wakeNext(for: key) : []
    }

    /// Wakes the first of the queue whose turn it is.
    private mutating func wakeNext(for key: Key) -> [Woken] {
        while let queue = crowds[key]?.popNext() {
            guard let waiter = wakeFirst(of: queue, for: key) else { continue }
            var woken = Woken(waiter: waiter)
            if let crowd = crowds[key], crowd.hasTurns, !crowd.isPassed {
                crowds[key]?.isPassed = true
                woken.passed = key
            }
            return [woken]
        }
        return []
    }

    private mutating func wakeFirst(of queue: Queue, for key: Key) -> Waiter? {
        guard let order = queues[queue]?.order else { return nil }
        while let first = crowds[key]?.lines[queue]?.popFirst(order) {
            guard waits[first.identity]?.ticket == first.ticket,
                let wait = waits.removeValue(forKey: first.identity)
            else { continue }
            garbage.keys.append(wait.key)
            crowds[key]?.lines[queue]?.leave()
            crowds[key]?.offered.insert(queue)
            dropIfEmpty(queue, key)
            offers[first.identity] = Offer(key: key, queue: queue)
            return wait.waiter
        }
        return nil
    }

    private mutating func forgetWait(of identity: ObjectIdentifier) {
        guard let wait = waits.removeValue(forKey: identity) else { return }
        garbage.keys.append(wait.key)
        garbage.waiters.append(wait.waiter)
        crowds[wait.key]?.lines[wait.queue]?.leave()
        if crowds[wait.key]?.lines[wait.queue]?.isWide == true {
            let waits = waits
            crowds[wait.key]?.lines[wait.queue]?.close { waits[$0]?.ticket == $1 }
        }
        dropIfEmpty(wait.queue, wait.key)
    }

    private mutating func dropIfEmpty(_ queue: Queue, _ key: Key) {
        if crowds[key]?.lines[queue]?.isEmpty == true {
            crowds[key]?.lines[queue] = nil
            queues[queue]?.count -= 1
            if queues[queue]?.count == 0 { queues[queue] = nil }
        }
        guard crowds[key]?.isEmpty == true, let index = crowds.index(forKey: key) else { return }
        garbage.keys.append(crowds.remove(at: index).key)
    }
}
