import Foundation
import Operations
import OperationsTesting

@testable import OperationsCore

/// One random program on queues of a `SeededScheduler`, compared with the reference model after every step.
///
/// The seed decides everything: what the program does, also from inside the operations' work, and which of the jobs
/// that could come next does. It is `Sendable`, because all of it happens on one thread: the scheduler's tasks too
/// go on where its steps run.
final class Exploration: @unchecked Sendable {
    let seed: UInt64
    let keepsLog: Bool
    private(set) var log: [String] = []
    var random: SeededRandom
    let scheduler: SeededScheduler
    var queues: [OperationQueue]
    var operations: [Operation] = []
    var model: ReferenceModel
    var barrierCount = 0
    /// How many operations the program makes at most, and whether they start with different priorities.
    let mostOperations: Int
    let hasPriorities: Bool
    /// Tasks whose body is over; they finish in the same step.
    var endedTasks: Set<Int> = []
    /// How deep the program is inside operations' work.
    var depth = 0
    /// The program is over; what it began has to end.
    var isEnding = false

    init(seed: UInt64, keepsLog: Bool = false) {
        self.seed = seed
        self.keepsLog = keepsLog
        random = SeededRandom(seed: seed)
        scheduler = SeededScheduler(seed: random.next())
        let count = Int.random(in: 1...3, using: &random)
        queues = (0..<count).map { [scheduler] _ in scheduler.makeQueue() }
        // So that what is done in parts is, with the few operations that there are.
        if let few = [1, 2, nil].randomElement(using: &random) ?? nil {
            for queue in queues { queue.core.state.operationsPerLock = few }
        }
        model = ReferenceModel(queues: count)
        mostOperations = Int.random(in: 0..<4, using: &random) == 0 ? 30 : 12
        hasPriorities = Bool.random(using: &random)
    }

    /// Runs the program of a seed.
    /// - Returns: What was wrong, nil if nothing was.
    static func complaint(seed: UInt64) -> String? {
        let exploration = Exploration(seed: seed)
        return exploration.run()
    }

    func run() -> String? {
        for line in queues.indices where roll(2) { act(.width(line)) }
        for _ in 0..<Int.random(in: 10...4 * mostOperations, using: &random) {
            if roll(2) { act(randomAction()) } else { step() }
            if let complaint = model.complaint { return complaint }
        }
        return end() ?? leftovers()
    }

    /// True once in `count` times.
    func roll(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    func note(_ line: @autoclosure () -> String) {
        if keepsLog { log.append(String(repeating: "  ", count: depth) + line()) }
    }

    /// One step of the scheduler, and what the model makes of it.
    @discardableResult
    func step() -> Bool {
        let taken = model.nodes.indices.filter { model.nodes[$0].phase == .taken }
        let hasStepped = scheduler.step()
        note("step")
        follow(taken)
        check(isIdle: !hasStepped)
        return hasStepped
    }

    /// Lets everything end that can, and demands that it does.
    private func end() -> String? {
        drain()
        isEnding = true
        for (line, queue) in queues.enumerated() {
            queue.maxConcurrentOperationCount = -1
            model.lines[line].width = -1
            queue.isSuspended = false
            model.lines[line].isSuspended = false
        }
        drain()
        for index in operations.indices where model.nodes[index].kind == .gated { act(.open(index)) }
        for _ in 0..<2 {
            for index in operations.indices where canFinish(index) { act(.finish(index)) }
            drain()
        }
        // What is left waits for something that never comes.
        for line in queues.indices { act(.cancelAll(line)) }
        drain()
        for index in operations.indices where canFinish(index) { act(.finish(index)) }
        drain()
        for (index, node) in model.nodes.enumerated() {
            let isOver = node.queue == nil || node.phase == .finished
            model.require(isOver, "\(index) is still \(node.phase) when all is over")
        }
        for queue in queues { model.require(queue.operationCount == 0, "operations are left in a queue") }
        return model.complaint
    }

    private func drain() {
        model.noteBarriers()
        while model.complaint == nil, step() {}
    }

    /// Lets go of everything, and demands that nothing stays in memory.
    private func leftovers() -> String? {
        struct Weak { weak var object: AnyObject? }
        let objects = operations.map { Weak(object: $0) } + queues.map { Weak(object: $0) }
        for operation in operations {
            // Operations of a cycle hold each other.
            for dependency in operation.dependencies { operation.removeDependency(dependency) }
        }
        operations = []
        queues = []
        let index = objects.firstIndex { $0.object != nil }
        return index.map { "\($0 < model.nodes.count ? "operation \($0)" : "a queue") was not released" }
    }
}
