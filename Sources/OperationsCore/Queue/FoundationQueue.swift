import Dispatch
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
    /// wait runs the blocks that were added there and have not begun, on the calling thread and in its place.
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
    private let innerBlocks = Lock(InnerBlocks())

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
        guard ExecutionContext.current.isInside(core) else { return target.addOperation(block) }
        let operation = InnerBlock(block)
        let number = innerBlocks.withLock { $0.add(operation) }
        _ = operation.notifyAtFinish { [innerBlocks] in _ = innerBlocks.withLock { $0.remove(number) } }
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
        for block in innerBlocks.withLock({ $0.inOrder }) { block.runOrWait() }
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

    // The queue that it forwards to keeps it.
    override unowned(unsafe) var underlyingQueue: DispatchQueue? {
        get { target.underlyingQueue }
        set { target.underlyingQueue = newValue }
    }
}

/// The blocks that were added inside the queue's own work, and have not finished.
private struct InnerBlocks {
    private var all: [Int: InnerBlock] = [:]
    private var last = 0

    var inOrder: [InnerBlock] { all.sorted { $0.key < $1.key }.map(\.value) }

    mutating func add(_ block: InnerBlock) -> Int {
        last += 1
        all[last] = block
        return last
    }

    mutating func remove(_ number: Int) -> InnerBlock? { all.removeValue(forKey: number) }
}

/// A block that its queue runs, or somebody in the queue who waits for it.
///
/// What it adds to an operation is behind a lock, which makes it `Sendable` as every operation is.
private final class InnerBlock: Operation, @unchecked Sendable {
    private enum Work {
        case waits(@Sendable () -> Void)
        case taken
        /// By somebody who waited: its turn in the queue is yet to come, and does nothing.
        case hasRun
    }

    private let work: Lock<Work>

    init(_ block: @escaping @Sendable () -> Void) {
        work = Lock(.waits(block))
        super.init()
    }

    override func main() { take()?() }

    /// Runs the block on the calling thread if it has not begun, and waits for it otherwise, unless the thread is in it.
    func runOrWait() {
        let context = ExecutionContext.current
        if isCancelled || context.isRunningMain(of: self) { return }
        if let block = take() {
            context.running(self, block)
            return work.withLock { $0 = .hasRun }
        }
        if case .hasRun = work.withLock({ $0 }) { return }
        waitUntilFinished()
    }

    private func take() -> (@Sendable () -> Void)? {
        work.withLock { work in
            guard case .waits(let block) = work else { return nil }
            work = .taken
            return block
        }
    }

    override func discardWork() { withExtendedLifetime(take()) {} }
}
