import Dispatch
import Glibc
import Operations
import PhotoPipeline

/// Ctrl-C, requests to terminate, and a terminal that is closed: the first ends the work in order, the second ends the
/// program at once.
final class Interruption: Sendable {
    private struct State {
        /// What the first one was.
        var signal: Int32?
        var respond: (@Sendable () -> Void)?
    }

    private let state = Lock(State())
    /// What the program ends with where it ends at once; nil for what tells of the signal.
    private let endStatus: ExitStatus?
    // Nothing but init touches the list, which keeps the sources alive.
    private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

    /// Listens from the moment that this returns; until then a signal ends the program, as it does before.
    ///
    /// Ignoring them first, as with sources elsewhere, would lose what comes before Dispatch has its own handler in place;
    /// with busy processors that is a quarter of a second.
    ///
    /// - Parameter endStatus: What the program ends with where it ends at once; by default what tells of the signal.
    init(endStatus: ExitStatus? = nil) async {
        self.endStatus = endStatus
        let signals = ProcessSignals.notIgnored([SIGINT, SIGTERM, SIGHUP])
        sources = signals.map { DispatchSource.makeSignalSource(signal: $0, queue: .global()) }
        for (signal, source) in zip(signals, sources) {
            source.setEventHandler { [unowned self] in interrupt(signal) }
            await withCheckedContinuation { continuation in
                source.setRegistrationHandler { continuation.resume() }
                source.resume()
            }
        }
    }

    /// The status that tells of the first one; nil while none has come.
    var status: ExitStatus? { state.withLock { $0.signal }.map(ExitStatus.init(signal:)) }

    /// Says what ends the work; called at once if it is too late already. Until this is said, the first one ends the
    /// program, as there is nothing to put in order.
    func onInterrupt(_ respond: @escaping @Sendable () -> Void) {
        let isInterrupted = state.withLock { state in
            state.respond = respond
            return state.signal != nil
        }
        if isInterrupted { respond() }
    }

    private func interrupt(_ signal: Int32) {
        let (first, respond) = state.withLock { state in
            let first = state.signal
            if first == nil { state.signal = signal }
            return (first, state.respond)
        }
        guard first == nil, let respond else {
            _exit((endStatus ?? ExitStatus(signal: first ?? signal)).rawValue)
        }
        respond()
    }
}
