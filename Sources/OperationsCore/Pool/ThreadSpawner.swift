import Foundation

/// Creates threads for threads of a lower priority.
///
/// On Linux a new thread inherits the niceness of the one that creates it, and only a privileged one may go
/// back. So a worker of the utility or background lane never creates a thread itself: it asks this one, which
/// was created before there was any such worker.
final class ThreadSpawner: Sendable {
    private struct State {
        var isStarted = false
        var requests: [@Sendable () -> Void] = []
    }

    static let shared = ThreadSpawner()

    private let monitor = Monitor()
    /// Touched only under the monitor.
    private nonisolated(unsafe) var state = State()

    /// Makes sure that the thread is there; called from a thread whose niceness was not changed.
    func start() {
        let isFirst = monitor.withLock {
            defer { state.isStarted = true }
            return !state.isStarted
        }
        if isFirst { Thread.detachNewThread { [self] in serve() } }
    }

    func request(_ create: @escaping @Sendable () -> Void) {
        monitor.withLock {
            state.requests.append(create)
            monitor.signal()
        }
    }

    private func serve() {
        while true {
            let create = monitor.withLock {
                while state.requests.isEmpty { monitor.wait() }
                return state.requests.removeFirst()
            }
            create()
        }
    }
}
