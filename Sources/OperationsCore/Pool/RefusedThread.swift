import Dispatch
import Synchronization

/// A thread that the system has refused, because the user or the group has as many as it may, or there is no memory for it.
package enum RefusedThread {
    private static let isReported = Atomic<Bool>(false)

    /// Says so in the log, the first time, and calls `body` after a while, on a thread of Dispatch.
    ///
    /// Where Dispatch is refused a thread itself, it blocks the caller until there is one.
    package static func askAgain(after error: Int32, _ body: @escaping @Sendable () -> Void) {
        if !isReported.exchange(true, ordering: .relaxed) {
            Log.report("The system refuses the engine a thread (error \(error)). It is asked again until there is one.")
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20), execute: body)
    }
}
