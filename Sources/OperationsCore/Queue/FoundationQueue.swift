public import Foundation

extension OperationQueueAdditions where Self: OperationQueue {
    /// A queue of Foundation's class that forwards to this one, for interfaces that take no other:
    /// `URLSession(configuration:delegate:delegateQueue:)`, `NotificationCenter.addObserver(forName:object:queue:using:)`.
    ///
    /// Blocks and operations added to it run in this queue, within its width; an operation of Foundation's class waits here for
    /// its dependencies. One that is cancelled while it waits, or whose overridden `isReady` becomes true, gets on within a
    /// tenth of a second. One whose `isReady` becomes false again while it is being started ends the program, as its `start()`
    /// does.
    ///
    /// It is the same queue for this queue's life, which keeps it. Who holds the forwarding queue alone can go on using it, but a
    /// subclass's overrides are gone with the subclass's queue. For `main` it is Foundation's own main queue.
    ///
    /// `NotificationCenter` waits until the queue is empty after each block that it has added. Inside this queue's own work that
    /// wait runs the blocks that have not begun, on the calling thread and in its place.
    ///
    /// Its `operations` and `operationCount` cannot be overridden on Linux, and count none that this queue has: ask this
    /// queue for its own.
    public var foundationQueue: Foundation.OperationQueue {
        core.isMain ? Foundation.OperationQueue.main : core.foundationQueue(for: self)
    }
}

extension QueueCore {
    /// The queue that forwards to this one, which is made on first use.
    fileprivate func foundationQueue(for queue: OperationQueue) -> FoundationQueue {
        monitor.withLock {
            if let forwarding = forwarding as? FoundationQueue { return forwarding }
            let made = FoundationQueue(self)
            forwarding = made
            queue.keptForwarding = made
            return made
        }
    }
}

/// Overrides what Foundation's class can do with what `target` does.
///
/// The queue keeps it, and so it keeps the queue's engine only. When that has no queue any more, it makes one.
private final class FoundationQueue: Foundation.OperationQueue, @unchecked Sendable {
    private let core: QueueCore
    private let ownTarget = Lock<OperationQueue?>(nil)
    private let blocks = Lock(ForwardedBlocks())

    init(_ core: QueueCore) {
        self.core = core
        super.init()
    }

    private var target: OperationQueue {
        if let owner = core.owner { return owner }
        return ownTarget.withLock { own in
            if let own { return own }
            let made = OperationQueue(core)
            own = made
            return made
        }
    }

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
        let operation = ForwardedBlock(block)
        let number = blocks.withLock { $0.add(operation) }
        _ = operation.notifyAtFinish { [blocks] in _ = blocks.withLock { $0.remove(number) } }
        target.addOperation(operation)
    }

    override func addOperation(_ op: Foundation.Operation) { target.addOperation(ForwardedOperation(op)) }

    @available(*, noasync)
    override func addOperations(_ ops: [Foundation.Operation], waitUntilFinished wait: Bool) {
        ops.forEach(addOperation)
        if wait { for each in ops { each.waitUntilFinished() } }
    }

    override func addBarrierBlock(_ barrier: @escaping @Sendable () -> Void) { target.addBarrierBlock(barrier) }

    override func cancelAllOperations() { target.cancelAllOperations() }

    @available(*, noasync)
    override func waitUntilAllOperationsAreFinished() {
        guard ExecutionContext.current.isInside(core) else { return target.waitUntilAllOperationsAreFinished() }
        for block in blocks.withLock({ $0.inOrder }) { block.runOrWait() }
    }

    override var progress: Progress { target.progress }

    override var maxConcurrentOperationCount: Int {
        get { target.maxConcurrentOperationCount }
        set { target.maxConcurrentOperationCount = newValue }
    }

    override var isSuspended: Bool {
        get { target.isSuspended }
        set { target.isSuspended = newValue }
    }

    override var name: String? {
        get { target.name }
        set { target.name = newValue }
    }

    override var qualityOfService: QualityOfService {
        get { target.qualityOfService }
        set { target.qualityOfService = newValue }
    }
}

/// The blocks that were forwarded and have not finished.
private struct ForwardedBlocks {
    private var all: [Int: ForwardedBlock] = [:]
    private var last = 0

    var inOrder: [ForwardedBlock] { all.sorted { $0.key < $1.key }.map(\.value) }

    mutating func add(_ block: ForwardedBlock) -> Int {
        last += 1
        all[last] = block
        return last
    }

    mutating func remove(_ number: Int) -> ForwardedBlock? { all.removeValue(forKey: number) }
}

/// A block that its queue runs, or somebody who waits for it.
private final class ForwardedBlock: Operation, @unchecked Sendable {
    private let block: Lock<(@Sendable () -> Void)?>
    /// Somebody who waited has run it, and its turn in the queue is yet to come.
    private let hasRun = Lock(false)

    init(_ block: @escaping @Sendable () -> Void) {
        self.block = Lock(block)
        super.init()
    }

    override func main() { take()?() }

    /// Runs the block on the calling thread if it has not begun, and waits for it otherwise, unless the thread is in it.
    func runOrWait() {
        let context = ExecutionContext.current
        if isCancelled || hasRun.withLock({ $0 }) || context.isRunningMain(of: self) { return }
        guard let block = take() else { return waitUntilFinished() }
        context.running(self, block)
        hasRun.withLock { $0 = true }
    }

    private func take() -> (@Sendable () -> Void)? { block.withLock { $0.take() } }

    override func discardWork() { withExtendedLifetime(take()) {} }
}
