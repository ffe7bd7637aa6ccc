import Operations

/// The queue of transfers, which the client schedules.
///
/// A transfer whose host rests, or that waits for another try, must not hold a place that another one could have. So the queue
/// hands all to the client, which knows the hosts; its width and its suspension are the client's.
final class TransferQueue: OperationQueue, @unchecked Sendable {
    // Safe to share: it never changes after init.
    private let window: TransferWindow

    init(_ window: TransferWindow) {
        self.window = window
        super.init()
        super.maxConcurrentOperationCount = .max
    }

    /// How many transfers run at once.
    override var maxConcurrentOperationCount: Int {
        get { window.width }
        set { window.width = newValue }
    }

    override var isSuspended: Bool {
        get { super.isSuspended }
        set {
            if newValue { window.isSuspended = true }
            super.isSuspended = newValue
            // After those that waited in the queue, so that the most urgent of all is the first.
            if !newValue { window.isSuspended = false }
        }
    }
}
