import Foundation

/// Foundation's queue.
struct FoundationPeer: OperationPeer {
    let name = "Foundation"
    let limits: [ShapeKind: Limit] = [
        .independent: .upTo(100_000, "takes seconds a round; the cost of one stays"),
        .chain: .upTo(4_000, "the cost of one grows with the number"),
        .diamond: .upTo(4_000, "the cost of one grows with the number"),
        .besideBlocked: .upTo(4_000, "the cost of one grows with the number"),
        .reprioritise: .upTo(4_000, "the cost of one grows with the number"),
        .cancelAll: .upTo(100_000, "takes seconds a round; the cost of one stays"),
        .tasksTogether: .never("runs no tasks"),
        .tasksOneByOne: .never("runs no tasks"),
    ]

    static func block(_ body: @escaping @Sendable () -> Void) -> BlockOperation { BlockOperation(block: body) }
    static func add(_ dependency: BlockOperation, to block: BlockOperation) { block.addDependency(dependency) }
    static func raise(_ block: BlockOperation) { block.queuePriority = .veryHigh }

    static func queue() -> OperationQueue { OperationQueue() }
    static func setWidth(_ width: Int, of queue: OperationQueue) { queue.maxConcurrentOperationCount = width }
    static func suspend(_ queue: OperationQueue, _ isSuspended: Bool) { queue.isSuspended = isSuspended }
    static func add(_ block: BlockOperation, to queue: OperationQueue) { queue.addOperation(block) }
    static func add(_ blocks: [BlockOperation], to queue: OperationQueue) {
        queue.addOperations(blocks, waitUntilFinished: false)
    }
    static func cancelAll(in queue: OperationQueue) { queue.cancelAllOperations() }
    static func wait(for queue: OperationQueue) { queue.waitUntilAllOperationsAreFinished() }
}
