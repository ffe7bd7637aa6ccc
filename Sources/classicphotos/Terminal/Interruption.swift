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

    /// Listens from the moment that this returns; until then a signal ends the program, as it does before.
    ///
    /// Ignoring them first, as with sources elsewhere, would lose what comes before Dispatch has its own handler in place;
    /// with busy processors that is a quarter of a second.
    init() async {
        sources = [SIGINT, SIGTERM].map { DispatchSource.makeSignalSource(signal: $0, queue: .global()) }
        for source in sources {
            source.setEventHandler { [unowned self] in interrupt() }
            await withCheckedContinuation { continuation in
                source.setRegistrationHandler { continuation.resume() }
                source.resume()
            }
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
