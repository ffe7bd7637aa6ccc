import Foundation
import Operations
import Synchronization
import Testing

@testable import OperationsCore

/// Values that another thread hands to a task.
@Suite struct HandedOverTests {
    private final class Note: Sendable {
        let number: Int
        let isHandedOver = Atomic(false)
        init(_ number: Int) { self.number = number }
    }

    /// Thread Sanitizer sees what orders the making of a value and its use. What is waited for here orders nothing.
    @Test func aValueComesBeforeTheTaskIsSuspended() async {
        for number in 0..<20 {
            let hasCome = Note(-1)
            let note = await handedOver { handOver in
                Thread.detachNewThread {
                    handOver(Note(number))
                    hasCome.isHandedOver.store(true, ordering: .relaxed)
                }
                while !hasCome.isHandedOver.load(ordering: .relaxed) { sched_yield() }
            }
            #expect(note.number == number)
        }
    }

    @Test func aQueueHandsOverWhatWasThrown() async {
        struct Refusal: Error {}
        let queue = OperationQueue()
        let outcome = await queue.outcome { () throws(Refusal) -> Int in throw Refusal() }
        #expect(throws: Refusal.self) { try outcome.get() }
        let number = await queue.outcome { () throws(Never) in 7 }.get()
        #expect(number == 7)
    }
}
