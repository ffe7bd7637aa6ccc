import Foundation
import Operations
import OperationsTesting
import XCTest

@testable import OperationsCore

/// The rate limit, on a clock that the test moves.
final class RateLimitTests: XCTestCase {
    private let clock = ManualClock()
    private lazy var queue = OperationQueue(pool: ThreadPool.shared, clock: clock)

    private func add(_ count: Int, _ ran: Counter) {
        for _ in 0..<count { queue.addOperation { ran.increase() } }
    }

    func testTheBucketNeverGivesMoreThanItsRate() {
        for seed in 1...50 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            let limit = RateLimit(3, per: .seconds(1), burst: .random(in: 1...5, using: &random))
            var limiter = RateLimiter(limit)
            var (now, taken) = (Duration.zero, 0)
            while now < .seconds(100) {
                if limiter.delay(at: now) <= .zero {
                    limiter.take(at: now)
                    taken += 1
                } else if Bool.random(using: &random) {
                    now += limiter.delay(at: now)
                    XCTAssertEqual(limiter.delay(at: now), .zero, "seed \(seed)")
                }
                now += .milliseconds(Int.random(in: 0...300, using: &random))
                XCTAssertLessThanOrEqual(
                    taken, limit.burst + Int((now / limit.interval).rounded(.up)), "seed \(seed)")
            }
            XCTAssertGreaterThan(taken, 100, "seed \(seed)")
        }
    }

    func testAPauseSavesNoMoreThanTheBurst() {
        var limiter = RateLimiter(RateLimit(2, per: .seconds(1), burst: 3))
        for pause in [1, 2, 100, 1_000] {
            let now = Duration.seconds(10_000 * pause)
            var taken = 0
            while limiter.delay(at: now) <= .zero, taken < 10 {
                limiter.take(at: now)
                taken += 1
            }
            XCTAssertEqual(taken, 3)
            XCTAssertEqual(limiter.delay(at: now), .milliseconds(500))
        }
    }

    func testAnEndlessBurstLimitsNothing() {
        var limiter = RateLimiter(RateLimit(100, per: .seconds(3_600), burst: .max))
        for _ in 0..<1_000 {
            XCTAssertLessThanOrEqual(limiter.delay(at: .seconds(1)), .zero)
            limiter.take(at: .seconds(1))
        }
        let longest = RateLimiter(RateLimit(1, per: .seconds(Int64.max), burst: .max))
        XCTAssertLessThanOrEqual(longest.delay(at: .seconds(1)), .zero)
    }

    /// By the system's clock, which cannot count the nanoseconds.
    func testAnEndlessPeriod() {
        let (queue, ran) = (OperationQueue(), Counter())
        queue.rateLimit = RateLimit(1, per: .seconds(Int64.max))
        for _ in 0..<2 { queue.addOperation { ran.increase() } }
        eventually("the first ran") { ran.value == 1 }
        queue.rateLimit = nil
        finishes(queue)
        XCTAssertEqual(ran.value, 2)
    }

    func testAQueueThatHasGoneWaitsForNoPeriod() {
        weak var core: QueueCore?
        do {
            let (queue, ran) = (OperationQueue(pool: ThreadPool.shared, clock: clock), Counter())
            core = queue.core
            queue.rateLimit = RateLimit(1, per: .seconds(3_600))
            for _ in 0..<2 { queue.addOperation { ran.increase() } }
            eventually("it waits for the next period") { ran.value == 1 && clock.sleeperCount == 1 }
            queue.cancelAllOperations()
            finishes(queue)
        }
        eventually("nothing keeps it") { core == nil }
        clock.advance(by: .seconds(3_600))
    }

    func testItSpacesTheStarts() {
        let ran = Counter()
        queue.rateLimit = RateLimit(2, per: .seconds(1), burst: 3)
        add(6, ran)
        for expected in 3...6 {
            eventually("\(expected) ran, one sleeps") {
                ran.value == expected && clock.sleeperCount == (expected < 6 ? 1 : 0)
            }
            guard expected < 6 else { break }
            clock.advance(by: .milliseconds(499))
            XCTAssertEqual(clock.sleeperCount, 1)
            clock.advance(by: .milliseconds(1))
        }
        finishes(queue)
    }

    func testAChangeTakesEffectAtOnce() {
        let ran = Counter()
        queue.rateLimit = RateLimit(1, per: .seconds(3_600))
        add(10, ran)
        eventually("one ran, the rest waits") { ran.value == 1 && clock.sleeperCount == 1 }
        queue.rateLimit = RateLimit(1, per: .seconds(1))
        eventually("another ran, the rest waits anew") { ran.value == 2 && clock.sleeperCount == 2 }
        queue.rateLimit = nil
        finishes(queue)
        XCTAssertEqual(ran.value, 10)
    }

    func testCancelledOperationsAndBarriersDoNotCount() {
        let ran = Counter()
        queue.isSuspended = true
        queue.rateLimit = RateLimit(1, per: .seconds(3_600))
        let operations = (0..<100).map { _ in BlockOperation {} }
        queue.addOperations(operations, waitUntilFinished: false)
        queue.cancelAllOperations()
        queue.addBarrierBlock { ran.increase() }
        add(1, ran)
        queue.isSuspended = false
        finishes(queue)
        XCTAssertEqual(ran.value, 2)
        XCTAssertEqual(clock.sleeperCount, 0)
    }

    func testCancelledOperationsDoNotWaitForTheRate() {
        queue.rateLimit = RateLimit(1, per: .seconds(60))
        let ran = Counter()
        add(1, ran)
        eventually("the first one ran") { ran.value == 1 }
        add(3, ran)
        let single = queue.operations.first
        single?.cancel()
        eventually("a cancelled one ends", within: 5) { queue.operationCount == 2 }
        queue.cancelAllOperations()
        eventually("the others do, too", within: 5) { queue.operationCount == 0 }
        XCTAssertEqual(ran.value, 1)
        add(1, ran)
        // The sleep begins on a thread of its own.
        eventually("it sleeps") { clock.sleeperCount == 1 }
        clock.advance(by: .seconds(60))
        eventually("the next one runs") { ran.value == 2 }
    }

    func testWhatIsPutAsideIsNotCharged() {
        final class Gated: Operation, @unchecked Sendable {
            let asked = Counter()
            let isOpen = Lock(false)
            override var isReady: Bool {
                asked.increase()
                return super.isReady && isOpen.withLock { $0 }
            }
        }
        let (holder, gated, ran) = (ManualOperation(), Gated(), Counter())
        let exclusive = BlockOperation { ran.increase() }
        for operation in [holder, exclusive] { operation.exclusionKeys = [ExclusionKey("rate")] }
        let other = makeQueue(width: 1)
        other.addOperation(holder)
        holder.began.pass()
        queue.maxConcurrentOperationCount = 1
        queue.rateLimit = RateLimit(1, per: .seconds(100), burst: 2)
        queue.addOperations([gated, exclusive], waitUntilFinished: false)
        eventually("both are put aside") { queue.putAside == 2 }
        add(2, ran)
        eventually("the burst is used by those that run", within: 10) { ran.value == 2 }
        holder.finish()
        clock.advance(by: .seconds(200))
        gated.isOpen.withLock { $0 = true }
        gated.didChangeValue(forKey: "isReady")
        finishes(queue)
        finishes(other)
        XCTAssertEqual(ran.value, 3)
    }
}
