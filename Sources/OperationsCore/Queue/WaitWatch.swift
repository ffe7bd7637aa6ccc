/// Looks into the waits of all queues: one look for all of them, so that nothing is found out twice where they wait for each
/// other. It costs nothing while nobody waits.
enum WaitWatch {
    private struct Watched: Sendable {
        weak var core: QueueCore?
    }

    private static let queues = Lock<[Watched]>([])
    /// Half of the time after which a wait that never ends is in the log.
    private static let looks = PeriodicLook(everyMilliseconds: 500) { look() }

    /// Has a queue's waits looked into until it has none left that have not been reported.
    static func add(_ core: QueueCore) {
        queues.withLock { $0.append(Watched(core: core)) }
        looks.ask()
    }

    /// - Returns: Whether there are waits to be looked into later.
    static func look() -> Bool {
        let watched = queues.withLock { queues in
            defer { queues = [] }
            return queues
        }
        var search = EndlessWait()
        let left = watched.filter { $0.core?.lookIntoWaits(&search) ?? false }
        return queues.withLock { queues in
            queues += left
            return !queues.isEmpty
        }
    }
}
