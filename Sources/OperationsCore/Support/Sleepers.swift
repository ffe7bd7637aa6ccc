/// One who sleeps until a moment of the continuous clock.
///
/// What changes is touched only under the lock of the `SleepTimer`, which makes it `Sendable`.
final class Sleeper: @unchecked Sendable {
    let end: ContinuousClock.Instant
    /// Where it is among the others; nil while it is not.
    fileprivate var place: Int?
    /// Goes on when the sleep is over.
    var continuation: CheckedContinuation<Void, any Error>?
    /// Its task was cancelled, maybe before it slept.
    var isCancelled = false

    init(until end: ContinuousClock.Instant) { self.end = end }
}

/// Those who sleep, of whom the first to wake is known: a heap. A plain value.
///
/// Adding and removing one costs O(log n), but no more than O(1) for one that wakes after all others, as most do where all sleep
/// for the same time.
struct Sleepers {
    private var heap: [Sleeper] = []

    var count: Int { heap.count }

    /// When the first of them wakes; nil if there are none.
    var firstEnd: ContinuousClock.Instant? { heap.first?.end }

    mutating func insert(_ sleeper: Sleeper) {
        heap.append(sleeper)
        siftUp(from: heap.count - 1)
    }

    /// Takes one out; does nothing when it is not in.
    mutating func remove(_ sleeper: Sleeper) {
        guard let place = sleeper.place else { return }
        sleeper.place = nil
        let last = heap.removeLast()
        if place < heap.count {
            heap[place] = last
            siftDown(from: place)
            siftUp(from: place)
        } else if heap.isEmpty {
            // The room that many have had is not kept for good.
            heap.removeAll(keepingCapacity: heap.capacity <= 1_024)
        }
    }

    /// Takes out those who wake by `now`, the first to wake first.
    /// - Parameter most: No more of them than this.
    mutating func removeFirst(_ most: Int, by now: ContinuousClock.Instant) -> [Sleeper] {
        var woken: [Sleeper] = []
        while woken.count < most, let first = heap.first, first.end <= now {
            remove(first)
            woken.append(first)
        }
        return woken
    }

    private mutating func siftUp(from start: Int) {
        var place = start
        let sleeper = heap[place]
        while place > 0, sleeper.end < heap[(place - 1) / 2].end {
            put(heap[(place - 1) / 2], at: place)
            place = (place - 1) / 2
        }
        put(sleeper, at: place)
    }

    private mutating func siftDown(from start: Int) {
        var place = start
        let sleeper = heap[place]
        while true {
            var child = 2 * place + 1
            if child + 1 < heap.count, heap[child + 1].end < heap[child].end { child += 1 }
            guard child < heap.count, heap[child].end < sleeper.end else { break }
            put(heap[child], at: place)
            place = child
        }
        put(sleeper, at: place)
    }

    private mutating func put(_ sleeper: Sleeper, at place: Int) {
        heap[place] = sleeper
        sleeper.place = place
    }
}
