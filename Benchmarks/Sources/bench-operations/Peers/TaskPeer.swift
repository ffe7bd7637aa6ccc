import Dispatch
import Foundation

/// Unstructured tasks, which may wait for one another's values.
struct TaskPeer: Peer {
    let name = "Task"
    let limits: [ShapeKind: Limit] = [
        .independent: .never("has no width"),
        .reprioritise: .never("a task's priority rises by escalation only"),
        .cancelAll: .never("cancelling a task does not keep it from running"),
        .blocking: .never("would block the pool's threads, one for each processor"),
    ]
    let remarks: [ShapeKind: String] = [.chain: "the first tasks run while the last are made"]
}

extension TaskPeer: RunsChains {
    func chain(_ count: Int) {
        blocking {
            var last = Task {}
            for _ in 1..<count {
                let former = last
                last = Task { await former.value }
            }
            await last.value
        }
    }
}

extension TaskPeer: RunsDiamonds {
    func diamond(_ count: Int) {
        blocking {
            let first = Task {}
            let tasks = (0..<count).map { _ in Task { await first.value } }
            await Task { for task in tasks { await task.value } }.value
        }
    }
}

extension TaskPeer: RunsBesideBlocked {
    func besideBlocked(_ count: Int, blocked: Int) -> Duration {
        blocking {
            let (stream, continuation) = AsyncStream<Void>.makeStream()
            let gate = Task { for await _ in stream {} }
            let waiting = (0..<blocked).map { _ in Task { await gate.value } }
            let time = await ContinuousClock().measure { await tasks(count) }
            continuation.finish()
            for task in waiting { await task.value }
            return time
        }
    }
}

extension TaskPeer: RunsTasks {
    func tasks(_ count: Int) async {
        let tasks = (0..<count).map { _ in Task {} }
        for task in tasks { await task.value }
    }

    func taskByTask(_ count: Int) async {
        for _ in 0..<count { await Task {}.value }
    }
}

extension TaskPeer: RunsInPlaces {
    func placeByPlace(_ count: Int) async { await taskByTask(count) }
}

extension TaskPeer: HoldsWork {
    /// Nothing starts while each of the pool's threads is blocked.
    func hold(_ count: Int, whileHeld look: () -> Void) {
        let threads = ProcessInfo.processInfo.activeProcessorCount
        let taken = DispatchSemaphore(value: 0)
        let free = DispatchSemaphore(value: 0)
        for _ in 0..<threads {
            Task {
                taken.signal()
                block(until: free)
            }
        }
        for _ in 0..<threads { taken.wait() }
        for _ in 0..<count { Task {} }
        look()
        for _ in 0..<threads { free.signal() }
    }

    private func block(until semaphore: DispatchSemaphore) { semaphore.wait() }
}
