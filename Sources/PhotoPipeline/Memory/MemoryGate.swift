import Operations

/// The memory budget of a pipeline, for many threads.
///
/// Those who are refused leave a closure that is called, outside the lock, when it is worth asking again.
final class MemoryGate: Sendable {
    private struct State {
        var budget: MemoryBudget
        var askAgain: [MemoryBudget.Holder: @Sendable () -> Void] = [:]
        var next = 0

        mutating func makeHolder() -> MemoryBudget.Holder {
            defer { next += 1 }
            return next
        }
    }

    private let state: Lock<State>
    /// Counts the pictures; nil where nobody does.
    let transfers: TransferQueue?

    init(limit: Int, transfers: TransferQueue? = nil) {
        self.transfers = transfers
        state = Lock(State(budget: MemoryBudget(limit: limit)))
    }

    /// The bytes that are held at present.
    var held: Int { state.withLock { $0.budget.held } }

    /// The next holder's number.
    func makeHolder() -> MemoryBudget.Holder { state.withLock { $0.makeHolder() } }

    /// Asks for `amount` bytes in all; `askAgain` is kept, and called once, if they are not to be had now.
    func request(
        _ amount: Int, for holder: MemoryBudget.Holder, askAgain: @escaping @Sendable () -> Void
    ) -> Bool {
        state.withLock { state in
            if state.budget.request(amount, for: holder) { return true }
            state.askAgain[holder] = askAgain
            return false
        }
    }

    /// Holds `amount` bytes in all, which are there already. Not for less than before, as nobody is woken.
    func take(_ amount: Int, for holder: MemoryBudget.Holder) {
        state.withLock { $0.budget.take(amount, for: holder) }
    }

    /// Holds only `amount` bytes from now on.
    /// - Returns: Those to be called, outside all locks, as it is worth asking again.
    func shrink(to amount: Int, for holder: MemoryBudget.Holder) -> [@Sendable () -> Void] {
        change { $0.budget.shrink(to: amount, for: holder) }
    }

    /// Has a holder keep what it holds, and nobody wait for it, until it is resumed.
    /// - Returns: Those to be called, outside all locks, as it is worth asking again.
    func pause(_ holder: MemoryBudget.Holder) -> [@Sendable () -> Void] {
        change { $0.budget.pause(holder) }
    }

    /// Lets a holder go on, with the next number.
    func resume(_ holder: MemoryBudget.Holder) -> MemoryBudget.Holder {
        state.withLock { state in
            let youngest = state.makeHolder()
            state.budget.resume(holder, as: youngest)
            state.askAgain[youngest] = state.askAgain.removeValue(forKey: holder)
            return youngest
        }
    }

    /// Gives everything back and leaves the line.
    func dismiss(_ holder: MemoryBudget.Holder) {
        let calls = change {
            $0.askAgain[holder] = nil
            return $0.budget.dismiss(holder)
        }
        for call in calls { call() }
    }

    private func change(_ change: (inout State) -> Set<MemoryBudget.Holder>) -> [@Sendable () -> Void] {
        state.withLock { state in
            change(&state).sorted().compactMap { state.askAgain.removeValue(forKey: $0) }
        }
    }
}
