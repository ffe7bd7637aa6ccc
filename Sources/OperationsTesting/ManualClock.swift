import OperationsCore

/// A clock that stands still until a test moves it.
///
/// Whoever sleeps on it goes on when `advance(by:)` reaches the end of the sleep, or when the task is cancelled.
/// It may be used from any thread.
public final class ManualClock: Clock {
    /// A moment of the clock, counted from its creation.
    public struct Instant: InstantProtocol, CustomStringConvertible {
        /// Time since the clock was created.
        public let offset: Duration

        /// The moment that is `duration` later; earlier if it is negative.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// The time from this moment to another; negative if that one is earlier.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
        public var description: String { "\(offset)" }
    }

    private struct Sleeper {
        let deadline: Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var nextIdentifier = 0
        var sleepers: [Int: Sleeper] = [:]
        /// Cancelled between taking an identifier and going to sleep.
        var cancelled: Set<Int> = []
    }

    private let state = Lock(State())

    /// Creates a clock at offset zero.
    public init() {}

    /// The moment that the clock stands at. Only ``advance(by:)`` changes it.
    public var now: Instant { state.withLock { $0.now } }
    /// One nanosecond: no sleep is rounded.
    public var minimumResolution: Duration { .nanoseconds(1) }

    /// How many sleep on the clock now.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Moves the clock on and wakes whoever's sleep is over, the earliest first.
    /// - Parameter duration: How far; not negative.
    public func advance(by duration: Duration) {
        precondition(duration >= .zero, "A clock does not go back.")
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for identifier in due.keys { state.sleepers[identifier] = nil }
            return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }.map(\.value)
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Returns once the clock has reached `deadline`; throws `CancellationError` if the task is cancelled before.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let identifier = state.withLock { state in
            state.nextIdentifier += 1
            return state.nextIdentifier
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Void, any Error>? in
                    if state.cancelled.remove(identifier) != nil { return .failure(CancellationError()) }
                    if deadline <= state.now { return .success(()) }
                    state.sleepers[identifier] = Sleeper(deadline: deadline, continuation: continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
            state.withLock { _ = $0.cancelled.remove(identifier) }
        } onCancel: {
            let sleeper = state.withLock { state in
                if state.sleepers[identifier] == nil { state.cancelled.insert(identifier) }
                return state.sleepers.removeValue(forKey: identifier)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }
}
