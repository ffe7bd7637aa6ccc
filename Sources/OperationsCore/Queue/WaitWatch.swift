/// Looks into the waits of all queues: one look for all of them, so that nothing is found out twice where they wait for each
/// other. It costs nothing while nobody waits.
enum WaitWatch {
    private struct Watched: Sendable {
        weak var core: QueueCore?
    }

    /// Whoever leaves something in here asks for a look.
    private static let queues = Lock(Line<Watched>())
    /// Half of the time after which a wait that never ends is in the log.
    private static let looks = PeriodicLook(everyMilliseconds: 500) { look() }

    /// Has a queue's waits looked into until it has none left that have not been reported.
    static func add(_ core: QueueCore) { add(Watched(core: core)) }

    private static func add(_ watched: Watched) {
        queues.withLock { $0.append(watched) }
        looks.ask()
    }

    /// Looks at each queue that is watched.
    ///
    /// The thread may be the last to hold an operation that it looks at, whose `deinit` may block: so it takes out one queue at
    /// a time, and the next look, on another thread, goes on with the others.
    static func look() {
        var search = EndlessWait()
        for _ in 0..<queues.withLock({ $0.count }) {
            let (next, isLast) = queues.withLock { ($0.popFirst(), $0.isEmpty) }
            if !isLast { looks.ask() }
            if let next, next.core?.lookIntoWaits(&search) == true { add(next) }
        }
    }
}
