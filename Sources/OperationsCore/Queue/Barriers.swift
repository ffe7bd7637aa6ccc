/// The barriers of one queue that have not finished, the first to come first, and what they hold back.
struct Barriers {
    private var line = Line<Barrier>() {
        didSet { lastUnhindered = line.first?.sequence ?? .max }
    }
    /// The first one runs, or was claimed and is about to.
    private(set) var isRunning = false
    /// Its block has begun.
    private var hasBegun = false
    /// It was dropped between its claim and that.
    private var isFirstDropped = false
    /// The number of the last operation before the first barrier.
    private(set) var lastUnhindered = UInt64.max
    /// How many are about to cancel what barriers held back that they have dropped.
    private var drops = 0
    /// The number of the last operation before the first of those barriers, and of the last one that is about to be cancelled.
    private var firstDropped = UInt64.max
    private var cancelledUpTo: UInt64 = 0

    var isEmpty: Bool { line.isEmpty }
    var first: Barrier? { line.first }
    var all: [Barrier] { line.all }

    /// Somebody is about to cancel what barriers held back.
    var areBeingDropped: Bool { drops > 0 }

    /// One that was dropped just now held it back. It waits until it is cancelled, and not for longer: an overridden `cancel()`
    /// may wait for it, or for one that it adds.
    @inline(__always)
    func holdUntilCancelled(_ operation: Operation) -> Bool {
        let number = operation.sequence
        return number > firstDropped && number <= cancelledUpTo && !operation.state.isCancelled
    }

    /// Adds a barrier.
    /// - Parameter last: The number of the last operation before it.
    mutating func append(_ barrier: Barrier, after last: UInt64) {
        barrier.sequence = last
        line.append(barrier)
    }

    /// The first one is claimed.
    mutating func claim() { isRunning = true }

    /// The block of the first one is about to begin.
    /// - Returns: False if it was dropped since it was claimed.
    mutating func begin() -> Bool {
        hasBegun = !isFirstDropped
        return hasBegun
    }

    /// The first one was claimed and cannot run now.
    /// - Returns: The barrier, if it was dropped.
    mutating func putBack() -> Barrier? {
        if isFirstDropped { return end() }
        isRunning = false
        return nil
    }

    /// The first one has ended, or was dropped.
    mutating func end() -> Barrier? {
        (isRunning, hasBegun, isFirstDropped) = (false, false, false)
        return line.popFirst()
    }

    /// Drops those that have not begun. What they held back is held back until it is cancelled, or until `dropEnded`.
    /// - Parameter last: The number of the last operation that is about to be cancelled.
    mutating func drop(upTo last: UInt64) -> [Barrier] {
        let dropped = line.removeAll(butFirst: isRunning ? 1 : 0)
        // Whoever has claimed the first finds out, and takes it away.
        if isRunning, !hasBegun { isFirstDropped = true }
        let first = isFirstDropped ? line.first : dropped.first
        drops += 1
        firstDropped = min(firstDropped, first?.sequence ?? .max)
        cancelledUpTo = last
        return dropped
    }

    /// - Returns: Whether nothing is held until it is cancelled any more.
    mutating func dropEnded() -> Bool {
        drops -= 1
        if drops == 0 { firstDropped = .max }
        return drops == 0
    }
}
