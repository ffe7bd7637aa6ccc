import Foundation

/// The process's standard error, for lines on which nothing depends.
enum StandardError {
    /// Writes a text as far as that is possible, and leaves the rest out.
    ///
    /// A closed pipe, a full disk or a reader that has stopped neither ends the program nor holds the engine up for longer than a moment.
    /// Foundation's `FileHandle` traps on the first two.
    static func put(_ text: String) {
        withoutBrokenPipeSignal {
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty, isWritable {
                // A pipe that has room has it for so many bytes.
                let part = rest.prefix(Int(PIPE_BUF))
                let count = part.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR {
                    return
                }
            }
        }
    }

    /// Whether it takes more; waits a moment for that. Also true where writing to it is an error.
    private static var isWritable: Bool {
        var descriptor = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        return poll(&descriptor, 1, 100) > 0
    }

    /// Runs `body` without the signal that a thread gets which writes to a pipe without a reader: it ends the program.
    private static func withoutBrokenPipeSignal(_ body: () -> Void) {
        var signal = sigset_t()
        sigemptyset(&signal)
        sigaddset(&signal, SIGPIPE)
        let wasPending = isBrokenPipePending
        var previous = sigset_t()
        pthread_sigmask(SIG_BLOCK, &signal, &previous)
        body()
        if !wasPending, isBrokenPipePending {
            var number: Int32 = 0
            sigwait(&signal, &number)
        }
        pthread_sigmask(SIG_SETMASK, &previous, nil)
    }

    private static var isBrokenPipePending: Bool {
        var pending = sigset_t()
        sigpending(&pending)
        return sigismember(&pending, SIGPIPE) == 1
    }
}
