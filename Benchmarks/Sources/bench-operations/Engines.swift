import Dispatch
import Foundation
import Operations

/// One way of running blocks: ours, and those it is measured against.
///
/// Every method returns when the work is done and everything it made has been released.
protocol Engine: Sendable {
    var name: String { get }
    /// Runs `count` blocks that do nothing.
    func independent(_ count: Int, width: Int)
    /// Runs `count` blocks, each after the one before.
    func chain(_ count: Int)
    /// Runs `count` blocks that each block their thread.
    func blockers(_ count: Int, width: Int, microseconds: UInt32)
}

struct OurEngine: Engine {
    let name = "ours"

    private func makeQueue(_ width: Int) -> OperationQueue {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = width
        return queue
    }

    func independent(_ count: Int, width: Int) {
        let queue = makeQueue(width)
        for _ in 0..<count { queue.addOperation(BlockOperation {}) }
        queue.waitUntilAllOperationsAreFinished()
    }

    func chain(_ count: Int) {
        let queue = makeQueue(-1)
        let operations = (0..<count).map { _ in BlockOperation {} }
        for (former, latter) in zip(operations, operations.dropFirst()) { latter.addDependency(former) }
        queue.addOperations(operations, waitUntilFinished: true)
    }

    func blockers(_ count: Int, width: Int, microseconds: UInt32) {
        let queue = makeQueue(width)
        for _ in 0..<count { queue.addOperation { usleep(microseconds) } }
        queue.waitUntilAllOperationsAreFinished()
    }
}

struct FoundationEngine: Engine {
    let name = "Foundation"

    private func makeQueue(_ width: Int) -> Foundation.OperationQueue {
        let queue = Foundation.OperationQueue()
        queue.maxConcurrentOperationCount = width
        return queue
    }

    func independent(_ count: Int, width: Int) {
        let queue = makeQueue(width)
        for _ in 0..<count { queue.addOperation(Foundation.BlockOperation {}) }
        queue.waitUntilAllOperationsAreFinished()
    }

    func chain(_ count: Int) {
        let queue = makeQueue(-1)
        let operations = (0..<count).map { _ in Foundation.BlockOperation {} }
        for (former, latter) in zip(operations, operations.dropFirst()) { latter.addDependency(former) }
        queue.addOperations(operations, waitUntilFinished: true)
    }

    func blockers(_ count: Int, width: Int, microseconds: UInt32) {
        let queue = makeQueue(width)
        for _ in 0..<count { queue.addOperation { usleep(microseconds) } }
        queue.waitUntilAllOperationsAreFinished()
    }
}

/// Dispatch has neither a width nor dependencies: one serial queue stands for width 1 and for the chain.
struct DispatchEngine: Engine {
    let name = "GCD"

    func independent(_ count: Int, width: Int) {
        let queue = width == 1 ? DispatchQueue(label: "serial") : DispatchQueue(label: "all", attributes: .concurrent)
        let group = DispatchGroup()
        for _ in 0..<count { queue.async(group: group) {} }
        group.wait()
    }

    func chain(_ count: Int) { independent(count, width: 1) }

    func blockers(_ count: Int, width: Int, microseconds: UInt32) {
        let queue = DispatchQueue(label: "all", attributes: .concurrent)
        let group = DispatchGroup()
        for _ in 0..<count { queue.async(group: group) { usleep(microseconds) } }
        group.wait()
    }
}
