import Dispatch
import Glibc
import Operations

/// Ctrl-C and requests to terminate: the first ends the work in order, the second ends the program at once.
final class Interruption: Sendable {
    private struct State {
        var isInterrupted = false
        var respond: (@Sendable () -> Void)?
    }

    private let state = Lock(State())
    // Nothing but init touches the list, which keeps the sources alive.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

    init() {
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            return DispatchSource.makeSignalSource(signal: number, queue: .global())
        }
        for source in sources {
            source.setEventHandler { [unowned self] in interrupt() }
            source.resume()
        }
    }

    /// Whether the first one has come.
    var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

    /// Says what ends the work; called at once if it is too late already. Until this is said, the first one ends the
    /// program, as there is nothing to put in order.
    func onInterrupt(_ respond: @escaping @Sendable () -> Void) {
        let isInterrupted = state.withLock { state in
            state.respond = respond
            return state.isInterrupted
        }
        if isInterrupted { respond() }
    }

    private func interrupt() {
        let (isFirst, respond) = state.withLock { state in
            defer { state.isInterrupted = true }
            return (!state.isInterrupted, state.respond)
        }
        guard isFirst, let respond else { _exit(ExitStatus.interrupted.rawValue) }
        respond()
    }
}
