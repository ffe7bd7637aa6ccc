/// Which of a queue's ready operations of one priority starts first.
public enum ExecutionOrder: Sendable, Hashable {
    /// The one that was added first.
    case fifo
    /// The one that was added last: what a list that scrolls wants, where the newest requests are on screen.
    case lifo

    /// True if what was added as number `first` comes before number `second`.
    @inline(__always)
    func puts(_ first: UInt64, before second: UInt64) -> Bool {
        self == .fifo ? first < second : first > second
    }
}

extension OperationQueueAdditions where Self: OperationQueue {
    /// Which of the ready operations of one priority starts first: the one added first, by default.
    ///
    /// A change takes effect at once. Priorities come first in either order.
    public var executionOrder: ExecutionOrder {
        get { core.order }
        set { core.order = newValue }
    }
}
