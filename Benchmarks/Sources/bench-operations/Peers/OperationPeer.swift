import Dispatch
import Foundation
import Synchronization

/// A queue of operations, of ours or of Foundation's: what the shapes need of it, so that both run the same lines.
///
/// The lines are a protocol's and not a generic structure's, so that the compiler specialises them for each peer: calls
/// through a table of witnesses would be measured along.
protocol OperationPeer: RunsIndependentWork, RunsChains, RunsDiamonds, RunsBesideBlocked, Reprioritises, CancelsAll,
    RunsBlockingWork, HoldsWork
{
    associatedtype Block: AnyObject
    associatedtype Queue: AnyObject

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

extension OperationPeer {
    /// A queue that starts nothing, with `count` blocks in it.
    private func heldQueue(_ count: Int) -> Queue {
        let queue = Self.queue()
        Self.suspend(queue, true)
        for _ in 0..<count { Self.add(Self.block {}, to: queue) }
        return queue
    }

    private func release(_ queue: Queue) {
        Self.suspend(queue, false)
        Self.wait(for: queue)
    }

    func independent(_ count: Int, width: Int) {
        let queue = Self.queue()
        Self.setWidth(width, of: queue)
        for _ in 0..<count { Self.add(Self.block {}, to: queue) }
        Self.wait(for: queue)
    }

    func chain(_ count: Int) {
        let queue = Self.queue()
        let blocks = (0..<count).map { _ in Self.block {} }
        for (former, latter) in zip(blocks, blocks.dropFirst()) { Self.add(former, to: latter) }
        Self.add(blocks, to: queue)
        Self.wait(for: queue)
    }

    func diamond(_ count: Int) {
        let queue = Self.queue()
        let first = Self.block {}
        let last = Self.block {}
        var blocks = [first]
        blocks.reserveCapacity(count + 2)
        for _ in 0..<count {
            let block = Self.block {}
            Self.add(first, to: block)
            Self.add(block, to: last)
            blocks.append(block)
        }
        blocks.append(last)
        Self.add(blocks, to: queue)
        Self.wait(for: queue)
    }

    func besideBlocked(_ count: Int, blocked: Int) -> Duration {
        let queue = Self.queue()
        let gate = Self.block {}
        let waiting = (0..<blocked).map { _ in Self.block {} }
        for block in waiting { Self.add(gate, to: block) }
        Self.add(waiting, to: queue)
        let time = timed {
            let countdown = Countdown(count)
            for _ in 0..<count { Self.add(Self.block { countdown.tick() }, to: queue) }
            countdown.wait()
        }
        Self.add(gate, to: queue)
        Self.wait(for: queue)
        return time
    }

    func reprioritise(_ count: Int) -> Duration {
        let queue = Self.queue()
        Self.suspend(queue, true)
        let blocks = (0..<count).map { _ in Self.block {} }
        Self.add(blocks, to: queue)
        let time = timed {
            // The last first, which a search from the front of the queue would find last.
            for block in blocks.reversed() { Self.raise(block) }
        }
        release(queue)
        return time
    }

    func cancelAll(_ count: Int) -> Duration {
        let queue = heldQueue(count)
        return timed {
            Self.cancelAll(in: queue)
            release(queue)
        }
    }

    func blocking(_ count: Int, width: Int, microseconds: UInt32) {
        let queue = Self.queue()
        Self.setWidth(width, of: queue)
        for _ in 0..<count { Self.add(Self.block { usleep(microseconds) }, to: queue) }
        Self.wait(for: queue)
    }

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
