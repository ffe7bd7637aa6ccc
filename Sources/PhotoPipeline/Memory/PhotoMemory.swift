import Operations
import Transfers

/// The memory of one address on its way, from the first byte received to the pictures' last use.
///
/// The body and each picture that is decoded from it are parts, which are asked for separately and count together. Each is
/// given back with its lease, and what is left with the last one.
final class PhotoMemory: TransferFlow {
    /// What takes memory: the body, a picture, what previews are made in. A picture that was given up and the same one, asked
    /// for again, are two.
    struct Part: Hashable {
        fileprivate let number: Int

        static let body = Part(number: 0)
    }

    private static let mostBytes = 1 << 48

    private struct State {
        var holder: MemoryBudget.Holder?
        var amounts: [Part: Int] = [:]
        var waiting: [Part: @Sendable () -> Void] = [:]
        var parts = 0
        var leases = 0
        var isReleased = false
        /// All of the body has come.
        var isInWork = false
        /// The transfer waits for another try.
        var isPaused = false
        /// Resumes a transfer that had to wait.
        var resume: (@Sendable () -> Void)?
    }

    private let gate: MemoryGate
    private let state = Lock(State())

    init(gate: MemoryGate) {
        self.gate = gate
    }

    /// Says how a transfer that had to wait is resumed; to be said before the transfer starts.
    func onResume(_ resume: @escaping @Sendable () -> Void) {
        state.withLock { $0.resume = resume }
    }

    /// Whether the transfer may hold so many bytes; otherwise it is paused and resumed when it is worth asking again.
    func mayReceive(upTo bytes: Int) -> Bool {
        request(bytes, for: .body) { [weak self] in self?.state.withLock { $0.resume }?() }
    }

    func didDropBody() { hold(0, for: .body) }

    func willTryAgain() {
        let calls = state.withLock { state -> [@Sendable () -> Void] in
            guard let holder = state.holder, !state.isReleased else { return [] }
            state.isPaused = true
            return gate.pause(holder)
        }
        for call in calls { call() }
    }

    func didReceiveAll() {
        state.withLock { state in
            guard !state.isReleased, !state.isInWork else { return }
            state.isInWork = true
            // Under the lock, so that the release comes after it.
            gate.transfers?.enter()
        }
    }

    /// Something more that takes memory; none yet.
    func makePart() -> Part {
        state.withLock { state in
            state.parts += 1
            return Part(number: state.parts)
        }
    }

    /// Asks for `bytes` for a part in all, and calls `askAgain` once, later, where they are not to be had now.
    ///
    /// After the release nothing is counted any more, and nobody waits.
    func request(_ bytes: Int, for part: Part, askAgain: @escaping @Sendable () -> Void) -> Bool {
        // No machine has more, and sums of it are numbers.
        let bytes = min(bytes, Self.mostBytes)
        return state.withLock { state in
            guard !state.isReleased else { return true }
            if state.isPaused, part == .body {
                state.isPaused = false
                state.holder = state.holder.map(gate.resume)
            }
            let holder = state.holder ?? gate.makeHolder()
            state.holder = holder
            let others = state.amounts.values.reduce(0, +) - state.amounts[part, default: 0]
            // Before the question, as the answer may change on another thread as soon as it is given.
            state.waiting[part] = askAgain
            guard gate.request(others + bytes, for: holder, askAgain: { [weak self] in self?.wake() }) else {
                return false
            }
            state.waiting[part] = nil
            state.amounts[part] = bytes
            return true
        }
    }

    /// Holds only so many bytes for a part from now on.
    func hold(_ bytes: Int, for part: Part) {
        for call in shrink(to: bytes, for: part) { call() }
    }

    /// Does the same, for those who have a lock.
    /// - Returns: Those to be called, outside all locks, as it is worth asking again.
    func shrink(to bytes: Int, for part: Part) -> [@Sendable () -> Void] {
        state.withLock { state in
            guard let holder = state.holder, !state.isReleased else { return [] }
            state.amounts[part] = min(bytes, state.amounts[part, default: 0])
            // Under the lock, so that sums come in the order in which they were made.
            return gate.shrink(to: state.amounts.values.reduce(0, +), for: holder)
        }
    }

    /// Holds so many bytes for a part that are there already, over the limit too; others wait meanwhile.
    func take(_ bytes: Int, for part: Part) {
        state.withLock { state in
            guard !state.isReleased else { return }
            let holder = state.holder ?? gate.makeHolder()
            state.holder = holder
            state.amounts[part] = min(bytes, Self.mostBytes)
            // Under the lock, so that sums come in the order in which they were made.
            gate.take(state.amounts.values.reduce(0, +), for: holder)
        }
    }

    /// Counts one more lease, see ``MemoryLease``.
    func retain() {
        state.withLock { $0.leases += 1 }
    }

    /// Counts one lease less: gives back what it is on, and with the last one all.
    func release(_ part: Part) {
        let (holder, wasInWork) = state.withLock { state -> (MemoryBudget.Holder??, Bool) in
            state.leases -= 1
            guard state.leases == 0 else { return (nil, false) }
            state.isReleased = true
            state.waiting = [:]
            return (.some(state.holder), state.isInWork)
        }
        guard let holder else { return hold(0, for: part) }
        if let holder { gate.dismiss(holder) }
        if wasInWork { gate.transfers?.leave() }
    }

    private func wake() {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for askAgain in waiting { askAgain() }
    }
}
