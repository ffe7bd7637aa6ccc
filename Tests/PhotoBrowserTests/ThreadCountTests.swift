import OperationsCore
import OperationsTesting
import Testing

@testable import PhotoBrowser

/// How many threads compute at a time, as far as the queues tell.
@Suite struct ThreadCountTests {
    @Test func threadsAreCountedByTheTimesOfTheirWork() {
        var changes = ThreadCount.Changes()
        #expect(changes.most == 0)
        changes.note(1, at: .milliseconds(1))
        changes.note(1, at: .milliseconds(5))
        // Heard of late: it had ended before the second one began.
        changes.note(-1, at: .milliseconds(4))
        #expect(changes.most == 1)
        changes.note(1, at: .milliseconds(6))
        changes.note(-1, at: .milliseconds(8))
        changes.note(1, at: .milliseconds(8))
        #expect(changes.most == 2, "one that ends makes room for the next")
    }

    @Test func queuesThatWereMadeAtDifferentTimesAreCountedTogether() {
        let clock = ManualClock()
        let first = OperationQueue(pool: ThreadPool.shared, clock: clock)
        clock.advance(by: .milliseconds(5))
        let second = OperationQueue(pool: ThreadPool.shared, clock: clock)
        let threads = ThreadCount([first, second])
        let trace = OperationTrace(of: [first, second])
        for queue in [first, second] {
            queue.addOperation { clock.advance(by: .milliseconds(10)) }
            queue.waitUntilAllOperationsAreFinished()
            clock.advance(by: .milliseconds(1))
        }
        // All that has happened has been told.
        trace.stop()
        #expect(threads.most == 1)
    }
}
