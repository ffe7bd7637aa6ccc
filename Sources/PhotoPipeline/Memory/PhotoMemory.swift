import Operations
import Transfers

/// One photo's share of the pipeline's memory, from the first byte received to the picture's last use.
final class PhotoMemory: TransferFlow {
    private enum Holding {
        /// Nothing has been asked for.
        case none
        case holder(MemoryBudget.Holder)
        /// Everything was given back, for good.
        case released
    }

    private let gate: MemoryGate
    private let holding = Lock(Holding.none)
    private let resume = Lock<(@Sendable () -> Void)?>(nil)

    init(gate: MemoryGate) {
        self.gate = gate
    }

    /// Says how a transfer that had to wait is resumed; to be said before the transfer starts.
    func onResume(_ resume: @escaping @Sendable () -> Void) {
        self.resume.withLock { $0 = resume }
    }

    /// Whether the transfer may hold so many bytes; otherwise it is paused and resumed when it is worth asking again.
    func mayReceive(upTo bytes: Int) -> Bool {
        request(bytes) { [resume] in
            resume.withLock { $0 }?()
        }
    }

    func didDropBody() { hold(0) }

    /// Asks for `bytes` in all, and calls `askAgain` once, later, where they are not to be had now.
    ///
    /// After the release nothing is counted any more, and nobody waits.
    func request(_ bytes: Int, askAgain: @escaping @Sendable () -> Void) -> Bool {
        holding.withLock { holding in
            switch holding {
            case .none:
                let holder = gate.makeHolder()
                holding = .holder(holder)
                return gate.request(bytes, for: holder, askAgain: askAgain)
            case .holder(let holder):
                return gate.request(bytes, for: holder, askAgain: askAgain)
            case .released:
                return true
            }
        }
    }

    /// Holds only so many bytes from now on.
    func hold(_ bytes: Int) {
        if case .holder(let holder) = holding.withLock({ $0 }) { gate.shrink(to: bytes, for: holder) }
    }

    /// Gives everything back.
    func release() {
        let before = holding.withLock { holding in
            defer { holding = .released }
            return holding
        }
        if case .holder(let holder) = before { gate.dismiss(holder) }
    }
}
