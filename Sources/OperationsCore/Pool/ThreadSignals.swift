import Foundation

/// Which signals threads take that are created for work: none that are meant for the process.
///
/// The program's handlers belong on the program's own threads. A signal that it has blocked there, for a critical section, for
/// `sigwait` or for `signalfd`, must not end the process or run a handler on a thread that it does not know. Dispatch does
/// the same for its threads.
package enum ThreadSignals {
    /// What a thread raises itself by a fault, and what has to reach whoever reports crashes.
    private static let faults = [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS]

    /// A broken pipe is the operation's own, and profilers count by a signal wherever the time goes.
    package static let ofWorkers = [SIGPIPE, SIGPROF]

    /// Creates a thread that takes no others. It inherits its creator's mask, which is changed before it exists, and is restored
    /// then.
    ///
    /// - Parameters:
    ///   - others: Signals that the thread takes besides where its creator does.
    ///   - create: Creates the thread.
    package static func inheritOnlyFaults<Result>(and others: [Int32] = [], _ create: () -> Result) -> Result {
        var previous = sigset_t()
        pthread_sigmask(SIG_SETMASK, nil, &previous)
        var blocked = sigset_t()
        sigfillset(&blocked)
        for signal in faults { sigdelset(&blocked, signal) }
        for signal in others where sigismember(&previous, signal) == 0 { sigdelset(&blocked, signal) }
        pthread_sigmask(SIG_SETMASK, &blocked, nil)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
        return create()
    }
}
