import Foundation
import Operations
import OperationsCore
import XCTest

/// Observers that take their time.
final class ObservationLoadTests: XCTestCase {
    /// They hold up neither who adds to the queue nor what it runs.
    func testASlowObserverHoldsNobodyUp() {
        let (queue, told) = (makeQueue(width: 1), Counter())
        let (delays, started) = (Samples(), Lock<[ObjectIdentifier: Double]>([:]))
        final class Noted: Operation, @unchecked Sendable {
            let delay: @Sendable (Operation) -> Void
            init(_ delay: @escaping @Sendable (Operation) -> Void) { self.delay = delay }
            override func main() { delay(self) }
        }
        let token = queue.observe { event in
            if event.kind == .started { started.withLock { $0[ObjectIdentifier(event.operation)] = milliseconds() } }
            usleep(200)
            told.increase()
        }
        let additions = Samples()
        let count = 1_000
        for _ in 0..<count {
            let start = milliseconds()
            queue.addOperation(
                Noted { operation in
                    let event = started.withLock { $0[ObjectIdentifier(operation)] }
                    if let event { delays.note(milliseconds() - event) }
                })
            additions.note(milliseconds() - start)
        }
        let start = milliseconds()
        finishes(queue)
        XCTAssertLessThan(additions.most, 150, "milliseconds to add an operation")
        XCTAssertLessThan(milliseconds() - start, 500, "milliseconds until all have run")
        XCTAssertLessThan(delays.most, 150, "milliseconds from the event to the work")
        eventually("all events are told") { told.value == 4 * count }
        token.invalidate()
    }
}
