/// A cache of values by what they cost, which lets go of what was not asked for lately: CLOCK, also called second chance.
///
/// Values stand in line in the order of their arrival. Being asked for only marks a value; when room is needed the line is
/// gone through from its front: a marked value loses its mark and goes to the end, an unmarked one goes. A list that scrolls
/// goes back to what it has just shown, which this keeps about as well as an order by last use does, without moving
/// anything when it is asked; policies that resist scans (SIEVE, S3-FIFO) throw out just that.
///
/// A plain value; everything takes constant time, evictions spread over the insertions that need them.
struct ClockCache<Key: Hashable, Value> {
    private struct Slot {
        let key: Key
        var value: Value
        var cost: Int
        var isMarked = false
        var previous: Int?
        var next: Int?
    }

    /// What all values may cost together; never exceeded.
    private(set) var limit: Int
    private(set) var cost = 0
    private var slots: [Slot?] = []
    private var free: [Int] = []
    private var places: [Key: Int] = [:]
    private var front: Int?
    private var back: Int?

    /// - Parameter limit: What all values may cost together, not below 0.
    init(limit: Int) {
        self.limit = max(0, limit)
    }

    var count: Int { places.count }

    /// The value of a key, which counts as a use.
    mutating func value(for key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        slots[place]?.isMarked = true
        return slots[place]?.value
    }

    /// Puts a value in, in place of the one that the key has.
    ///
    /// - Parameter evicted: Is given what had to go, for the caller to let go of outside its lock. The value itself is
    ///   among it if it costs more than there is.
    mutating func insert(_ value: Value, for key: Key, cost newCost: Int, evicted: inout [Value]) {
        guard newCost <= limit else {
            evicted.append(value)
            if let place = places[key] { drop(place, into: &evicted) }
            return
        }
        if let place = places[key], let old = slots[place] {
            evicted.append(old.value)
            cost += newCost - old.cost
            slots[place]?.value = value
            slots[place]?.cost = newCost
            slots[place]?.isMarked = true
            return makeRoom(evicted: &evicted)
        }
        cost += newCost
        makeRoom(evicted: &evicted)
        let slot = Slot(key: key, value: value, cost: newCost)
        let place = free.popLast() ?? slots.count
        if place == slots.count { slots.append(slot) } else { slots[place] = slot }
        places[key] = place
        append(place)
    }

    /// Changes the limit, and lets go of what is too much.
    mutating func setLimit(_ limit: Int, evicted: inout [Value]) {
        self.limit = max(0, limit)
        makeRoom(evicted: &evicted)
    }

    /// Lets go of all values that are so; it takes time in proportion to their number.
    mutating func removeAll(where isSo: (Value) -> Bool, evicted: inout [Value]) {
        for place in slots.indices where slots[place].map({ isSo($0.value) }) ?? false { drop(place, into: &evicted) }
    }

    private mutating func makeRoom(evicted: inout [Value]) {
        while cost > limit, let place = front {
            if slots[place]?.isMarked == true {
                slots[place]?.isMarked = false
                unlink(place)
                append(place)
            } else {
                drop(place, into: &evicted)
            }
        }
    }

    private mutating func drop(_ place: Int, into evicted: inout [Value]) {
        guard let slot = slots[place] else { return }
        unlink(place)
        cost -= slot.cost
        places[slot.key] = nil
        evicted.append(slot.value)
        slots[place] = nil
        free.append(place)
    }

    private mutating func append(_ place: Int) {
        slots[place]?.previous = back
        slots[place]?.next = nil
        if let back { slots[back]?.next = place } else { front = place }
        back = place
    }

    private mutating func unlink(_ place: Int) {
        guard let slot = slots[place] else { return }
        if let previous = slot.previous { slots[previous]?.next = slot.next } else { front = slot.next }
        if let next = slot.next { slots[next]?.previous = slot.previous } else { back = slot.previous }
    }
}
