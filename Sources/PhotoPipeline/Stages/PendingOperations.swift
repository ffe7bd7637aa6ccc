import Foundation
public import Operations

/// The queues of the stages, and what is on its way in them.
///
/// Each stage has a queue of its own name, so that one sees in a trace where time goes. A width of 1 everywhere gives
/// the behaviour of the published tutorials.
public final class PendingOperations: Sendable {
    /// Transfers; they wait for the network, so that this may be wider than the machine. Its width says how many run at once.
    /// An operation that executes may still wait for its host, or for another try.
    public let downloadQueue: OperationQueue
    /// Decoding; a core each.
    public let decodeQueue: OperationQueue
    /// Filtering; a core each. Pictures to which nothing is done do not come here.
    public let filtrationQueue: OperationQueue

    /// Where loaders of the client's bring files.
    let loadQueue: OperationQueue
    /// Where decoding waits for memory. Such an operation holds no thread, so that any number may wait.
    let memoryQueue: OperationQueue
    /// Where previews are decoded, apart from what people wait for.
    package let previewQueue: OperationQueue
    /// For what neither waits nor works: it is told that stages of the client's are over, and that pictures to which nothing is done
    /// are finished.
    let endQueue: OperationQueue
    /// By what is on its way, how it is cancelled.
    private let cancellations = Lock<[ObjectIdentifier: @Sendable () -> Void]>([:])

    private let hasLoaders: Bool

    /// - Parameter hasLoaders: Whether anything can be in the load queue.
    init(_ transfers: TransferQueue, decodeWidth: Int, filtrationWidth: Int, hasLoaders: Bool) {
        self.hasLoaders = hasLoaders
        func queue(_ name: String, width: Int) -> OperationQueue {
            let queue = OperationQueue()
            queue.name = name
            queue.maxConcurrentOperationCount = width
            return queue
        }
        downloadQueue = transfers
        loadQueue = transfers.loadQueue
        decodeQueue = queue("Decode queue", width: max(1, decodeWidth))
        filtrationQueue = queue("Image Filtration queue", width: max(1, filtrationWidth))
        memoryQueue = queue("Memory queue", width: .max)
        previewQueue = queue("Preview queue", width: 1)
        endQueue = queue("End queue", width: .max)
    }

    /// All of the queues that something waits or works in, in the order of the stages.
    package var queues: [OperationQueue] {
        [downloadQueue] + (hasLoaders ? [loadQueue] : [])
            + [memoryQueue, previewQueue, decodeQueue, filtrationQueue]
    }

    /// How many photos are on their way.
    public var count: Int { cancellations.withLock { $0.count } }

    /// Whether the stages start nothing new. What runs goes on.
    ///
    /// True where all of them are suspended; one may also be suspended by itself.
    public var isSuspended: Bool {
        get { [downloadQueue, decodeQueue, filtrationQueue].allSatisfy(\.isSuspended) }
        set {
            for queue in [downloadQueue, decodeQueue, filtrationQueue] { queue.isSuspended = newValue }
        }
    }

    /// Which of the operations of one priority starts first.
    var executionOrder: ExecutionOrder {
        get { downloadQueue.executionOrder }
        set {
            for queue in [downloadQueue, loadQueue, decodeQueue, filtrationQueue] { queue.executionOrder = newValue }
        }
    }

    /// How decoding and filtering compete for the processor. Transfers and waiting for memory compute next to nothing.
    var qualityOfService: QualityOfService {
        get { decodeQueue.qualityOfService }
        set {
            for queue in [decodeQueue, filtrationQueue, previewQueue] { queue.qualityOfService = newValue }
        }
    }

    /// Cancels every photo that is on its way; transfers are ended, decoding and filtering stop at their next check.
    public func cancelAll() {
        for cancel in cancellations.withLock({ Array($0.values) }) { cancel() }
    }

    /// Notes what is on its way from now on, and keeps it as long.
    func insert(_ task: AnyObject, cancel: @escaping @Sendable () -> Void) {
        cancellations.withLock { $0[ObjectIdentifier(task)] = cancel }
    }

    func remove(_ task: AnyObject) {
        // What goes with it goes outside the lock.
        _ = cancellations.withLock { $0.removeValue(forKey: ObjectIdentifier(task)) }
    }
}
