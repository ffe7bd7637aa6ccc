import Dispatch
import Operations

/// Brings what the engine's threads report to the main actor, in order, in few hops.
final class UpdateInbox<Item: Sendable>: Sendable {
    private struct State {
        var items: [Item] = []
        var schedule: HopSchedule
    }

    private let state: Lock<State>
    private let budget: Duration
    private let onHop: @MainActor @Sendable () -> Void

    /// - Parameters:
    ///   - interval: The shortest time between two hops.
    ///   - budget: How long a hop may keep the main actor before the rest has to wait for the next one.
    ///   - onHop: Called with each hop; it takes the items with ``drain(_:)``.
    init(interval: Duration, budget: Duration, onHop: @escaping @MainActor @Sendable () -> Void) {
        state = Lock(State(schedule: HopSchedule(interval: interval)))
        self.budget = budget
        self.onHop = onHop
    }

    /// Takes an item, from any thread.
    func push(_ item: Item) {
        schedule { $0.append(item) }
    }

    /// Gives the items that have come so far to `body`, for as long as the budget lasts.
    @MainActor func drain(_ body: (Item) -> Void) {
        let clock = ContinuousClock()
        let start = clock.now
        let items = state.withLock { state in
            defer { state.items = [] }
            state.schedule.begin(at: start)
            return state.items
        }
        for (index, item) in items.enumerated() {
            body(item)
            if index + 1 < items.count, clock.now - start > budget {
                return schedule { $0.insert(contentsOf: items[(index + 1)...], at: 0) }
            }
        }
    }

    /// All items that have come so far, at once, for whoever has waited for them.
    @MainActor func takeAll() -> [Item] {
        state.withLock { state in
            defer { state.items = [] }
            return state.items
        }
    }

    private func schedule(_ change: (inout [Item]) -> Void) {
        let delay = state.withLock { state in
            change(&state.items)
            return state.schedule.request(at: .now)
        }
        guard let delay else { return }
        let parts = delay.components
        let nanoseconds = Int(parts.seconds) * 1_000_000_000 + Int(parts.attoseconds / 1_000_000_000)
        DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [onHop] in
            // The main queue is the main actor's.
            MainActor.assumeIsolated { onHop() }
        }
    }
}
