import Foundation
import Operations
import OperationsCore
import OperationsTesting
import XCTest

/// Retry and timeout, on a clock that the test moves.
final class RetryTests: XCTestCase {
    private let clock = ManualClock()
    private lazy var queue = OperationQueue(pool: ThreadPool.shared, clock: clock)

    private func sleeper(_ count: Int = 1) { eventually("\(count) sleep") { clock.sleeperCount == count } }

    func testItIsTriedAgainAfterTheDelays() async throws {
        let attempts = Counter()
        let backoff = Backoff(initial: .seconds(1), factor: 3, maximum: .seconds(5), jitter: 0)
        let task = queue.addTask(retry: RetryPolicy(attempts: 4, backoff: backoff)) {
            let attempt = attempts.increase()
            guard attempt == 4 else { throw Fault("\(attempt)") }
            return attempt
        }
        for (attempt, delay) in [1.0, 3, 5].enumerated() {
            sleeper()
            XCTAssertEqual(attempts.value, attempt + 1)
            clock.advance(by: .seconds(delay) - .nanoseconds(1))
            XCTAssertEqual(clock.sleeperCount, 1)
            clock.advance(by: .nanoseconds(1))
        }
        let value = try await task.value
        XCTAssertEqual(value, 4)
    }

    func testTheLastErrorCounts() async {
        let attempts = Counter()
        let task = queue.addTask(retry: RetryPolicy(attempts: 3)) { throw Fault("\(attempts.increase())") }
        _ = await task.result
        XCTAssertEqual(task.error as? Fault, Fault("3"))
    }

    func testAnyNumberOfAttemptsWithoutADelay() async {
        let attempts = Counter()
        let task = queue.addTask(retry: RetryPolicy(attempts: 5_000)) { throw Fault("\(attempts.increase())") }
        _ = await task.result
        XCTAssertEqual(task.error as? Fault, Fault("5000"))
        for attempt in [1_025, 1_026, .max] {
            XCTAssertEqual(Backoff.none.delay(afterAttempt: attempt), .zero)
            XCTAssertEqual(Backoff(initial: .zero, maximum: .zero, jitter: 0).delay(afterAttempt: attempt), .zero)
            let tiny = Backoff(initial: Duration(secondsComponent: 0, attosecondsComponent: 1), jitter: 0)
            XCTAssertEqual(tiny.delay(afterAttempt: attempt), .seconds(30))
        }
    }

    func testOnlySomeErrorsAreRetried() async {
        let attempts = Counter()
        let policy = RetryPolicy(attempts: 9) { $0 as? Fault == Fault("1") }
        let task = queue.addTask(retry: policy) { throw Fault("\(attempts.increase())") }
        _ = await task.result
        XCTAssertEqual(task.error as? Fault, Fault("2"))
    }

    func testCancelledBetweenAttempts() async {
        let attempts = Counter()
        let policy = RetryPolicy(attempts: 9, backoff: Backoff(initial: .seconds(1)))
        let task = queue.addTask(retry: policy) { throw Fault("\(attempts.increase())") }
        sleeper()
        task.cancel()
        _ = await task.result
        XCTAssertEqual(attempts.value, 1)
        XCTAssertTrue(task.error is CancellationError)
        XCTAssertEqual(clock.sleeperCount, 0)
    }

    func testCancelledDuringAnAttempt() async {
        let attempts = Counter()
        let task = queue.addTask(retry: RetryPolicy(attempts: 9)) {
            attempts.increase()
            withUnsafeCurrentTask { $0?.cancel() }
            throw Fault("of the attempt")
        }
        _ = await task.result
        XCTAssertEqual(attempts.value, 1)
        XCTAssertEqual(task.error as? Fault, Fault("of the attempt"))
        XCTAssertTrue(task.isCancelled)
    }

    func testAnAttemptThatTakesTooLongIsTriedAgain() async throws {
        let (attempts, clock) = (Counter(), clock)
        let task = queue.addTask(retry: RetryPolicy(attempts: 2), limits: TimeLimits(attempt: .seconds(2))) {
            let attempt = attempts.increase()
            if attempt == 1 { try await clock.sleep(for: .seconds(100)) }
            return attempt
        }
        sleeper(2)
        clock.advance(by: .seconds(2))
        let value = try await task.value
        XCTAssertEqual(value, 2)
    }

    func testTheWholeTakesTooLong() async {
        let attempts = Counter()
        let policy = RetryPolicy(attempts: 99, backoff: Backoff(initial: .seconds(4), factor: 1, jitter: 0))
        let task = queue.addTask(retry: policy, limits: TimeLimits(total: .seconds(10))) {
            throw Fault("\(attempts.increase())")
        }
        for _ in 0..<2 {
            sleeper(2)
            clock.advance(by: .seconds(4))
        }
        sleeper(2)
        clock.advance(by: .seconds(2))
        _ = await task.result
        XCTAssertEqual(task.error as? TimeoutError, .total(limit: .seconds(10)))
        XCTAssertEqual(attempts.value, 3)
        XCTAssertFalse(task.isCancelled)
    }

    func testATimeLimitThatIsNotReachedLeavesNoSleeper() async throws {
        let value = try await queue.addTask(limits: TimeLimits(attempt: .seconds(1), total: .seconds(1))) { 5 }.value
        XCTAssertEqual(value, 5)
        XCTAssertEqual(clock.sleeperCount, 0)
    }

    /// Does nothing for as long as it may.
    private static func untilCancelled() async throws {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        for await _ in stream {}
        withExtendedLifetime(continuation) {}
        try Task.checkCancellation()
    }

    /// On the clock that queues have.
    func testTheTimeOfWorkIsOver() async {
        let queue = OperationQueue()
        let attempt = queue.addTask(limits: TimeLimits(attempt: .milliseconds(20), total: .seconds(Int64.max))) {
            try await Self.untilCancelled()
        }
        let total = queue.addTask(limits: TimeLimits(attempt: .seconds(3_600), total: .milliseconds(20))) {
            try await Self.untilCancelled()
        }
        _ = await (attempt.result, total.result)
        XCTAssertEqual(attempt.error as? TimeoutError, .attempt(limit: .milliseconds(20)))
        XCTAssertEqual(total.error as? TimeoutError, .total(limit: .milliseconds(20)))
    }

    /// It has the thread on which it began, and only looks whether it was cancelled.
    func testWorkThatIsNeverSuspendedIsCancelled() async {
        for limits in [TimeLimits(attempt: .seconds(2)), TimeLimits(total: .seconds(2))] {
            let (began, wasCancelled) = (Door(), Flag())
            let task = queue.addTask(limits: limits) {
                began.open()
                let patience = Date(timeIntervalSinceNow: 30)
                while Date.now < patience {
                    if Task.isCancelled { return wasCancelled.set() }
                }
            }
            began.pass()
            clock.advance(by: .seconds(2))
            let result = await task.result
            XCTAssertTrue(wasCancelled.isSet)
            XCTAssertThrowsError(try result.get()) { XCTAssert($0 is TimeoutError, "\($0)") }
        }
    }

    func testWorkThatEndsWhenItsTimeIsOverHasFailed() async {
        for fails in [false, true] {
            let (began, goesOn) = (Door(), Door())
            let task = queue.addTask(retry: RetryPolicy(attempts: 1), limits: TimeLimits(attempt: .seconds(2))) {
                began.open()
                goesOn.pass()
                if fails { throw Fault("late") }
            }
            began.pass()
            clock.advance(by: .seconds(2))
            goesOn.open()
            _ = await task.result
            XCTAssertEqual(task.error as? TimeoutError, .attempt(limit: .seconds(2)))
        }
    }

    /// By the system's clock, which cannot count the nanoseconds of all of them.
    func testTimesWithoutEnd() async throws {
        let queue = OperationQueue()
        for attoseconds in [0, 999_999_999_999_999_999] as [Int64] {
            let endless = Duration(secondsComponent: .max, attosecondsComponent: attoseconds)
            let value = try await queue.addTask(limits: TimeLimits(attempt: endless, total: endless)) { 5 }.value
            XCTAssertEqual(value, 5)
            let policy = RetryPolicy(attempts: 2, backoff: Backoff(initial: endless, maximum: endless, jitter: 0))
            let task = queue.addTask(retry: policy, limits: TimeLimits(total: .milliseconds(1))) { throw Fault("once") }
            _ = await task.result
            XCTAssertEqual(task.error as? TimeoutError, .total(limit: .milliseconds(1)))
        }
    }

    func testALimitTakesNoValueAwayFromWorkThatIsCancelled() async throws {
        let (inside, gate) = (Gate(), Gate())
        let task = queue.addTask(limits: TimeLimits(attempt: .seconds(1), total: .seconds(1))) {
            inside.open()
            await gate.pass()
            return Task.isCancelled ? "what there was" : "all"
        }
        await inside.pass()
        task.cancel()
        eventually("the limits are given up") { clock.sleeperCount == 0 }
        gate.open()
        let value = try await task.value
        XCTAssertEqual(value, "what there was")
        XCTAssertTrue(task.isCancelled)
    }

    func testJitterIsSpreadOverTheWholeOfItsPart() {
        var random = SeededRandom(seed: 1)
        for jitter in [0.5, 1] {
            let backoff = Backoff(initial: .seconds(1), jitter: jitter)
            let delays = (0..<1_000).map { _ in backoff.delay(afterAttempt: 1, using: &random) / .seconds(1) }
            XCTAssertLessThan(delays.min() ?? 1, 1 - jitter * 0.95)
            XCTAssertGreaterThan(delays.max() ?? 0, 0.95)
            XCTAssertEqual(delays.reduce(0, +) / 1_000, 1 - jitter / 2, accuracy: 0.05)
        }
    }

    func testBackoffStaysInItsBounds() {
        let backoff = Backoff(initial: .milliseconds(100), factor: 2, maximum: .seconds(1), jitter: 0.5)
        for seed in 1...20 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            for (attempt, whole) in [100, 200, 400, 800, 1_000, 1_000].enumerated() {
                let delay = backoff.delay(afterAttempt: attempt + 1, using: &random)
                XCTAssertLessThanOrEqual(delay, .milliseconds(whole) + .nanoseconds(1), "seed \(seed)")
                XCTAssertGreaterThanOrEqual(delay, .milliseconds(whole / 2) - .nanoseconds(1), "seed \(seed)")
            }
            let late = backoff.delay(afterAttempt: .max, using: &random)
            XCTAssertLessThanOrEqual(late, .seconds(1))
            XCTAssertEqual(Backoff.none.delay(afterAttempt: 5, using: &random), .zero)
        }
    }

    func testTheSystemsChanceIsOfTheSameSize() {
        let backoff = Backoff(initial: .seconds(1), jitter: 0.5)
        let delays = (0..<1_000).map { _ in backoff.delay(afterAttempt: 2) }
        XCTAssert(delays.allSatisfy { (.seconds(1)...Duration.seconds(2)).contains($0) })
        XCTAssertGreaterThan(Set(delays).count, 900)
        XCTAssertEqual(Backoff.none.delay(afterAttempt: 5), .zero)
    }
}
