import Operations
import XCTest

@testable import OperationsCore

/// Observers that take their time.
final class ObservationLoadTests: XCTestCase {
    /// They hold up neither who adds to the queue nor what it runs: all of that is over while one has not come back from the
    /// first event.
    func testASlowObserverHoldsNobodyUp() {
        let (queue, end, told, ran, count) = (makeQueue(width: 1), Door(), Counter(), Counter(), 1_000)
        let token = queue.observe { _ in
            end.pass()
            told.increase()
        }
        for _ in 0..<count { queue.addOperation { ran.increase() } }
        finishes(queue, within: 25)
        XCTAssertEqual(ran.value, count)
        XCTAssertEqual(told.value, 0)
        end.open()
        eventually("all events are told") { told.value == 4 * count }
        token.invalidate()
    }

    /// One that computes for 15 microseconds an event is always behind a queue that is busy. No thread that adds, and none that runs
    /// operations, spends more than a moment on telling it between two of them.
    func testAComputingObserverTakesNoThreadForLong() {
        final class Marks: Sendable {
            private let used = Lock<[UInt: Int64]>([:])
            /// Milliseconds that this thread has computed since it was here last.
            func pass() -> Double {
                let (thread, now) = (UInt(pthread_self()), ThreadClock().used)
                return used.withLock { used in
                    defer { used[thread] = now }
                    return Double(now - (used[thread] ?? now)) / 1_000_000
                }
            }
        }
        let (queue, marks, between, adding, told, count) = (
            makeQueue(width: 1), Marks(), Samples(), Samples(), Counter(), many(20_000, sanitized: 5_000)
        )
        let token = queue.observe { _ in
            compute(milliseconds: 0.015)
            told.increase()
        }
        let clock = ThreadClock()
        for _ in 0..<count {
            let start = clock.used
            queue.addOperation { between.note(marks.pass()) }
            adding.note(Double(clock.used - start) / 1_000_000)
        }
        finishes(queue, within: 60)
        eventually("all events are told") { told.value == 4 * count }
        // All events take 1,200 ms; a delivery lets others have its thread after 64, which take one.
        XCTAssertLessThan(adding.most, 50)
        XCTAssertLessThan(between.most, 200)
        token.invalidate()
    }
}
