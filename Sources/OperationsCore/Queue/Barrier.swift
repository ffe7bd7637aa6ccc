/// One block that runs alone. Its queue keeps it until it has ended, or was dropped before it was claimed.
///
/// The number is set under the queue's lock before another thread can have the barrier, and only read from then on, which makes
/// `@unchecked Sendable` true.
package final class Barrier: @unchecked Sendable {
    /// The number, in the order of adding, of the last operation before it.
    var sequence: UInt64 = 0
    let block: @Sendable () -> Void

    init(_ block: @escaping @Sendable () -> Void) { self.block = block }
}
