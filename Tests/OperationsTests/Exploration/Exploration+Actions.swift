import Operations
import OperationsTesting

@testable import OperationsCore

extension Exploration {
    enum Action {
        case make(queue: Int?)
        case add(Int, queue: Int)
        case addAll([Int], queue: Int)
        case cancel(Int)
        case finish(Int)
        case depend(Int, on: Int)
        case stopDepending(Int, on: Int)
        case priority(Int)
        case raise(Int)
        case open(Int)
        case close(Int)
        case start(Int)
        case suspend(Int)
        case width(Int)
        case order(Int)
        case barrier(Int)
        case cancelAll(Int)
    }

    func randomAction() -> Action {
        let line = Int.random(in: queues.indices, using: &random)
        let isRoomy = operations.count < mostOperations
        guard !operations.isEmpty, !(isRoomy && roll(3)) else { return .make(queue: roll(5) ? nil : line) }
        let index = Int.random(in: operations.indices, using: &random)
        let other = Int.random(in: operations.indices, using: &random)
        switch Int.random(in: 0..<24, using: &random) {
        case 0...2: return model.nodes[index].phase == .idle ? addition(of: index, to: line) : .finish(index)
        case 3...5: return .cancel(index)
        case 6...7: return .finish(index)
        case 8...10: return .depend(index, on: other)
        case 11...13: return .stopDepending(index, on: model.nodes[index].listed.randomElement(using: &random) ?? other)
        case 14: return .priority(index)
        case 15: return .raise(index)
        case 16: return .open(index)
        case 17: return .close(index)
        case 18: return .start(index)
        case 19: return .suspend(line)
        case 20: return .width(line)
        case 21: return .order(line)
        case 22: return .barrier(line)
        default: return roll(3) ? .cancelAll(line) : .suspend(line)
        }
    }

    /// Adds an operation, sometimes with all others that are in no queue.
    private func addition(of index: Int, to line: Int) -> Action {
        guard roll(2) else { return .add(index, queue: line) }
        let idle = operations.indices.filter { model.nodes[$0].phase == .idle }
        return .addAll(idle.shuffled(using: &random), queue: line)
    }

    /// Carries an action out on the engine and on the model; one that would be a mistake is left out.
    func act(_ action: Action) {
        note("\(action)")
        switch action {
        case .make(let queue): make(queue: queue)
        case .add(let index, let line):
            guard model.nodes[index].phase == .idle else { return }
            model.add(index, to: line)
            queues[line].addOperation(operations[index])
        case .addAll(let all, let line):
            let idle = all.filter { model.nodes[$0].phase == .idle }
            for index in idle { model.add(index, to: line) }
            queues[line].addOperations(idle.map { operations[$0] }, waitUntilFinished: false)
        case .cancel(let index):
            model.cancel(index)
            operations[index].cancel()
        case .finish(let index): if canFinish(index) { finish(index) }
        case .depend(let index, let other):
            guard index != other else { return }
            model.depend(index, on: other)
            operations[index].addDependency(operations[other])
        case .stopDepending(let index, let other):
            model.stopDepending(index, on: other)
            operations[index].removeDependency(operations[other])
        case .priority(let index):
            let level = Int.random(in: 0..<5, using: &random)
            model.nodes[index].level = level
            operations[index].queuePriority = Operation.QueuePriority(level: UInt8(level))
        case .raise(let index):
            let level = Int.random(in: 0..<5, using: &random)
            model.raise(index, to: level)
            operations[index].raisePriority(to: Operation.QueuePriority(level: UInt8(level)))
        case .open(let index):
            guard let gated = operations[index] as? GatedOperation else { return }
            model.nodes[index].isOpen = true
            gated.open()
        case .close(let index):
            guard let gated = operations[index] as? GatedOperation else { return }
            model.nodes[index].isOpen = false
            gated.isOpen = false
        case .start(let index): startByHand(index)
        default: change(action)
        }
        if depth == 0 { check(isIdle: false) }
    }

    private func change(_ action: Action) {
        switch action {
        case .suspend(let line):
            model.lines[line].isSuspended.toggle()
            queues[line].isSuspended = model.lines[line].isSuspended
        case .width(let line):
            let width = Int.random(in: -1...3, using: &random)
            model.lines[line].width = width
            queues[line].maxConcurrentOperationCount = width
        case .order(let line):
            model.lines[line].isNewestFirst.toggle()
            queues[line].executionOrder = model.lines[line].isNewestFirst ? .lifo : .fifo
        case .barrier(let line):
            barrierCount += 1
            let identifier = barrierCount
            model.addBarrier(identifier, to: line)
            queues[line].addBarrierBlock { [unowned self] in
                note("barrier \(identifier) runs")
                model.require(OperationQueue.current === queues[line], "current is wrong in a barrier")
                model.runBarrier(identifier, of: line)
            }
        case .cancelAll(let line):
            model.noteBarriers()
            for index in model.members(of: line) { model.cancel(index) }
            queues[line].cancelAllOperations()
            let kept = queues[line].core.state.barriers.all.count
            model.require(kept <= 1, "cancelling all kept \(kept) barriers")
            if kept == 1 { model.require(model.lines[line].barriers[0].couldStart, "a barrier was kept") }
            model.lines[line].barriers.removeSubrange(kept...)
        default: break
        }
    }

    // MARK: Operations

    private func make(queue: Int?) {
        let index = operations.count
        var node = ReferenceModel.Node(kind: ExploredKind.allCases.randomElement(using: &random) ?? .block)
        let operation = makeOperation(node.kind, index)
        if hasPriorities, roll(3) {
            node.level = Int.random(in: 0..<5, using: &random)
            operation.queuePriority = Operation.QueuePriority(level: UInt8(node.level))
        }
        if roll(4) {
            node.cancelsWithDependencies = true
            operation.cancelsWhenDependencyFails = true
        }
        if roll(4) {
            node.keys = Set((0..<3).filter { _ in roll(2) })
            // Of this program alone: the keys of the engine are of the whole process.
            operation.exclusionKeys = Set(node.keys.map { ExclusionKey([ObjectIdentifier(self).hashValue, $0]) })
        }
        _ = operation.notifyAtFinish { [unowned self] in model.nodes[index].finishes += 1 }
        operation.completionBlock = { [unowned self] in
            let isRight = operations[index].isFinished && operations[index].completionBlock == nil
            model.require(isRight, "the completion block of \(index) ran too early, or was not taken")
            model.nodes[index].completions += 1
        }
        note(
            "\(index) is \(node.kind) of level \(node.level), keys \(node.keys.sorted()), \(node.cancelsWithDependencies)"
        )
        operations.append(operation)
        model.nodes.append(node)
        for dependency in 0..<index where roll(4) {
            model.depend(index, on: dependency)
            operation.addDependency(operations[dependency])
        }
        if let queue { act(.add(index, queue: queue)) }
    }

    private func makeOperation(_ kind: ExploredKind, _ index: Int) -> Operation {
        let body: @Sendable () -> Void = { [unowned self] in work(index) }
        switch kind {
        case .block: return BlockOperation(block: body)
        case .twoBlocks:
            let operation = BlockOperation(block: body)
            operation.addExecutionBlock { [unowned self] in
                model.require(model.nodes[index].runs == 1, "the second block of \(index) ran before the first")
                model.nodes[index].runs += 1
            }
            return operation
        case .main: return PlainOperation(body)
        case .failing: return PlainOperation(failingWith: Fault("failed"), body)
        case .gated: return GatedOperation(body)
        case .manual: return ExploredAsyncOperation(body) { _ in }
        case .obedient:
            return ExploredAsyncOperation(body) { [unowned self] operation in
                model.finish(index)
                operation.finish()
            }
        case .handmade: return HandmadeOperation(body)
        case .task:
            return TaskOperation { [unowned self] in
                work(index)
                endedTasks.insert(index)
            }
        case .yieldingTask:
            let count = Int.random(in: 1...3, using: &random)
            return TaskOperation { [unowned self] in
                work(index)
                for _ in 0..<count {
                    await Task.yield()
                    // The task's place is compared, since the queue may have been let go of by now.
                    model.require(OperationQueue.current != nil, "current is nil in a task")
                }
                endedTasks.insert(index)
            }
        }
    }

    /// Called when the work of an operation begins.
    private func work(_ index: Int) {
        note("\(index) begins")
        model.begin(index)
        if let line = model.nodes[index].queue {
            model.require(OperationQueue.current === queues[line], "current is wrong in \(index)")
        }
        guard depth == 0, !isEnding else { return }
        depth += 1
        while roll(3) { act(randomAction()) }
        depth -= 1
    }

    func canFinish(_ index: Int) -> Bool {
        let node = model.nodes[index]
        switch node.kind {
        case .manual, .obedient: return node.phase != .finished && (node.phase == .begun || node.queue != nil)
        case .handmade: return node.phase == .begun
        default: return false
        }
    }

    private func finish(_ index: Int) {
        // Inside its own execute() too.
        let fails = roll(4) && model.nodes[index].kind != .handmade
        model.nodes[index].hasFailed = fails
        model.finish(index)
        if let operation = operations[index] as? HandmadeOperation { operation.end() }
        if let operation = operations[index] as? AsyncOperation { operation.finish(fails ? Fault("told") : nil) }
    }

    private func startByHand(_ index: Int) {
        let node = model.nodes[index]
        guard node.phase == .idle, node.isUnhindered, node.kind.isForHand else { return }
        // Outside a queue it would be called on a thread of its own.
        operations[index].completionBlock = nil
        model.nodes[index].hasCompletionBlock = false
        if node.isCancelled {
            model.finish(index)
            operations[index].start()
        } else {
            operations[index].start()
            settle(index)
        }
    }

    /// After the start of an operation has returned: what does not go on has finished.
    func settle(_ index: Int) {
        let node = model.nodes[index]
        guard node.phase == .begun, !node.kind.isOpenEnded else { return }
        if node.kind == .task || node.kind == .yieldingTask {
            guard endedTasks.contains(index) else { return }
            // A task that was cancelled leaves a cancelled operation behind.
        }
        if node.kind == .failing { model.nodes[index].hasFailed = true }
        if node.kind == .twoBlocks { model.require(node.runs == 2, "\(index) finished before its second block") }
        model.finish(index)
    }
}
