/// How far a queue has to look at what was added before it knows what comes next.
///
/// Of what was not looked at yet it knows where operations of a higher priority may be, and that all others are normal or low. It
/// also knows where those may be that are of interest for other reasons.
struct LookAhead {
    /// The numbers of the last operations that may be of a high priority, and of the highest.
    private var high: UInt64 = 0
    private var highest: UInt64 = 0
    /// Up to this number some are looked at again, whose turn had not come.
    private var again: UInt64 = 0
    /// The number of the last one that was added when the claim that is under way began. It waits for none that comes later.
    private var claim = UInt64.max

    /// The number of the last operation of which somebody may want to be told that it may start; the highest number there is for
    /// one that may be in the intake.
    var observed: UInt64 = 0
    /// The number of the last operation that may be for a better lane than the queue's.
    var betterLane: UInt64 = 0

    /// One that was not looked at has something that has to be known.
    /// - Parameter last: The highest number that it can have.
    mutating func note(_ notice: QueueState.Notice, upTo last: UInt64) {
        note(level: notice.level, upTo: last)
        if notice.isObserved { observed = max(observed, last) }
        if notice.isForBetterLane { betterLane = max(betterLane, last) }
    }

    /// The same of its priority.
    @inline(__always)
    mutating func note(level: UInt8, upTo last: UInt64) {
        guard level > PriorityLevel.normal else { return }
        if level > PriorityLevel.high { highest = max(highest, last) } else { high = max(high, last) }
    }

    mutating func lookAgain(upTo last: UInt64) { again = max(again, last) }

    /// A worker is about to claim something.
    @inline(__always)
    mutating func beginClaim() { claim = .max }

    /// It goes on with that under another lock.
    mutating func keepClaim(after last: UInt64) { claim = min(claim, last) }

    /// One that was looked at comes first as soon as it is normal: nothing behind it comes before it.
    @inline(__always)
    func isClear(after number: UInt64, in order: ExecutionOrder) -> Bool {
        order == .fifo && number >= max(high, highest)
    }

    /// The number up to which all have to be looked at.
    /// - Parameters:
    ///   - top: The highest priority of what may start; -1 if nothing may.
    ///   - last: The number of the last one that was added.
    @inline(__always)
    func limit(top: Int, order: ExecutionOrder, last: UInt64) -> UInt64 {
        if top < 0 { return .max }
        // Normal ones come first, or those that came later.
        if top < Int(PriorityLevel.normal) || order == .lifo { return min(claim, last) }
        if top > Int(PriorityLevel.high) { return again }
        return min(claim, max(again, top == Int(PriorityLevel.high) ? highest : max(high, highest)))
    }
}
