public import Operations

/// The queues of the stages, and what is on its way in them.
///
/// Each stage has a queue of its own name, so that one sees in a trace where time goes. A width of 1 everywhere gives
/// the behaviour of the published tutorials.
public final class PendingOperations: Sendable {
    /// Transfers; they wait for the network, so that this may be wider than the machine.
    public let downloadQueue: OperationQueue
    /// Decoding; a core each.
    public let decodeQueue: OperationQueue
    /// Filtering; a core each.
    public let filtrationQueue: OperationQueue

    /// Where decoding waits for memory. Such an operation holds no thread, so that any number may wait.
    let memoryQueue: OperationQueue
    private let tasks = Lock<[ObjectIdentifier: PhotoTask]>([:])

    init(downloadWidth: Int, decodeWidth: Int, filtrationWidth: Int) {
        func queue(_ name: String, width: Int) -> OperationQueue {
            let queue = OperationQueue()
            queue.name = name
            queue.maxConcurrentOperationCount = width
            return queue
        }
        downloadQueue = queue("Download queue", width: downloadWidth)
        decodeQueue = queue("Decode queue", width: decodeWidth)
        filtrationQueue = queue("Image Filtration queue", width: filtrationWidth)
        memoryQueue = queue("Memory queue", width: .max)
    }

    /// All of the queues, in the order of the stages.
    package var queues: [OperationQueue] { [downloadQueue, memoryQueue, decodeQueue, filtrationQueue] }

    /// How many photos are on their way.
    public var count: Int { tasks.withLock { $0.count } }

    /// Whether the stages start nothing new. What runs goes on.
    public var isSuspended: Bool {
        get { downloadQueue.isSuspended }
        set {
            for queue in [downloadQueue, decodeQueue, filtrationQueue] { queue.isSuspended = newValue }
        }
    }

    /// Which of the operations of one priority starts first.
    var executionOrder: ExecutionOrder {
        get { downloadQueue.executionOrder }
        set {
            for queue in [downloadQueue, decodeQueue, filtrationQueue] { queue.executionOrder = newValue }
        }
    }

    /// Cancels every photo that is on its way; transfers are ended, decoding and filtering stop at their next check.
    public func cancelAll() {
        for task in tasks.withLock({ Array($0.values) }) { task.cancel() }
    }

    func insert(_ task: PhotoTask) {
        tasks.withLock { $0[ObjectIdentifier(task)] = task }
    }

    func remove(_ task: PhotoTask) {
        tasks.withLock { $0[ObjectIdentifier(task)] = nil }
    }
}
