import Foundation
import Operations
import OperationsTesting
import XCTest

@testable import OperationsCore

/// Several threads do to one queue whatever can be done to it: in the end all operations have finished.
final class RandomUseTests: XCTestCase {
    /// What its cancelling comes to.
    private final class Own: Operation, @unchecked Sendable {
        enum Cancelling: CaseIterable { case usual, none, interrupted }
        private let cancelling: Cancelling

        init(_ cancelling: Cancelling) { self.cancelling = cancelling }

        override func cancel() {
            if cancelling != .none { super.cancel() }
            // Others get on meanwhile.
            if cancelling == .interrupted { for _ in 0..<10 { sched_yield() } }
        }
    }

    /// What somebody was told of one operation.
    private final class Story: Sendable {
        let states = Lock<[Operation.ExecutionState]>([])
        private let token = Lock<ObservationToken?>(nil)

        init(of operation: Operation) {
            let token = operation.observe { [states] state in states.withLock { $0.append(state) } }
            self.token.withLock { $0 = token }
        }
    }

    /// A thread's part in it.
    private struct User {
        let queue: OperationQueue
        /// What has been added, in that order, so that no dependency leads to one that comes later.
        let known: Lock<[Operation]>
        let stories: Lock<[Story]>
        var random: SeededRandom
        private var token: ObservationToken?

        init(_ queue: OperationQueue, _ known: Lock<[Operation]>, _ stories: Lock<[Story]>, seed: Int) {
            (self.queue, self.known, self.stories) = (queue, known, stories)
            random = SeededRandom(seed: UInt64(seed))
        }

        private mutating func choose<Value>(_ values: [Value]) -> Value {
            values[Int.random(in: 0..<values.count, using: &random)]
        }

        private mutating func make() -> Operation {
            let operation = choose([false, true, true]) ? BlockOperation {} : Own(choose(Own.Cancelling.allCases))
            if choose([true, false, false]) { operation.queuePriority = choose([.veryLow, .low, .high, .veryHigh]) }
            if choose([true, false, false, false]), let dependency = known.withLock({ $0.last }) {
                operation.addDependency(dependency)
            }
            if choose([true, false, false, false]) {
                operation.qualityOfService = choose([.background, .userInteractive])
            }
            if choose([true, false, false, false, false, false]) {
                operation.exclusionKeys = Set(choose([["a"], ["b"], ["a", "b"]]).map { ExclusionKey($0) })
            }
            if choose([true, false, false, false, false, false]) {
                stories.withLock { $0.append(Story(of: operation)) }
            }
            return operation
        }

        private mutating func addSeveral() {
            let count = Int.random(in: 1...40, using: &random)
            let operations = (0..<count).map { _ in make() }
            queue.addOperations(operations, waitUntilFinished: false)
            known.withLock { $0 += operations }
        }

        mutating func act() {
            switch Int.random(in: 0..<17, using: &random) {
            case 0...3:
                let operation = make()
                queue.addOperation(operation)
                known.withLock { $0.append(operation) }
            case 4...5: addSeveral()
            case 6...7: queue.addBarrierBlock {}
            case 8: queue.cancelAllOperations()
            case 9: queue.executionOrder = choose([.fifo, .lifo])
            case 10:
                queue.isSuspended = true
                queue.isSuspended = false
            case 11:
                queue.maxConcurrentOperationCount = 0
                queue.maxConcurrentOperationCount = choose([1, 2, -1])
            case 12: token = choose([nil, queue.observe { _ in }])
            case 13: queue.qualityOfService = choose([.background, .utility, .userInteractive])
            case 14: queue.rateLimit = choose([nil, RateLimit(1_000, per: .milliseconds(1))])
            case 15: XCTAssertLessThanOrEqual(queue.operations.count, known.withLock { $0.count } + 200)
            default:
                for operation in known.withLock({ $0.suffix(5) }) {
                    operation.queuePriority = choose([.veryLow, .normal, .veryHigh])
                }
            }
        }
    }

    func testAllEnd() {
        for round in 0..<many(60, sanitized: 25) {
            let (queue, known, stories) = (makeQueue(width: 2), Lock<[Operation]>([]), Lock<[Story]>([]))
            // So that what is done in parts is.
            let most = [1, 2, 7, 64][round % 4]
            queue.core.monitor.withLock { queue.core.state.operationsPerLock = most }
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                var user = User(queue, known, stories, seed: round * 4 + thread)
                for _ in 0..<150 { user.act() }
            }
            queue.maxConcurrentOperationCount = 2
            finishes(queue, within: 30)
            let left = known.withLock { $0.filter { !$0.isFinished } }
            guard left.isEmpty else { return XCTFail("In round \(round) \(left.count) are left.") }
            let told = stories.withLock { $0 }
            guard eventually(within: 30, { told.allSatisfy { $0.states.withLock { $0.last == .finished } } }) else {
                return
            }
            for story in told {
                let states = story.states.withLock { $0 }
                XCTAssert(
                    [[.ready, .executing, .finished], [.ready, .finished], [.finished]].contains(states), "\(states)")
            }
        }
    }
}
