import Foundation
import Operations
import OperationsTesting
import Testing

@testable import OperationsCore

/// Waits under a `SeededScheduler` that never end: the log names them. They are in a process of their own, which they outlast.
@Suite struct SeededDeadlockTests {
    @Test func areInTheLog() async throws {
        await #expect(processExitsWith: .success) {
            let reports = Recorder()
            Log.sink.withLock { $0 = { reports.note($0) } }
            for deadlock in [barrier, queues, dependency] { Thread.detachNewThread { deadlock() } }
            let expected = [
                "seed 5 has had no step to take for a second, and a barrier of queue 'barred' waits for operation 'behind'",
                "seed 6 has had no step to take for a second, and operation 'one' of queue 'first' waits for operation",
                "seed 6 has had no step to take for a second, and operation 'other' of queue 'second' waits for operation",
                "seed 7 has had no step to take for a second, and code outside of the queues waits for operation 'waiting'",
                "Operation 'waiting' depends on 'missing', which was added to no queue.",
            ]
            let areThere = eventually("all are in the log") {
                let all = reports.all.joined(separator: "\n")
                return expected.allSatisfy { all.contains($0) }
            }
            exit(areThere ? 0 : 1)
        }
    }
}

private func named(_ name: String, _ body: @escaping @Sendable () -> Void = {}) -> BlockOperation {
    let operation = BlockOperation(block: body)
    operation.name = name
    return operation
}

private func barrier() {
    let scheduler = SeededScheduler(seed: 5)
    let (queue, behind) = (scheduler.makeQueue(), named("behind"))
    queue.name = "barred"
    queue.addBarrierBlock { behind.waitUntilFinished() }
    queue.addOperation(behind)
    scheduler.run()
}

/// Two serial queues that wait for each other.
private func queues() {
    let scheduler = SeededScheduler(seed: 6)
    let (first, second) = (scheduler.makeQueue(), scheduler.makeQueue())
    (first.name, second.name) = ("first", "second")
    for queue in [first, second] { queue.maxConcurrentOperationCount = 1 }
    let (behindOne, behindOther) = (named("behind one"), named("behind other"))
    first.addOperation(named("one") { behindOther.waitUntilFinished() })
    second.addOperation(named("other") { behindOne.waitUntilFinished() })
    first.addOperation(behindOne)
    second.addOperation(behindOther)
    scheduler.run()
}

private func dependency() {
    let scheduler = SeededScheduler(seed: 7)
    let (queue, waiting) = (scheduler.makeQueue(), named("waiting"))
    waiting.addDependency(named("missing"))
    queue.addOperation(waiting)
    waiting.waitUntilFinished()
}
