import Dispatch
import Operations

/// Brings what the engine's threads report to the main actor, in order, in few hops.
final class UpdateInbox<Item: Sendable>: Sendable {
    private struct State {
        private var items = Line<Item>()
        private(set) var count = 0
        var schedule: HopSchedule

        init(schedule: HopSchedule) {
            self.schedule = schedule
        }

        mutating func append(_ item: Item) {
            items.append(item)
            count += 1
        }

        mutating func popFirst() -> Item? {
            count -= count > 0 ? 1 : 0
            return items.popFirst()
        }
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
    ///
    /// Each is taken when its turn comes: what `body` takes by ``takeAll()`` are those that follow.
    @MainActor func drain(_ body: (Item) -> Void) {
        let clock = ContinuousClock()
        let start = clock.now
        let count = state.withLock { state in
            state.schedule.begin(at: start)
            return state.count
        }
        for number in 1...max(1, count) {
            guard let item = state.withLock({ $0.popFirst() }) else { return }
            body(item)
            if number < count, clock.now - start > budget { return schedule { _ in } }
        }
    }

    /// All items that have come so far, at once, for whoever has waited for them.
    @MainActor func takeAll() -> [Item] {
        state.withLock { state in
            var items: [Item] = []
            while let item = state.popFirst() { items.append(item) }
            return items
        }
    }

    private func schedule(_ change: (inout State) -> Void) {
        let delay = state.withLock { state in
            change(&state)
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
