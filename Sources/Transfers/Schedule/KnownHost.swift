/// What a ``TransferSchedule`` knows of a host: who waits for it, who runs, and when it may be asked.
struct KnownHost<Host> {
    /// Nil for a place in the table that is free.
    var host: Host?
    var waiting = WaitingLine()
    var running: Int32 = 0
    /// Items of its that wait for a time.
    var timed: Int32 = 0
    var health = HostHealth()
    /// Whose pace it keeps to; nil where it may be asked at any time.
    var pace: Host?
    /// When somebody looks at it again.
    var alarm: Duration?
    /// Until when its name is known.
    var nameEnd: Duration
    /// A turn waits for its name.
    var isLookingUp = false
    /// How many look-ups of its name are under way, also of turns that are over.
    var lookUps: Int32 = 0
    /// It is reached without a network.
    var isNear = false
    /// Nobody starts but who passes.
    var isHeld = false
    var isResting = false
    /// What it was counted as; nil where it is none of these.
    var countedAs: HostClasses.Kind?
    var waitsForLookUp = false
    /// How many of those that run count as ``ScheduleLimits/unanswered``.
    var unanswered: Int32 = 0
    var waitsForAnswers = false
    /// At which levels it stands among the ready ones.
    var standing: UInt8 = 0

    /// The end of what has none.
    static var forever: Duration { .seconds(Int64.max / 4) }

    /// Whether nobody has to do with it.
    var isIdle: Bool {
        host != nil && running == 0 && timed == 0 && waiting.isEmpty && !isHeld && lookUps == 0
    }

    /// Whether its name may be looked up once more.
    var mayBeLookedUp: Bool { !isLookingUp && lookUps < 2 }

    /// Whether what waits at a level has to wait for somebody else.
    func isHeld(at level: Int) -> Bool { isHeld && level != WaitingLine.passing }

    /// Whether it is as if it had just been met.
    func isUnremarkable(at now: Duration) -> Bool {
        health.isUnsuspected(at: now) && (nameEnd <= now || nameEnd == Self.forever)
    }
}
