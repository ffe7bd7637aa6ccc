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
    /// subclass's overrides are gone with the subclass's queue.
    ///
    /// Its `operations` and `operationCount` cannot be overridden on Linux, and count none that this queue has: ask this
    /// queue for its own.
    public var foundationQueue: Foundation.OperationQueue { core.foundationQueue(for: self) }
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

    override func addOperation(_ block: @escaping @Sendable () -> Void) { target.addOperation(block) }

    override func addOperation(_ op: Foundation.Operation) { target.addOperation(ForwardedOperation(op)) }

    @available(*, noasync)
    override func addOperations(_ ops: [Foundation.Operation], waitUntilFinished wait: Bool) {
        ops.forEach(addOperation)
        if wait { for each in ops { each.waitUntilFinished() } }
    }

    override func addBarrierBlock(_ barrier: @escaping @Sendable () -> Void) { target.addBarrierBlock(barrier) }

    override func cancelAllOperations() { target.cancelAllOperations() }

    @available(*, noasync)
    override func waitUntilAllOperationsAreFinished() { target.waitUntilAllOperationsAreFinished() }

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
