import Foundation
import Synchronization

// The one line that differs between the two programs made of this file.
#if !FOUNDATION_ALONE
    import Operations
#endif

/// Code that means the same with Foundation's classes and with this package's. Each returns what it saw.
let demonstrations: [(title: String, body: @Sendable () -> String)] = [
    (
        "A dependency is removed from an operation that waits for it",
        {
            let queue = OperationQueue()
            let (first, second) = (BlockOperation {}, BlockOperation {})
            second.addDependency(first)
            queue.addOperation(second)
            second.removeDependency(first)
            second.waitUntilFinished()
            return "it runs"
        }
    ),
    (
        "Two threads make two operations depend on each other, 50,000 times",
        {
            let pairs = (0..<50_000).map { _ in (Operation(), Operation()) }
            let arrivals = Atomic<Int>(0)
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                for (turn, (one, other)) in pairs.enumerated() {
                    // Both go at once, on a processor each if there are two.
                    arrivals.add(1, ordering: .relaxed)
                    var spins = 0
                    while arrivals.load(ordering: .relaxed) < 2 * (turn + 1) {
                        spins += 1
                        if spins > 1_000 { sched_yield() }
                    }
                    if thread == 0 { one.addDependency(other) } else { other.addDependency(one) }
                }
            }
            for (one, other) in pairs { one.removeDependency(other) }
            return "done"
        }
    ),
    (
        "32 operations block for 0.1 s each, at a width of 32",
        {
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 32
            for _ in 0..<32 { queue.addOperation { Thread.sleep(forTimeInterval: 0.1) } }
            return milliseconds { queue.waitUntilAllOperationsAreFinished() }
        }
    ),
    (
        "One operation has four blocks that take 0.1 s each",
        {
            let operation = BlockOperation()
            for _ in 0..<4 { operation.addExecutionBlock { Thread.sleep(forTimeInterval: 0.1) } }
            return milliseconds { operation.start() }
        }
    ),
    (
        "A chain of 1,000 operations runs",
        {
            let chain = (0..<1_000).map { _ in BlockOperation {} }
            for (earlier, later) in zip(chain, chain.dropFirst()) { later.addDependency(earlier) }
            return milliseconds { OperationQueue().addOperations(chain, waitUntilFinished: true) }
        }
    ),
    (
        "A chain of 200,000 operations is released",
        {
            var last = Operation()
            for _ in 0..<200_000 {
                let next = Operation()
                next.addDependency(last)
                last = next
            }
            last = Operation()
            return "it is gone"
        }
    ),
    (
        "A barrier is added to a suspended queue",
        {
            let queue = OperationQueue()
            let ran = DispatchSemaphore(value: 0)
            queue.isSuspended = true
            queue.addBarrierBlock { ran.signal() }
            let isEarly = ran.wait(timeout: .now() + 0.2) == .success
            queue.isSuspended = false
            return isEarly ? "it runs all the same" : "it waits"
        }
    ),
    (
        "A barrier asks for OperationQueue.current",
        {
            let queue = OperationQueue()
            let answer = Answer()
            queue.addBarrierBlock {
                answer.give(OperationQueue.current === queue ? "it is the queue" : "it is not the queue")
            }
            return answer.text()
        }
    ),
    (
        "A completion block reads completionBlock",
        {
            let operation = BlockOperation {}
            let answer = Answer()
            operation.completionBlock = { [unowned operation] in
                answer.give(operation.completionBlock == nil ? "it is nil" : "it is still set")
            }
            operation.start()
            return answer.text()
        }
    ),
    (
        "An operation waits for itself",
        {
            let operation = BlockOperation()
            operation.name = "Sync"
            operation.addExecutionBlock { [unowned operation] in operation.waitUntilFinished() }
            operation.start()
            return "it comes back"
        }
    ),
    (
        "An operation is made to depend on itself, and is added to a queue",
        {
            let operation = BlockOperation {}
            operation.name = "Sync"
            operation.addDependency(operation)
            OperationQueue().addOperations([operation], waitUntilFinished: true)
            return "it runs"
        }
    ),
]

/// One answer from another thread.
private final class Answer: @unchecked Sendable {
    private let isGiven = DispatchSemaphore(value: 0)
    /// Written before the signal, read after it.
    private var answer = ""

    func give(_ text: String) {
        answer = text
        isGiven.signal()
    }

    func text() -> String {
        isGiven.wait()
        return answer
    }
}

private func milliseconds(_ body: () -> Void) -> String {
    let took = ContinuousClock().measure(body)
    return "\(Int(took / .milliseconds(1))) ms"
}
