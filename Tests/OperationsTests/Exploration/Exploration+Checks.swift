import Operations

@testable import OperationsCore

extension Exploration {
    /// Brings the model up to date after a step of the scheduler.
    /// - Parameter taken: The operations that workers had before it.
    func follow(_ taken: [Int]) {
        for index in taken where operations[index].state.phase != .claimed {
            let node = model.nodes[index]
            switch node.phase {
            case .taken:
                // It was given back, or finished without having run.
                if operations[index].state.phase == .finished {
                    if model.mustBeCancelled(node) { model.nodes[index].isCancelled = true }
                    model.require(model.nodes[index].isCancelled, "\(index) finished without having run")
                    model.finish(index)
                } else {
                    model.putBack(index)
                }
            case .begun: settle(index)
            default: break
            }
        }
        for index in endedTasks.sorted() { settle(index) }
        endedTasks = []
        for (line, queue) in queues.enumerated() where !model.lines[line].barriers.isEmpty {
            let left = queue.core.state.barriers.all.count
            model.require(left <= model.lines[line].barriers.count, "a barrier too many")
            model.lines[line].barriers.removeFirst(max(0, model.lines[line].barriers.count - left))
        }
        let ready = operations.indices.filter { isReady($0) }
        for index in operations.indices
        where operations[index].state.phase == .claimed && model.nodes[index].phase == .queued {
            model.take(index, among: ready)
        }
    }

    /// Compares all that can be seen of the engine with the model.
    /// - Parameter isIdle: Nothing is left to do.
    func check(isIdle: Bool) {
        for index in operations.indices { compare(index, isIdle: isIdle) }
        for line in queues.indices {
            if isIdle { checkNothingIsLeftBehind(line) }
            // Asking has the queue take in what was added, so that not every step may ask.
            if isIdle || roll(4) { compareMembers(of: line) }
        }
        model.noteBarriers()
        if isIdle { checkEndings() }
    }

    /// An operation that could start, in the store or still in the queue's intake.
    private func isReady(_ index: Int) -> Bool {
        switch operations[index].state.phase {
        case .ready: true
        case .adopted: operations[index].state.isUnhindered
        default: false
        }
    }

    private func checkNothingIsLeftBehind(_ line: Int) {
        guard model.hasFreePlace(line) else { return }
        model.require(!model.isBarrierReady(line), "a barrier of queue \(line) was left behind")
        for index in model.members(of: line) where isReady(index) && !model.isBehindBarrier(index) {
            model.require(false, "\(index) was left behind")
        }
    }

    private func compareMembers(of line: Int) {
        let (members, queue) = (model.members(of: line), queues[line])
        let isSame = queue.operations.map { ObjectIdentifier($0) } == members.map { ObjectIdentifier(operations[$0]) }
        model.require(isSame, "the operations of queue \(line) are not \(members)")
        model.require(queue.operationCount == members.count, "the count of queue \(line) is not \(members.count)")
    }

    private func compare(_ index: Int, isIdle: Bool) {
        let (node, operation) = (model.nodes[index], operations[index])
        let state = operation.state
        let isAsExpected =
            switch state.phase {
            case .idle: node.phase == .idle
            // Its queue has it, and looks at it when next it looks for work.
            case .adopted: node.phase == .queued
            case .waiting: node.phase == .queued && !node.isUnhindered
            case .ready: node.phase == .queued && node.isUnhindered
            case .parked:
                node.phase == .queued && !node.isCancelled && node.unmet.isEmpty
                    && (!node.isOpen || model.hasBusyKey(index) || !isIdle || isBehindAnotherWithItsKey(index))
            case .claimed: node.phase == .taken
            case .starting, .announced, .executing: node.phase == .begun
            case .finished: node.phase == .finished
            }
        model.require(isAsExpected, "\(index) is \(state.phase) and should be \(node.phase)")
        model.require(operation.isFinished == (node.phase == .finished), "isFinished of \(index) is wrong")
        model.require(operation.isCancelled == node.isCancelled, "isCancelled of \(index) is wrong")
        let isExecuting = node.phase == .begun
        model.require(operation.isExecuting == isExecuting, "isExecuting of \(index) is wrong")
        model.require(Int(state.priorityLevel) == node.level, "the priority of \(index) is not \(node.level)")
        let dependencies = node.listed.map { ObjectIdentifier(operations[$0]) }
        let areSame = operation.dependencies.map { ObjectIdentifier($0) } == dependencies
        model.require(areSame, "the dependencies of \(index) are not \(node.listed)")
        guard !node.hasBegun else { return }
        model.require(state.unmetDependencies == node.unmet.count, "\(index) does not wait for \(node.unmet)")
        model.require(operation.isReady == (node.isUnhindered && node.isOpen), "isReady of \(index) is wrong")
    }

    /// One of its queue was woken for a key that it waits for too, and cannot start. While there is something left to do, it
    /// may also be one of another queue, whose turn is first.
    private func isBehindAnotherWithItsKey(_ index: Int) -> Bool {
        let node = model.nodes[index]
        return operations.indices.contains { other in
            model.nodes[other].queue == node.queue && !model.nodes[other].keys.isDisjoint(with: node.keys)
                && isReady(other)
        }
    }

    private func checkEndings() {
        for (index, node) in model.nodes.enumerated() {
            let hasCompleted = node.completions == node.expectedCompletions
            model.require(hasCompleted, "the completion block of \(index) ran \(node.completions) times")
            let finishes = node.phase == .finished ? 1 : 0
            model.require(node.finishes == finishes, "\(index) was reported finished \(node.finishes) times")
        }
    }
}
