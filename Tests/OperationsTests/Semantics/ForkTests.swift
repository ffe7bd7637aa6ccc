import Foundation
import Operations
import Testing

/// A program that makes its queues first and then becomes a daemon, which goes on in a child without the other threads. Thread
/// Sanitizer ends such a child.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["SANITIZED"] == nil))
struct ForkTests {
    @Test func aQueueThatWasMadeBeforeWorks() async {
        await #expect(processExitsWith: .success) {
            let (queue, background) = (OperationQueue(), OperationQueue())
            background.qualityOfService = .background
            let isDone = DispatchSemaphore(value: 0)
            Forking.goOnInAChild()
            background.addOperation { queue.addOperation { isDone.signal() } }
            exit(isDone.wait(timeout: .now() + 60) == .success ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }
}

private enum Forking {
    /// Returns in a child, whose status becomes that of this process.
    static func goOnInAChild() {
        // Swift does not import the function, as hardly anything may be used after it.
        guard let address = dlsym(nil, "fork") else { exit(EXIT_FAILURE) }
        let child = unsafeBitCast(address, to: (@convention(c) () -> pid_t).self)()
        guard child != 0 else {
            // One that does not come to its own time limit fails as well.
            var alarms = sigset_t()
            sigemptyset(&alarms)
            sigaddset(&alarms, SIGALRM)
            pthread_sigmask(SIG_UNBLOCK, &alarms, nil)
            alarm(120)
            return
        }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        exit(status == 0 ? EXIT_SUCCESS : EXIT_FAILURE)
    }
}
