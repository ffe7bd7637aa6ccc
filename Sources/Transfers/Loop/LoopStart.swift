import OperationsCore

/// The event thread of a client. Where the system has no descriptors, memory or thread for it, each use tries again.
///
/// It may be used from any thread.
final class LoopStart: Sendable {
    private struct State {
        var loop: TransferLoop?
        var isSuspended = false
        var width: Int?
    }

    private let configuration: TransferClient.Configuration
    private let state = Lock(State())

    /// Starts the thread, if there is room for it.
    init(_ configuration: TransferClient.Configuration) {
        self.configuration = configuration
        _ = loop
    }

    deinit {
        // The thread is not waited for: the last reference may have been dropped on it.
        running?.stop()
    }

    /// The loop, which is started if need be; nil if the system has no room for it.
    var loop: TransferLoop? {
        state.withLock { state in
            if let loop = state.loop { return loop }
            guard let loop = TransferLoop.start(configuration) else { return nil }
            if state.isSuspended { loop.suspend(true) }
            if let width = state.width { loop.setWidth(width) }
            state.loop = loop
            return loop
        }
    }

    /// The loop, if it has been started.
    var running: TransferLoop? { state.withLock { $0.loop } }

    /// Starts no transfers for now, or starts them again.
    func suspend(_ isSuspended: Bool) {
        state.withLock { state in
            state.isSuspended = isSuspended
            state.loop?.suspend(isSuspended)
        }
    }

    /// Changes how many transfers run at once.
    func setWidth(_ width: Int) {
        state.withLock { state in
            state.width = width
            state.loop?.setWidth(width)
        }
    }
}
