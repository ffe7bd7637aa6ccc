import Foundation
import Operations

/// A trace of what some queues did last, for however long it goes on.
///
/// A trace keeps everything since it began, some 2 kB for an operation. So there are two, and when the later one has
/// ``length`` operations, it is the earlier one, and another begins: from ``length`` to twice as many are there.
final class RollingTrace {
    /// How many operations are there at least, once there were so many.
    nonisolated static let length = 20_000

    private let queues: [OperationQueue]
    private var earlier: OperationTrace
    private var later: OperationTrace?
    private var begin = 0

    /// Begins to record.
    init(of queues: [OperationQueue]) {
        self.queues = queues
        earlier = OperationTrace(of: queues)
    }

    /// Lets go of what is too old.
    ///
    /// - Parameter addedCount: How many operations were added since this began.
    func roll(addedCount: Int) {
        guard addedCount - begin >= Self.length else { return }
        begin = addedCount
        if let later { earlier = later }
        later = OperationTrace(of: queues)
    }

    /// What was recorded; it may be read on any thread.
    var recorded: OperationTrace { earlier }
}
