import Operations
import XCTest

/// An overridden `cancel()` may wait, also where all operations of a queue are cancelled and its barriers dropped.
final class DroppedBarrierTests: XCTestCase {
    /// Does something more when it is cancelled.
    private final class Careful: Operation, @unchecked Sendable {
        let whenCancelled: @Sendable (Careful) -> Void
        init(_ whenCancelled: @escaping @Sendable (Careful) -> Void) { self.whenCancelled = whenCancelled }
        override func main() { XCTFail("It ran.") }
        override func cancel() {
            super.cancel()
            whenCancelled(self)
        }
    }

    private let queue = makeQueue(width: 4)
    private let end = Door()

    /// The queue has an operation that runs until the end, and a barrier.
    override func setUp() {
        let (end, began) = (end, Door())
        queue.addOperation {
            began.open()
            end.pass()
        }
        began.pass()
        queue.addBarrierBlock { XCTFail("The barrier ran.") }
    }

    /// Cancels all on another thread, so that a test fails instead of hanging.
    private func cancelAll(file: StaticString = #filePath, line: UInt = #line) {
        let cancelled = Door()
        Thread.detachNewThread { [queue] in
            queue.cancelAllOperations()
            cancelled.open()
        }
        XCTAssertTrue(cancelled.pass(file: file, line: line), "It waits for what is held back.", file: file, line: line)
        end.open()
        finishes(queue, file: file, line: line)
    }

    func testACancelledOperationMayWaitForItsOwnEnd() {
        for _ in 0..<3 { queue.addOperation(Careful { $0.waitUntilFinished() }) }
        cancelAll()
    }

    func testACancelledOperationMayWaitForOneThatWasCancelledBefore() {
        let earlier = BlockOperation { XCTFail("It ran.") }
        queue.addOperation(Careful { _ in earlier.waitUntilFinished() })
        queue.addOperation(earlier)
        earlier.cancel()
        cancelAll()
    }

    /// As a member that the barrier holds back, because somebody looked at the queue.
    func testACancelledOperationMayWaitForOneThatWasListedAndCancelledBefore() {
        let earlier = BlockOperation { XCTFail("It ran.") }
        let careful = Careful { _ in earlier.waitUntilFinished() }
        let between = BlockOperation { XCTFail("It ran.") }
        queue.addOperations([careful, between, earlier], waitUntilFinished: false)
        XCTAssertEqual(queue.operations.suffix(3), [careful, between, earlier])
        earlier.cancel()
        cancelAll()
    }

    /// A barrier that runs ends meanwhile, and somebody looks at the queue.
    func testACancelledOperationMayWaitWhileABarrierRuns() {
        let (began, gate, cancelled) = (Door(), Door(), Counter())
        let other = makeQueue(width: 4)
        other.addBarrierBlock {
            began.open()
            gate.pass()
        }
        began.pass()
        other.addBarrierBlock { XCTFail("The barrier ran.") }
        for _ in 0..<3 {
            other.addOperation(
                Careful { careful in
                    let added = BlockOperation {}
                    other.addOperation(added)
                    _ = other.operations
                    gate.open()
                    added.waitUntilFinished()
                    careful.waitUntilFinished()
                    cancelled.increase()
                })
        }
        Thread.detachNewThread { other.cancelAllOperations() }
        eventually { cancelled.value == 3 }
        finishes(other)
        cancelAll()
    }

    func testACancelledOperationMayWaitForOneThatItAdds() {
        let cleaned = Counter()
        queue.addOperation(
            Careful { [queue] _ in
                let cleaning = BlockOperation { cleaned.increase() }
                queue.addOperation(cleaning)
                cleaning.waitUntilFinished()
            })
        cancelAll()
        XCTAssertEqual(cleaned.value, 1)
    }
}
