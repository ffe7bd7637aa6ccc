import Operations

/// The engine of this repository.
struct OurPeer: OperationPeer {
    let name = "ours"
    let limits: [ShapeKind: Limit] = [:]

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

extension OurPeer: RunsTasks {
    func tasks(_ count: Int) async {
        let queue = OperationQueue()
        let tasks = (0..<count).map { _ in queue.addTask {} }
        for task in tasks { try? await task.value }
    }

    func taskByTask(_ count: Int) async {
        let queue = OperationQueue()
        for _ in 0..<count { try? await queue.addTask {}.value }
    }
}

extension OurPeer: RunsInPlaces {
    func placeByPlace(_ count: Int) async {
        let queue = OperationQueue()
        for _ in 0..<count { try? await queue.run {} }
    }
}
