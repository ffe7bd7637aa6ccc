import Dispatch
import Foundation
import Synchronization

/// What the shapes need of a library of operations and queues, so that ours and Foundation's run the same lines.
protocol OperationLibrary: Sendable {
    associatedtype Block: AnyObject
    associatedtype Queue: AnyObject

    static var name: String { get }
    static var limits: [ShapeKind: Limit] { get }

    static func block(_ body: @escaping @Sendable () -> Void) -> Block
    static func add(_ dependency: Block, to block: Block)
    static func raise(_ block: Block)

    static func queue() -> Queue
    static func setWidth(_ width: Int, of queue: Queue)
    static func suspend(_ queue: Queue, _ isSuspended: Bool)
    static func add(_ block: Block, to queue: Queue)
    static func add(_ blocks: [Block], to queue: Queue)
    static func cancelAll(in queue: Queue)
    static func wait(for queue: Queue)
}

/// A queue of operations, of either library.
struct OperationPeer<Library: OperationLibrary>: Peer {
    var name: String { Library.name }
    var limits: [ShapeKind: Limit] { Library.limits }

    /// A queue that starts nothing, with `count` blocks in it.
    private func heldQueue(_ count: Int) -> Library.Queue {
        let queue = Library.queue()
        Library.suspend(queue, true)
        for _ in 0..<count { Library.add(Library.block {}, to: queue) }
        return queue
    }

    private func release(_ queue: Library.Queue) {
        Library.suspend(queue, false)
        Library.wait(for: queue)
    }
}

extension OperationPeer: RunsIndependentWork {
    func independent(_ count: Int, width: Int) {
        let queue = Library.queue()
        Library.setWidth(width, of: queue)
        for _ in 0..<count { Library.add(Library.block {}, to: queue) }
        Library.wait(for: queue)
    }
}

extension OperationPeer: RunsChains {
    func chain(_ count: Int) {
        let queue = Library.queue()
        let blocks = (0..<count).map { _ in Library.block {} }
        for (former, latter) in zip(blocks, blocks.dropFirst()) { Library.add(former, to: latter) }
        Library.add(blocks, to: queue)
        Library.wait(for: queue)
    }
}

extension OperationPeer: RunsDiamonds {
    func diamond(_ count: Int) {
        let queue = Library.queue()
        let first = Library.block {}
        let last = Library.block {}
        var blocks = [first]
        blocks.reserveCapacity(count + 2)
        for _ in 0..<count {
            let block = Library.block {}
            Library.add(first, to: block)
            Library.add(block, to: last)
            blocks.append(block)
        }
        blocks.append(last)
        Library.add(blocks, to: queue)
        Library.wait(for: queue)
    }
}

extension OperationPeer: RunsBesideBlocked {
    func besideBlocked(_ count: Int, blocked: Int) -> Duration {
        let queue = Library.queue()
        let gate = Library.block {}
        let waiting = (0..<blocked).map { _ in Library.block {} }
        for block in waiting { Library.add(gate, to: block) }
        Library.add(waiting, to: queue)
        let time = timed {
            let countdown = Countdown(count)
            for _ in 0..<count { Library.add(Library.block { countdown.tick() }, to: queue) }
            countdown.wait()
        }
        Library.add(gate, to: queue)
        Library.wait(for: queue)
        return time
    }
}

extension OperationPeer: Reprioritises {
    func reprioritise(_ count: Int) -> Duration {
        let queue = Library.queue()
        Library.suspend(queue, true)
        let blocks = (0..<count).map { _ in Library.block {} }
        Library.add(blocks, to: queue)
        let time = timed {
            // The last first, which a search from the front of the queue would find last.
            for block in blocks.reversed() { Library.raise(block) }
        }
        release(queue)
        return time
    }
}

extension OperationPeer: CancelsAll {
    func cancelAll(_ count: Int) -> Duration {
        let queue = heldQueue(count)
        return timed {
            Library.cancelAll(in: queue)
            release(queue)
        }
    }
}

extension OperationPeer: RunsBlockingWork {
    func blocking(_ count: Int, width: Int, microseconds: UInt32) {
        let queue = Library.queue()
        Library.setWidth(width, of: queue)
        for _ in 0..<count { Library.add(Library.block { usleep(microseconds) }, to: queue) }
        Library.wait(for: queue)
    }
}

extension OperationPeer: HoldsWork {
    func hold(_ count: Int, whileHeld look: () -> Void) {
        let queue = heldQueue(count)
        look()
        release(queue)
    }
}

/// Tells a waiting thread that so many have finished.
private final class Countdown: Sendable {
    private let left: Atomic<Int>
    private let done = DispatchSemaphore(value: 0)

    init(_ count: Int) { left = Atomic(count) }

    func tick() {
        if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { done.signal() }
    }

    func wait() { done.wait() }
}
