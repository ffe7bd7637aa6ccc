import Dispatch
import Foundation

/// The niceness of threads.
///
/// On Linux each thread has its own. A new one inherits that of the thread that creates it, and only a privileged process may
/// go back to a lower number. Dispatch, and with it Swift's concurrency, makes its threads in whatever thread gives it work.
enum Niceness {
    private static let which = __priority_which_t(PRIO_PROCESS.rawValue)

    /// That of the main thread, which counts as the process's.
    static var ofProcess: Int32 { getpriority(which, id_t(getpid())) }

    /// The calling thread's.
    static var ofThread: Int32 {
        get { getpriority(which, 0) }
        set { if newValue != ofThread { setpriority(which, 0, newValue) } }
    }

    /// What Dispatch and Swift's concurrency make once, and with a thread that is made in the thread that first needs it:
    /// Dispatch's timers, and a queue for each priority of tasks. A task that sleeps needs both. So both are there before there
    /// is a thread of a lower priority.
    static let sharedQueuesExist: Void = {
        // An hour ahead, since what is due already takes no timer.
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(3_600)) {}
        for level in UInt8(0)...4 { Task.detached(priority: TaskPriority(Operation.QueuePriority(level: level))) {} }
    }()

    /// Calls what may have Dispatch or Swift make a thread: at once, but from a thread of the utility and background lanes on
    /// one of the standard lane, soon.
    ///
    /// Otherwise the new thread would have the lower priority for good, whatever it does, and so would those that it makes.
    @inline(__always)
    static func onOrdinaryThread(_ body: @escaping @Sendable () -> Void) {
        if ExecutionContext.existing?.hasLowPriority == true { onStandardLane(body) } else { body() }
    }

    @inline(never)
    private static func onStandardLane(_ body: @escaping @Sendable () -> Void) {
        ThreadPool.shared.add(.block(body), lane: .standard, urgency: .brief)
    }
}
