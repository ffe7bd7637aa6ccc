import Foundation
import Operations
import XCTest

@testable import OperationsCore

/// Who runs what was claimed.
final class ClaimTests: XCTestCase {
    /// Starts on the thread of whoever makes room for it.
    private final class Slot: AsyncOperation, @unchecked Sendable {
        override init() {
            super.init()
            beginsAtOnce()
        }
    }

    /// A worker is itself asked for the next operation, and finds that somebody has just made that one wait.
    func testWhatAWorkerHasClaimedIsRunByNobodyElse() {
        let key = ExclusionKey("key")
        let (queue, other) = (makeQueue(width: 2, suspended: true), makeQueue(width: 1))
        let (inside, end, ran) = (Door(), Door(), Counter())
        let holder = BlockOperation {
            inside.open()
            end.pass()
        }
        let (slot, next) = (Slot(), BlockOperation { ran.increase() })
        holder.exclusionKeys = [key]
        next.exclusionKeys = [key]
        queue.addOperations([holder, slot], waitUntilFinished: false)
        // The moment between such a change and the queue's being told of it.
        _ = slot.transition(.dependencyAdded)
        queue.isSuspended = false
        inside.pass()
        // If the holder were begun a second time, that would give its key back. The other run would be among the jobs that
        // these come after.
        for _ in 0..<100 { makeQueue(width: 1).addOperations([BlockOperation {}], waitUntilFinished: true) }
        other.addOperation(next)
        for _ in 0..<100 { makeQueue(width: 1).addOperations([BlockOperation {}], waitUntilFinished: true) }
        XCTAssertEqual(ran.value, 0, "Two run that have a key in common.")
        end.open()
        if slot.transition(.dependencyMet).contains(.reconcile) { queue.core.reconcile(slot) }
        finishes(queue)
        finishes(other)
        XCTAssertEqual(ran.value, 1)
    }
}
