import Foundation
import Operations
import Synchronization
import XCTest

@testable import OperationsCore

/// Waiting until what happened has been told.
final class EventHubTests: XCTestCase {
    private let operation = BlockOperation {}

    func testAFlushTellsWhatWasPostedBeforeAndHandsTheRestOn() {
        let (pool, told) = (HandPool(), Counter())
        let hub = EventHub(ContinuousClock(), pool: pool)
        let operation = operation
        // Each event brings another one about, as in a queue that is never at rest.
        let observer = hub.add(
            EventHub.Observer(
                receive: { [weak hub] _ in if told.increase() < 10_000 { hub?.post(.ready, operation) } }))
        for _ in 0..<3 { hub.post(.ready, operation) }
        hub.flush()
        XCTAssertEqual(told.value, 3)
        XCTAssertEqual(pool.count, 1, "A job is to tell of the others.")
        pool.runFirst()
        XCTAssertGreaterThan(told.value, 3)
        hub.remove(observer)
    }

    func testAFlushMissesNothingWhileAJobDelivers() {
        let pool = ThreadPool()
        var missed = 0
        for _ in 0..<many(400, long: 20_000) {
            let (hub, told, isReturned) = (EventHub(ContinuousClock(), pool: pool), Counter(), Counter())
            let observer = hub.add(EventHub.Observer(receive: { _ in told.increase() }))
            let count = 640
            for _ in 0..<count { hub.post(.ready, operation) }
            hub.deliver()
            let early = Counter()
            for delay in 0..<4 as Range<UInt32> {
                Thread.detachNewThread {
                    usleep(delay * 20)
                    hub.flush()
                    if told.value != count { early.increase() }
                    isReturned.increase()
                }
            }
            eventually("all returned") { isReturned.value == 4 }
            missed += early.value
            hub.remove(observer)
        }
        XCTAssertEqual(missed, 0, "flushes returned before what had been posted was told")
    }
}
