/// What operations and queues have to do, as plain values and in the plainest way: the engine is compared with it.
struct ReferenceModel {
    enum Phase: String {
        case idle
        case queued
        /// A worker has it, and has not begun it.
        case taken
        case begun
        case finished
    }

    struct Node {
        let kind: ExploredKind
        var phase = Phase.idle
        /// The queue that it was added to, and its place there in the order of adding.
        var queue: Int?
        var sequence = 0
        /// Index of its priority, 0 the lowest.
        var level = 2
        /// The level that it and all that it waits for were raised to; -1 if they were not.
        var raised = -1
        var isCancelled = false
        var hasFailed = false
        /// Dependencies that are listed, and those of them that hold it back.
        var listed: [Int] = []
        var unmet: Set<Int> = []
        var cancelsWithDependencies = false
        var keys: Set<Int> = []
        /// What an overridden `isReady` says.
        var isOpen = true
        var hasCompletionBlock = true
        /// How often its work began, its completion block was called, and it was seen to finish.
        var runs = 0
        var completions = 0
        var finishes = 0

        var hasBegun: Bool { phase == .begun || phase == .finished }
        var expectedCompletions: Int { phase == .finished && hasCompletionBlock ? 1 : 0 }
        var isUnhindered: Bool { isCancelled || unmet.isEmpty }
    }

    struct Barrier {
        let identifier: Int
        let sequence: Int
        /// There was a moment at which it could have been started.
        var couldStart = false
    }

    struct Line {
        var width = -1
        var isSuspended = false
        var isNewestFirst = false
        var barriers: [Barrier] = []
        var added = 0
    }

    var nodes: [Node] = []
    var lines: [Line]
    /// The first thing that was wrong.
    private(set) var complaint: String?

    init(queues: Int) {
        lines = Array(repeating: Line(), count: queues)
    }

    mutating func require(_ condition: Bool, _ what: @autoclosure () -> String) {
        if !condition, complaint == nil { complaint = what() }
    }

    // MARK: What the program does

    mutating func add(_ node: Int, to line: Int) {
        lines[line].added += 1
        nodes[node].queue = line
        nodes[node].sequence = lines[line].added
        nodes[node].phase = .queued
    }

    mutating func addBarrier(_ identifier: Int, to line: Int) {
        lines[line].added += 1
        lines[line].barriers.append(Barrier(identifier: identifier, sequence: lines[line].added))
    }

    mutating func depend(_ node: Int, on dependency: Int) {
        if !nodes[node].listed.contains(dependency) {
            nodes[node].listed.append(dependency)
            if !nodes[node].hasBegun, nodes[dependency].phase != .finished { nodes[node].unmet.insert(dependency) }
        }
        guard !nodes[node].hasBegun else { return }
        if nodes[node].raised >= 0 { raise(dependency, to: nodes[node].raised) }
        if nodes[node].cancelsWithDependencies, hasFailed(dependency) { cancel(node) }
    }

    mutating func stopDepending(_ node: Int, on dependency: Int) {
        nodes[node].listed.removeAll { $0 == dependency }
        nodes[node].unmet.remove(dependency)
    }

    mutating func cancel(_ node: Int) {
        if nodes[node].phase != .finished { nodes[node].isCancelled = true }
    }

    /// Raises a node and whatever it waits for.
    mutating func raise(_ node: Int, to level: Int) {
        var rest = [node]
        while let next = rest.popLast() {
            guard nodes[next].phase != .finished else { continue }
            guard nodes[next].level < level || nodes[next].raised < level else { continue }
            nodes[next].level = max(nodes[next].level, level)
            nodes[next].raised = max(nodes[next].raised, level)
            guard !nodes[next].unmet.isEmpty else { continue }
            rest += nodes[next].listed.filter { nodes[$0].phase != .finished }
        }
    }

    mutating func finish(_ node: Int) {
        require(nodes[node].phase != .finished, "\(node) finishes twice")
        nodes[node].phase = .finished
        nodes[node].unmet = []
        let isFailure = nodes[node].isCancelled || nodes[node].hasFailed
        for other in nodes.indices where nodes[other].unmet.remove(node) != nil {
            if isFailure, nodes[other].cancelsWithDependencies, !nodes[other].hasBegun { cancel(other) }
        }
    }

    // MARK: What the engine does

    /// A worker took a node from its queue.
    /// - Parameter ready: The other nodes that a worker could have taken as far as they know.
    mutating func take(_ node: Int, among ready: [Int]) {
        let taken = nodes[node]
        require(taken.phase == .queued, "\(node) was taken while it was \(taken.phase)")
        require(taken.isUnhindered, "\(node) was taken before its dependencies had finished")
        if let queue = taken.queue {
            let line = lines[queue]
            require(!line.isSuspended, "\(node) was taken from a suspended queue")
            let running = nodes.count { $0.queue == queue && ($0.phase == .taken || $0.phase == .begun) }
            require(line.width < 0 || running < line.width, "\(node) was taken beyond the width \(line.width)")
            require(!isBehindBarrier(node), "\(node) was taken from behind a barrier")
            for other in ready where nodes[other].queue == queue && !isBehindBarrier(other) {
                require(!precedes(nodes[other], taken, in: line), "\(node) was taken before \(other)")
            }
        }
        nodes[node].phase = .taken
    }

    private func precedes(_ left: Node, _ right: Node, in line: Line) -> Bool {
        if left.level != right.level { return left.level > right.level }
        return (left.sequence < right.sequence) != line.isNewestFirst
    }

    /// The work of a node began.
    mutating func begin(_ node: Int) {
        let begun = nodes[node]
        require(!begun.hasBegun && begun.runs == 0, "\(node) began while it was \(begun.phase)")
        require(begun.phase == .taken || begun.queue == nil, "\(node) began without having been taken")
        require(!begun.isCancelled, "\(node) began though it was cancelled before")
        require(begun.unmet.isEmpty, "\(node) began before its dependencies had finished")
        if begun.queue != nil {
            require(begun.isOpen, "\(node) began though its isReady was false")
            require(!mustBeCancelled(begun), "\(node) began though what it depends on had failed")
            require(!hasBusyKey(node), "\(node) began while another held one of its keys")
        }
        nodes[node].phase = .begun
        nodes[node].runs += 1
    }

    mutating func putBack(_ node: Int) {
        nodes[node].phase = .queued
    }

    mutating func runBarrier(_ identifier: Int, of line: Int) {
        guard let barrier = lines[line].barriers.first, barrier.identifier == identifier else {
            return require(false, "barrier \(identifier) ran out of turn")
        }
        require(barrier.couldStart, "barrier \(identifier) ran though it never could")
        for (index, node) in nodes.enumerated() where node.queue == line {
            let isRight = node.sequence < barrier.sequence ? node.phase == .finished : !node.hasBegun || node.runs == 0
            require(isRight, "barrier \(identifier) ran while \(index) was \(node.phase)")
        }
    }

    // MARK: What follows

    func isBehindBarrier(_ node: Int) -> Bool {
        guard let line = nodes[node].queue, let barrier = lines[line].barriers.first else { return false }
        return barrier.sequence < nodes[node].sequence
    }

    func mustBeCancelled(_ node: Node) -> Bool {
        node.cancelsWithDependencies && node.listed.contains(where: hasFailed)
    }

    private func hasFailed(_ node: Int) -> Bool {
        nodes[node].phase == .finished && (nodes[node].isCancelled || nodes[node].hasFailed)
    }

    func hasBusyKey(_ node: Int) -> Bool {
        nodes.indices.contains { other in
            other != node && nodes[other].phase == .begun && nodes[other].queue != nil
                && !nodes[other].keys.isDisjoint(with: nodes[node].keys)
        }
    }

    func hasFreePlace(_ line: Int) -> Bool {
        let running = nodes.count { $0.queue == line && ($0.phase == .taken || $0.phase == .begun) }
        return !lines[line].isSuspended && (lines[line].width < 0 || running < lines[line].width)
    }

    /// Members of a queue that have not finished, in the order of adding.
    func members(of line: Int) -> [Int] {
        nodes.indices.filter { nodes[$0].queue == line && nodes[$0].phase != .finished }
            .sorted { nodes[$0].sequence < nodes[$1].sequence }
    }

    func isBarrierReady(_ line: Int) -> Bool {
        guard let barrier = lines[line].barriers.first, hasFreePlace(line) else { return false }
        return members(of: line).allSatisfy { nodes[$0].sequence > barrier.sequence }
    }

    mutating func noteBarriers() {
        for line in lines.indices where isBarrierReady(line) { lines[line].barriers[0].couldStart = true }
    }
}
