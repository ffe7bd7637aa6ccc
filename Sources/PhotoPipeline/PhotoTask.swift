public import Operations
import Synchronization
import Transfers

/// One photo on its way: download, decoding and filtering as operations that depend on each other.
///
/// ``PhotoPipeline/task(for:of:onUpdate:)`` makes it; stages of one's own go on at the end, then ``start(whenFinished:)``.
public final class PhotoTask: Sendable {
    /// The photo that this is about.
    public let id: Photo.ID
    /// The stage that ends with the filtered picture.
    public let filtration: FiltrationOperation

    private let download: CachedDownloadOperation
    private let reservation: ReservationOperation
    private let decode: DecodeOperation
    private let pending: PendingOperations
    private let memory: PhotoMemory
    private let reporter: PhotoReporter
    private let further = Lock<[(operation: Operation, queue: OperationQueue)]>([])

    init(
        id: Photo.ID, download: CachedDownloadOperation, reservation: ReservationOperation, decode: DecodeOperation,
        filtration: FiltrationOperation, pending: PendingOperations, memory: PhotoMemory, reporter: PhotoReporter
    ) {
        self.id = id
        self.download = download
        self.reservation = reservation
        self.decode = decode
        self.filtration = filtration
        self.pending = pending
        self.memory = memory
        self.reporter = reporter
        reservation.addDependency(download)
        decode.addDependency(reservation)
        filtration.addDependency(decode)
        memory.onResume { [weak download] in download?.resumeTransfer() }
    }

    /// Adds a stage behind the filtering (or behind the stage added last). Only before the start.
    ///
    /// The photo's memory counts as in use until this operation has finished too.
    public func append(_ operation: Operation, to queue: OperationQueue) {
        further.withLock { further in
            operation.addDependency(further.last?.operation ?? filtration)
            further.append((operation, queue))
        }
    }

    /// Puts the operations into their queues.
    ///
    /// - Parameter whenFinished: Called once, on a thread of the engine, when all operations have finished, whether
    ///   they ran or were cancelled.
    public func start(whenFinished: @escaping @Sendable () -> Void = {}) {
        var stages: [(operation: Operation, queue: OperationQueue)] = [
            (download, pending.downloadQueue), (reservation, pending.memoryQueue), (decode, pending.decodeQueue),
            (filtration, pending.filtrationQueue),
        ]
        stages += further.withLock { $0 }
        pending.insert(self)
        reporter.report(.downloadStarted)
        let running = Countdown(stages.count) { [self] in
            memory.release()
            reporter.report(.cancelled)
            pending.remove(self)
            whenFinished()
        }
        for stage in stages {
            stage.operation.completionBlock = { running.countDown() }
        }
        for stage in stages { stage.queue.addOperation(stage.operation) }
    }

    /// The bytes of the body that were received, also of one that was cut off; final when the task has finished.
    public var receivedByteCount: Int { download.receivedByteCount }

    /// Cancels what is not done yet; a transfer is ended at once.
    public func cancel() {
        // From the end, so that no stage starts because the one before it was cancelled.
        for stage in further.withLock({ $0 }).reversed() { stage.operation.cancel() }
        for operation in [filtration, decode, reservation, download] as [Operation] { operation.cancel() }
    }
}

/// Calls a closure when it has been counted down to zero.
private final class Countdown: Sendable {
    private let left: Atomic<Int>
    private let whenZero: @Sendable () -> Void

    init(_ count: Int, whenZero: @escaping @Sendable () -> Void) {
        left = Atomic(count)
        self.whenZero = whenZero
    }

    func countDown() {
        if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { whenZero() }
    }
}
