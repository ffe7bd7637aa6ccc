import Operations
import OperationsCore
import XCTest

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
}
