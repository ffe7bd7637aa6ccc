import Foundation
import Operations
import XCTest

@testable import OperationsCore

/// What exclusion keys are made of is somebody else's code, which may be slow and may use operations itself.
final class ExclusionKeyTests: XCTestCase {
    /// Compares slowly: not before a door is open.
    private struct SlowKey: Hashable, Sendable {
        let number: Int
        let comparing: Door
        let mayGoOn: Door

        static func == (first: SlowKey, second: SlowKey) -> Bool {
            first.comparing.open()
            first.mayGoOn.pass()
            return first.number == second.number
        }

        func hash(into hasher: inout Hasher) { hasher.combine(0) }
    }

    /// Runs an operation with a key of its own whenever it is compared.
    private struct ReentrantKey: Hashable, Sendable {
        let number: Int

        static func == (first: ReentrantKey, second: ReentrantKey) -> Bool {
            let (queue, inner) = (OperationQueue(), BlockOperation {})
            inner.exclusionKeys = [ExclusionKey("inner")]
            queue.addOperation(inner)
            finishes(queue, within: 10)
            return first.number == second.number
        }

        func hash(into hasher: inout Hasher) { hasher.combine(0) }
    }

    func testASlowKeyHoldsUpNobodyElse() {
        let (queue, other, ran) = (makeQueue(width: 4), makeQueue(width: 1), Counter())
        let (comparing, mayGoOn) = (Door(), Door())
        let holder = ManualOperation()
        holder.exclusionKeys = [ExclusionKey(SlowKey(number: 1, comparing: comparing, mayGoOn: mayGoOn))]
        queue.addOperation(holder)
        holder.began.pass()
        Thread.detachNewThread {
            let slow = BlockOperation { ran.increase() }
            slow.exclusionKeys = [ExclusionKey(SlowKey(number: 2, comparing: comparing, mayGoOn: mayGoOn))]
            queue.addOperation(slow)
        }
        comparing.pass()
        let free = BlockOperation { ran.increase() }
        free.exclusionKeys = [ExclusionKey("another")]
        other.addOperation(free)
        eventually("another key is taken", within: 10) { free.isFinished }
        mayGoOn.open()
        eventually("the slow one ran") { ran.value == 2 }
        holder.finish()
        finishes(queue)
    }

    /// It waits as others do, and nothing is wrong.
    func testOneThatWaitsForAKeyIsNoIssue() {
        let (queue, holder, waiting) = (makeQueue(width: 4), ManualOperation(), BlockOperation {})
        for operation in [holder, waiting] { operation.exclusionKeys = [ExclusionKey("one")] }
        queue.addOperation(holder)
        holder.began.pass()
        queue.addOperation(waiting)
        eventually("it waits for the key") { waiting.state.phase == .parked }
        XCTAssertEqual(queue.diagnostics.issues, [])
        holder.finish()
        finishes(queue)
    }

    func testAKeyThatUsesOperationsItself() {
        let (queue, ran) = (makeQueue(width: 4), Counter())
        let holder = ManualOperation()
        holder.exclusionKeys = [ExclusionKey(ReentrantKey(number: 1))]
        queue.addOperation(holder)
        holder.began.pass()
        for number in [2, 1] {
            let operation = BlockOperation { ran.increase() }
            operation.exclusionKeys = [ExclusionKey(ReentrantKey(number: number))]
            queue.addOperation(operation)
        }
        eventually("that with another number runs", within: 20) { ran.value == 1 }
        holder.finish()
        eventually("the other runs too", within: 20) { ran.value == 2 }
    }
}
