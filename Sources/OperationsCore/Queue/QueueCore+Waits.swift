// Waits inside a queue's work: what keeps an operation that runs, or a barrier, from ending before another operation ends, or
// all of a queue's.
extension QueueCore {
    /// What is waited for. Whoever waits holds it until the wait is over.
    enum WaitTarget: Sendable {
        case operation(Operation)
        /// All that the queue has.
        case queue(QueueCore)
    }

    /// One such wait.
    struct Wait {
        /// The number, in the order of adding, of the operation that waits; nil for a barrier.
        let waiting: UInt64?
        let target: WaitTarget
        /// The look at which it is looked into, and how many looks later it is the next time.
        fileprivate(set) var look: Int
        fileprivate(set) var pause = 1
        fileprivate(set) var isReported = false
    }

    /// The waits of one queue.
    struct Waits {
        fileprivate(set) var all: [Int: Wait] = [:]
        private var nextIdentifier = 0
        /// They are looked into from time to time.
        fileprivate var isWatched = false
        fileprivate var looks = 0

        fileprivate mutating func add(_ target: WaitTarget, of waiting: UInt64?) -> Int {
            nextIdentifier += 1
            // Not at the next look, which may be soon.
            all[nextIdentifier] = Wait(waiting: waiting, target: target, look: looks + 2)
            return nextIdentifier
        }

        fileprivate mutating func remove(_ identifier: Int) { all[identifier] = nil }

        /// The waits that are looked into now, each after twice the time of the last one.
        fileprivate mutating func takeSuspicious() -> [(identifier: Int, target: WaitTarget)] {
            looks += 1
            var suspicious: [(identifier: Int, target: WaitTarget)] = []
            for (identifier, wait) in all where wait.look <= looks && !wait.isReported {
                all[identifier]?.pause = wait.pause * 2
                all[identifier]?.look = looks + wait.pause
                suspicious.append((identifier, wait.target))
            }
            isWatched = all.values.contains { !$0.isReported }
            return suspicious
        }
    }

    /// The most lines at once in the log.
    private static let longestReport = 10

    /// Notes that something of this queue waits until `target` has finished, or has nothing left.
    /// - Parameter waiting: The number of the operation that waits; nil for a barrier.
    /// - Returns: What ends it.
    func beginWait(for target: WaitTarget, of waiting: UInt64?) -> Int {
        let (identifier, isFirst) = monitor.withLock {
            defer { waits.isWatched = true }
            return (waits.add(target, of: waiting), !waits.isWatched)
        }
        if isFirst { WaitWatch.add(self) }
        return identifier
    }

    func endWait(_ identifier: Int) { monitor.withLock { waits.remove(identifier) } }

    /// Reports the waits that never end.
    /// - Parameter search: What was found out about other queues at this look.
    /// - Returns: Whether some are to be looked into later.
    func lookIntoWaits(_ search: inout EndlessWait) -> Bool {
        let (suspicious, goesOn) = monitor.withLock { (waits.takeSuspicious(), waits.isWatched) }
        let endless = suspicious.filter { search.isEndless(for: $0.target) }.map(\.identifier)
        if !endless.isEmpty { report(endless) }
        return goesOn
    }

    private func report(_ endless: [Int]) {
        let findings = describeWaits(endless)
        monitor.withLock { for identifier in endless { waits.all[identifier]?.isReported = true } }
        for finding in findings.prefix(Self.longestReport) { report(finding) }
        let others = findings.count - Self.longestReport
        if others > 0 { Log.report("In queue '\(name)' \(others) more operations wait in the same way.") }
    }

    /// One who waits, and for what.
    private struct Finding {
        /// Nil for a barrier.
        let waiting: String?
        let target: WaitTarget
    }

    private func report(_ finding: Finding) {
        let waiting = finding.waiting.map { "operation '\($0)'" } ?? "a barrier"
        let target =
            switch finding.target {
            case .operation(let operation):
                """
                operation '\(operation.label)' of queue '\(operation.core?.name ?? "")', which cannot \
                \(operation.state.hasBegun ? "finish" : "start")
                """
            case .queue(let core): "all operations of queue '\(core.name)', of which some cannot finish"
            }
        Log.report(
            """
            In queue '\(name)' \(waiting) waits for \(target): a queue is suspended, or all that could end the \
            wait is waiting too.
            """)
    }

    /// What diagnostics say of waits that never end.
    var endlessWaits: [QueueDiagnostics.Issue] {
        let targets = monitor.withLock {
            waits.all.map { (identifier: $0.key, target: $0.value.target) }
        }
        var search = EndlessWait()
        let endless = targets.filter { search.isEndless(for: $0.target) }.map(\.identifier).sorted()
        return describeWaits(endless).map {
            switch $0.target {
            case .operation(let operation): .endlessWait(waiting: $0.waiting, target: operation.label)
            case .queue(let core): .endlessWaitForQueue(waiting: $0.waiting, queue: core.name)
            }
        }
    }

    /// Names those who wait, of the waits that are not over yet.
    private func describeWaits(_ identifiers: [Int]) -> [Finding] {
        guard !identifiers.isEmpty else { return [] }
        let waits = monitor.withLock {
            identifiers.compactMap { self.waits.all[$0] }.map { ($0.waiting, $0.target) }
        }
        let numbers = Set(waits.compactMap { $0.0 })
        let named = operations.filter { numbers.contains($0.sequence) }.map { ($0.sequence, $0.label) }
        let labels = Dictionary(named, uniquingKeysWith: { first, _ in first })
        return waits.compactMap { waiting, target in
            guard let waiting else { return Finding(waiting: nil, target: target) }
            return labels[waiting].map { Finding(waiting: $0, target: target) }
        }
    }

    // MARK: What a search looks at

    /// What keeps a queue's operations from starting, and those that have begun from ending.
    struct Holds {
        let isSuspended: Bool
        /// The operations that hold a place, or a barrier that does, are as many as may.
        let isFull: Bool
        let running: Int
        /// What operations wait for, by their numbers.
        let targets: [UInt64: [WaitTarget]]
        let barrierTargets: [WaitTarget]
        let isBarrierRunning: Bool
        /// Numbers of the barriers, the first to come first.
        let barriers: [UInt64]
        /// Operations that were added before the first barrier.
        let beforeBarrier: [Operation]

        /// How many of those that run wait for something.
        var waiting: Int { targets.count + (barrierTargets.isEmpty ? 0 : 1) }
    }

    var holds: Holds {
        let members = operations
        let (isSuspended, isFull, running, barriers, isBarrierRunning, waits) = monitor.withLock {
            (
                state.isSuspended, !state.hasFreePlace, state.running, state.barriers.all.map(\.sequence),
                state.barriers.isRunning, self.waits.all
            )
        }
        let targets = Dictionary(grouping: waits.values, by: \.waiting).mapValues { $0.map(\.target) }
        var byNumber: [UInt64: [WaitTarget]] = [:]
        for case (let waiting?, let all) in targets { byNumber[waiting] = all }
        return Holds(
            isSuspended: isSuspended, isFull: isFull, running: running, targets: byNumber,
            barrierTargets: targets[.none] ?? [], isBarrierRunning: isBarrierRunning, barriers: barriers,
            beforeBarrier: barriers.first.map { first in members.filter { $0.sequence <= first } } ?? [])
    }
}
