import Operations
import OperationsCore
import Synchronization
import Transfers

/// Refuses every second time, and has the transfer ask again at once.
final class EveryOther: TransferFlow {
    private let operation = Lock<DownloadOperation?>(nil)
    let count = Atomic(0)

    /// Runs a download that it is the flow of.
    func run(_ download: DownloadOperation, in queue: OperationQueue) {
        operation.withLock { $0 = download }
        queue.addOperations([download], waitUntilFinished: true)
        operation.withLock { $0 = nil }
    }

    func mayReceive(upTo bytes: Int) -> Bool {
        if count.add(1, ordering: .relaxed).newValue % 2 == 0 { return true }
        operation.withLock { $0 }?.resumeTransfer()
        return false
    }
}
