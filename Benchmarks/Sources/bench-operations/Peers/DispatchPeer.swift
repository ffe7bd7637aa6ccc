import Dispatch
import Foundation

/// Grand Central Dispatch: queues, groups, and work items that notify the next.
struct DispatchPeer: Peer {
    let name = "GCD"
    let limits: [ShapeKind: Limit] = [
        .reprioritise: .never("a queued block keeps its class"),
        .tasksTogether: .never("runs no tasks"),
        .tasksOneByOne: .never("runs no tasks"),
    ]
    let remarks: [ShapeKind: String] = [
        .independent: "a serial queue stands for width 1, a concurrent one, which has no width, for 2",
        .blocking: "a concurrent queue, which has no width",
    ]

    private func queue(width: Int = -1) -> DispatchQueue {
        DispatchQueue(label: "bench", attributes: width == 1 ? [] : .concurrent)
    }
}

extension DispatchPeer: RunsIndependentWork {
    func independent(_ count: Int, width: Int) {
        let queue = queue(width: width)
        let group = DispatchGroup()
        for _ in 0..<count { queue.async(group: group) {} }
        group.wait()
    }
}

extension DispatchPeer: RunsChains {
    func chain(_ count: Int) {
        let queue = queue()
        let items = (0..<count).map { _ in DispatchWorkItem {} }
        for (former, latter) in zip(items, items.dropFirst()) { former.notify(queue: queue, execute: latter) }
        queue.async(execute: items[0])
        items[count - 1].wait()
    }
}

extension DispatchPeer: RunsDiamonds {
    func diamond(_ count: Int) {
        let queue = queue()
        let first = DispatchWorkItem {}
        let last = DispatchWorkItem {}
        let group = DispatchGroup()
        for _ in 0..<count {
            group.enter()
            first.notify(queue: queue) { group.leave() }
        }
        group.notify(queue: queue, work: last)
        queue.async(execute: first)
        last.wait()
    }
}

extension DispatchPeer: RunsBesideBlocked {
    func besideBlocked(_ count: Int, blocked: Int) -> Duration {
        let queue = queue()
        let gate = DispatchGroup()
        let all = DispatchGroup()
        gate.enter()
        for _ in 0..<blocked {
            all.enter()
            gate.notify(queue: queue) { all.leave() }
        }
        let time = timed {
            let group = DispatchGroup()
            for _ in 0..<count { queue.async(group: group) {} }
            group.wait()
        }
        gate.leave()
        all.wait()
        return time
    }
}

extension DispatchPeer: CancelsAll {
    func cancelAll(_ count: Int) -> Duration {
        let queue = queue()
        let group = DispatchGroup()
        queue.suspend()
        var items = (0..<count).map { _ in DispatchWorkItem {} }
        for item in items { queue.async(group: group, execute: item) }
        return timed {
            for item in items { item.cancel() }
            queue.resume()
            group.wait()
            items.removeAll()
        }
    }
}

extension DispatchPeer: RunsBlockingWork {
    func blocking(_ count: Int, width: Int, microseconds: UInt32) {
        let queue = queue(width: width)
        let group = DispatchGroup()
        for _ in 0..<count { queue.async(group: group) { usleep(microseconds) } }
        group.wait()
    }
}

extension DispatchPeer: HoldsWork {
    func hold(_ count: Int, whileHeld look: () -> Void) {
        let queue = queue()
        let group = DispatchGroup()
        queue.suspend()
        for _ in 0..<count { queue.async(group: group) {} }
        look()
        queue.resume()
        group.wait()
    }
}
