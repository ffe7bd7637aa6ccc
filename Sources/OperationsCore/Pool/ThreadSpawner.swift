import Foundation

/// Creates threads for threads of a lower priority, see `Niceness`.
///
/// A worker of the utility or background lane never creates a thread itself, nor does another thread that is as low: it asks
/// this one, which comes with the first pool.
final class ThreadSpawner: Sendable {
    private struct State {
        var isStarted = false
        /// The thread waits for requests, and has nothing else locked.
        var isIdle = false
        var requests: [@Sendable () -> Void] = []
    }

    static let shared: ThreadSpawner = {
        // A process that becomes a daemon goes on in a child, which has none of its threads. What one of them has locked at that
        // moment stays locked there; this one uses locks of Swift's runtime while it starts.
        pthread_atfork({ ThreadSpawner.shared.waitUntilIdle() }, nil) { ThreadSpawner.shared.wasForked() }
        return ThreadSpawner()
    }()

    private let monitor = Monitor()
    /// Touched only under the monitor.
    private nonisolated(unsafe) var state = State()

    /// The calling thread is one of a lower priority, the engine's or another, as Dispatch has for its lower qualities.
    static var isNeeded: Bool { Niceness.ofThread > Niceness.ofProcess }

    /// Makes sure that the thread is there.
    func start() {
        let isFirst = monitor.withLock {
            defer { state.isStarted = true }
            return !state.isStarted
        }
        if isFirst { createThread() }
    }

    /// For a second at most: where the system has no threads, it is busy until there are some.
    private func waitUntilIdle() {
        let deadline = Moment(millisecondsFromNow: 1_000)
        monitor.withLock {
            while state.isStarted, !state.isIdle, monitor.wait(until: deadline) {}
        }
    }

    private func wasForked() {
        monitor.forgetWaiters()
        state = State()
    }

    private func createThread() {
        var thread: pthread_t = 0
        let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { _ in
            ThreadSpawner.shared.serve()
        }
        let result = ThreadSignals.inheritOnlyFaults(and: ThreadSignals.ofWorkers) {
            pthread_create(&thread, nil, body, nil)
        }
        guard result != 0 else { return }
        monitor.withLock {
            state.isStarted = false
            monitor.broadcast()
        }
        RefusedThread.askAgain(after: result) { [self] in start() }
    }

    func request(_ create: @escaping @Sendable () -> Void) {
        start()
        monitor.withLock {
            state.requests.append(create)
            state.isIdle = false
            monitor.broadcast()
        }
    }

    private func serve() -> Never {
        pthread_detach(pthread_self())
        while true {
            let create = monitor.withLock {
                while state.requests.isEmpty {
                    state.isIdle = true
                    // For somebody who forks.
                    monitor.broadcast()
                    monitor.wait()
                }
                return state.requests.removeFirst()
            }
            create()
        }
    }
}
