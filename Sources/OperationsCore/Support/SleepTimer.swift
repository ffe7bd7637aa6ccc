import Dispatch

/// Sleeps of the continuous clock that leave nothing behind when they are cancelled.
///
/// Each sleep of Swift's own leaves a job in Dispatch until the end that it would have had (swiftlang/swift#60441), and an alarm
/// is nearly always cancelled: a task with a limit of an hour would keep that for an hour. Here one timer of Dispatch
/// serves all who sleep, and it is only set when one comes who wakes before all others.
final class SleepTimer: Sendable {
    static let shared = SleepTimer()

    private struct State {
        var sleepers = Sleepers()
        /// When the timer rings; nil while it is not set.
        var ring: ContinuousClock.Instant?
        /// Made when it is set for the first time.
        var timer: (any DispatchSourceTimer)?
    }

    /// So many are woken under one lock, so that others get on.
    private static let sleepersPerLock = 64
    /// Dispatch's clock stands still while the machine is asleep, and the continuous one does not. So the timer is never set for
    /// longer than this: a sleep that was over by then ends so soon after that.
    private static let longest = Duration.seconds(60)

    private let state = Lock(State())

    /// How many sleep now.
    var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Returns at `end`; throws `CancellationError` if the task is cancelled before.
    func sleep(until end: ContinuousClock.Instant) async throws {
        let sleeper = Sleeper(until: end)
        try await withTaskCancellationHandler {
            // The timer may resume the task before that is suspended. Thread Sanitizer does not see what orders that, and takes what an
            // unsafe continuation reads of the task's memory for a race with what the task writes there next.
            try await withCheckedThrowingContinuation { add(sleeper, $0) }
        } onCancel: {
            cancel(sleeper)
        }
    }

    private func add(_ sleeper: Sleeper, _ continuation: CheckedContinuation<Void, any Error>) {
        let (isCancelled, isFirst) = state.withLock { state in
            if sleeper.isCancelled { return (true, false) }
            sleeper.continuation = continuation
            state.sleepers.insert(sleeper)
            if let ring = state.ring, ring <= sleeper.end { return (false, false) }
            state.ring = sleeper.end
            return (false, true)
        }
        if isCancelled { return continuation.resume(throwing: CancellationError()) }
        if isFirst { Niceness.onOrdinaryThread { self.setTimer() } }
    }

    private func cancel(_ sleeper: Sleeper) {
        let continuation = state.withLock { state in
            sleeper.isCancelled = true
            state.sleepers.remove(sleeper)
            return sleeper.continuation.take()
        }
        // The timer rings for nobody then, once.
        if let continuation { Niceness.onOrdinaryThread { continuation.resume(throwing: CancellationError()) } }
    }

    /// Sets the timer for what is known now, whoever asked for that.
    private func setTimer() {
        state.withLock { state in
            let timer = state.timer ?? makeTimer()
            state.timer = timer
            guard let ring = state.ring else { return }
            let (seconds, attoseconds) = min(max(.zero, ContinuousClock.now.duration(to: ring)), Self.longest)
                .components
            let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
            timer.schedule(deadline: .now() + .nanoseconds(nanoseconds), leeway: .nanoseconds(0))
        }
    }

    /// On a queue of its own, which has a thread also where others block those of Dispatch.
    private func makeTimer() -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "Operations sleep", qos: .userInitiated))
        timer.setEventHandler { [weak self] in self?.wakeSome() }
        timer.activate()
        return timer
    }

    /// Wakes those whose sleep is over, and sets the timer for the next one.
    private func wakeSome() {
        var woken: [CheckedContinuation<Void, any Error>]
        repeat {
            woken = state.withLock { state in
                let woken = state.sleepers.removeFirst(Self.sleepersPerLock, by: .now)
                if woken.isEmpty { state.ring = state.sleepers.firstEnd }
                return woken.compactMap { $0.continuation.take() }
            }
            for continuation in woken { continuation.resume() }
        } while !woken.isEmpty
        setTimer()
    }
}
