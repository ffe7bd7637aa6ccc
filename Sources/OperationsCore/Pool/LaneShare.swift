/// The jobs of one kind in a lane: those that wait, and how many may run.
struct LaneShare {
    /// How many of those that run may compute.
    private let computing: Int
    private let ceiling: Int
    /// After so many looks in which none began or ended one more may run.
    private let patience: Int
    /// A look counts as far as those that compute had a processor. Who has none because of others neither computes nor is
    /// blocked, and one more would only have less of what there is.
    private let countsUse: Bool
    /// Jobs that come from outside, and those that had a turn and go on. The former are first, since they are of somebody
    /// who had nothing, but not for ever.
    var fresh = Line<WorkerJob>()
    var continuing = Line<WorkerJob>()
    private var freshInARow = 0
    private var running = 0
    var blocked = 0
    /// Jobs that may run although none is known to be blocked, beside those that have computed for long.
    private var extra = 0
    /// Jobs that may run beyond the ceiling, as all below it are blocked.
    private var surplus = 0
    /// Jobs that may run because none of those that do gets on: those that wait are probably of that sort. There are as many as
    /// are blocked, so that any number has begun after a few looks. There are none any more once one computes, or has ended: what
    /// comes then may be of another sort.
    private var trial = 0
    /// At the last look some were asleep, and none was awake.
    private(set) var areAsleep = false
    /// How many the scout has seen asleep, or blocked, in this look.
    private var asleep = 0
    /// How many it has seen awake, or have ended since the last look.
    private var awake = 0
    /// Nanoseconds of processor time that those that compute have used since the last look.
    private var used: Int64 = 0
    /// Nanoseconds of looks in which none began or ended.
    private var waited: Int64 = 0

    private static let longestRow = 8

    init(computing: Int, ceiling: Int, patience: Int, countsUse: Bool = false) {
        self.computing = computing
        self.ceiling = ceiling
        self.patience = patience
        self.countsUse = countsUse
    }

    private var limit: Int {
        let wanted = computing + blocked + extra + trial
        return wanted > ceiling ? min(wanted, ceiling + surplus) : wanted
    }
    private var waiting: Int { fresh.count + continuing.count }
    private var free: Int { max(0, limit - running) }

    /// As many run as may ever.
    var isAtCeiling: Bool { running >= ceiling }

    /// Another one may run.
    var hasRoom: Bool { free > 0 }

    /// Free places that none of its own jobs waits for.
    var spare: Int { max(0, free - waiting) }

    /// How many of those that wait may begin, with so many places beside its own.
    func startable(beside spare: Int) -> Int { min(waiting, free + spare) }

    /// Some wait that may not begin.
    func isFull(beside spare: Int) -> Bool { waiting > free + spare }

    mutating func begin() {
        running += 1
        waited = 0
    }

    mutating func exchange(_ job: WorkerJob, after length: UInt) -> WorkerJob? {
        turnEnded(after: length)
        continuing.append(job)
        if running <= limit { return popFirst() }
        running -= 1
        return nil
    }

    mutating func end(after length: UInt) {
        running -= 1
        turnEnded(after: length)
        if running <= computing { extra = 0 }
        if running < ceiling { surplus = 0 }
    }

    /// One that has computed for long needs no other beside it any more.
    private mutating func turnEnded(after length: UInt) {
        waited = 0
        trial = 0
        awake += 1
        if extra > 0, length >= UInt(patience) { extra -= 1 }
    }

    /// The scout has looked at a thread that runs one.
    mutating func saw(_ sight: ThreadClock.Sight, used: Int64) {
        if sight != .blocked { self.used += used }
        switch sight {
        case .new: break
        case .awake: awake += 1
        case .asleep, .blocked: asleep += 1
        }
    }

    /// The scout has looked at all.
    /// - Parameter isFull: Some wait that may not begin.
    mutating func lookEnded(isFull: Bool) {
        let wereAsleep = areAsleep
        areAsleep = asleep > 0 && awake == 0
        defer { (used, asleep, awake) = (0, 0, 0) }
        if awake > 0 || !isFull { trial = 0 } else if wereAsleep, areAsleep { trial = blocked }
        guard isFull else { return }
        let computing = Int64(running - blocked)
        let look = LaneState.lookNanoseconds
        waited += countsUse && computing > 0 ? min(used / computing, look) : look
        guard waited >= Int64(patience) * look else { return }
        waited = 0
        if limit < ceiling { extra += 1 } else if computing == 0 { surplus += 1 }
    }

    mutating func popFirst() -> WorkerJob? {
        waited = 0
        if !fresh.isEmpty, freshInARow < Self.longestRow || continuing.isEmpty {
            freshInARow += 1
            return fresh.popFirst()
        }
        freshInARow = 0
        return continuing.popFirst()
    }
}
