import Glibc

/// Starts threads that belong to a ``TransferClient``.
enum ClientThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a new detached thread; false if the system refuses one.
    ///
    /// Signals are blocked on it: the program's handlers belong on the program's own threads, and a peer that closes a
    /// connection must not end the process through SIGPIPE. Those that a fault of the thread itself raises are not, so
    /// that whoever reports crashes hears of it.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        // A thread inherits its creator's mask, so the mask is changed before it exists.
        var blocked = sigset_t()
        var previous = sigset_t()
        sigfillset(&blocked)
        for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS] { sigdelset(&blocked, fault) }
        pthread_sigmask(SIG_SETMASK, &blocked, &previous)
        defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }

        let context = Unmanaged.passRetained(Body(run: body))
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { context in
                // Nobody waits for its end.
                pthread_detach(pthread_self())
                guard let context else { return nil }
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        if status != 0 {
            context.release()
            return false
        }
        return true
    }
}
