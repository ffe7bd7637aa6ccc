import Glibc
import OperationsCore

/// Starts threads that belong to a ``TransferClient``.
enum ClientThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a new detached thread; false if the system refuses one.
    ///
    /// It takes no signals but those of its own faults: a peer that closes a connection must not end the process through SIGPIPE.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let context = Unmanaged.passRetained(Body(run: body))
        var thread = pthread_t()
        let status = ThreadSignals.inheritOnlyFaults {
            pthread_create(
                &thread, nil,
                { context in
                    // Nobody waits for its end.
                    pthread_detach(pthread_self())
                    guard let context else { return nil }
                    Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                    return nil
                }, context.toOpaque())
        }
        if status != 0 {
            context.release()
            return false
        }
        return true
    }
}
