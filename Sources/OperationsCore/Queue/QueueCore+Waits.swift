// Waits inside a queue's work: what keeps an operation that runs, or a barrier, from ending before another operation ends, or
// all of a queue's.
extension QueueCore {
    /// The most lines at once in the log.
    private static let longestReport = 10

    /// Notes that something of this queue waits until `target` has finished, or has nothing left.
    /// - Parameter waiting: The number of the operation that waits; nil for a barrier.
    /// - Returns: What ends it.
    func beginWait(for target: WaitTarget, of waiting: UInt64?) -> Wait.Identifier {
        let (isFirst, identifier) = monitor.withLock { (!waits.isWatched, waits.add(target, of: waiting)) }
        if isFirst { WaitWatch.add(self) }
        return identifier
    }

    func endWait(_ identifier: Wait.Identifier) { _ = monitor.withLock { waits.remove(identifier) } }

    /// Reports the waits that never end.
    /// - Parameter search: What was found out about other queues at this look.
    /// - Returns: Whether some are to be looked into later.
    func lookIntoWaits(_ search: inout EndlessWait) -> Bool {
        var (place, suspicious) = (WaitList.Place(), [Wait]())
        monitor.withLock { waits.beginLook() }
        while monitor.withLock({ waits.look(&place, &suspicious) }) {}
        let endless = suspicious.filter { search.isEndless(for: $0.target) }
        if !endless.isEmpty { report(endless) }
        return monitor.withLock { waits.endLook() }
    }

    private func report(_ endless: [Wait]) {
        let findings = describe(endless)
        inSteps(endless) { waits.noteReport(of: $0.identifier) }
        for finding in findings.prefix(Self.longestReport) { report(finding) }
        let others = findings.count - Self.longestReport
        if others > 0 { Log.report("In queue '\(name)' \(others) more operations wait in the same way.") }
    }

    /// Does something with each of many waits under the lock, some at a time.
    private func inSteps(_ waits: [Wait], _ body: (Wait) -> Void) {
        for start in stride(from: 0, to: waits.count, by: WaitList.waitsPerLock) {
            monitor.withLock { waits[start...].prefix(WaitList.waitsPerLock).forEach(body) }
        }
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
        var search = EndlessWait()
        let endless = allWaits.filter { search.isEndless(for: $0.target) }.sorted { $0.identifier < $1.identifier }
        return describe(endless).map {
            switch $0.target {
            case .operation(let operation): .endlessWait(waiting: $0.waiting, target: operation.label)
            case .queue(let core): .endlessWaitForQueue(waiting: $0.waiting, queue: core.name)
            }
        }
    }

    /// The waits, listed some at a time.
    private var allWaits: [Wait] {
        var (place, all) = (WaitList.Place(), [Wait]())
        while monitor.withLock({ waits.visit(&place) { all.append($0) } }) {}
        return all
    }

    /// Names those who wait, of the waits that are not over yet.
    private func describe(_ waits: [Wait]) -> [Finding] {
        guard !waits.isEmpty else { return [] }
        var left: [Wait] = []
        inSteps(waits) { if self.waits[$0.identifier] != nil { left.append($0) } }
        let numbers = Set(left.compactMap { $0.waiting })
        let named = operations.filter { numbers.contains($0.sequence) }.map { ($0.sequence, $0.label) }
        let labels = Dictionary(named, uniquingKeysWith: { first, _ in first })
        return left.compactMap { wait in
            guard let waiting = wait.waiting else { return Finding(waiting: nil, target: wait.target) }
            return labels[waiting].map { Finding(waiting: $0, target: wait.target) }
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
        let (isSuspended, isFull, running, barriers, isBarrierRunning, changes) = monitor.withLock {
            (
                state.isSuspended, !state.hasFreePlace, state.running, state.barriers.all.map(\.sequence),
                state.barriers.isRunning, waits.changes
            )
        }
        let all = allWaits
        // Whoever begins or ends a wait while they are listed is at work.
        let isAtWork = monitor.withLock { waits.changes != changes }
        let targets = Dictionary(grouping: all, by: \.waiting).mapValues { $0.map(\.target) }
        var byNumber: [UInt64: [WaitTarget]] = [:]
        for case (let waiting?, let all) in targets { byNumber[waiting] = all }
        return Holds(
            isSuspended: isSuspended, isFull: isFull, running: isAtWork ? .max : running, targets: byNumber,
            barrierTargets: targets[.none] ?? [], isBarrierRunning: isBarrierRunning, barriers: barriers,
            beforeBarrier: barriers.first.map { first in members.filter { $0.sequence <= first } } ?? [])
    }
}
