import Foundation

/// Why operations of a queue do not start or do not finish, as far as that can be told from outside.
public struct QueueDiagnostics: Sendable, CustomStringConvertible {
    /// One finding. Operations are named by their `name`, or by class and address.
    public enum Issue: Sendable, Hashable, CustomStringConvertible {
        /// Each operation of the path depends on the next, and the last on the first.
        case cycle(path: [String])
        /// A dependency is in no queue and was not started by hand.
        case dependencyNotEnqueued(operation: String, dependency: String)
        /// It was started and has returned, but says neither that it executes nor that it has finished.
        case neitherExecutingNorFinished(operation: String)
        /// An operation before a barrier depends on one behind it.
        case blockedByBarrier(operation: String, dependency: String)
        /// The operation, or a barrier if that is nil, waits for one that cannot end before it, or that a suspended queue holds.
        case endlessWait(waiting: String?, target: String)
        /// Its overridden `isReady` was false when it could have started.
        case saysNotReady(operation: String)

        /// The finding as a sentence.
        public var description: String {
            switch self {
            case .cycle(let path):
                "Operations depend on each other: \((path + path.prefix(1)).map { "'\($0)'" }.joined(separator: " -> "))."
            case .dependencyNotEnqueued(let operation, let dependency):
                "Operation '\(operation)' depends on '\(dependency)', which was added to no queue."
            case .neitherExecutingNorFinished(let operation):
                "Operation '\(operation)' was started, but neither executes nor has it finished."
            case .blockedByBarrier(let operation, let dependency):
                "Operation '\(operation)' was added before a barrier and depends on '\(dependency)' behind it."
            case .endlessWait(let waiting, let target):
                "\(waiting.map { "Operation '\($0)'" } ?? "A barrier") waits for operation '\(target)', which cannot end before it."
            case .saysNotReady(let operation):
                "Operation '\(operation)' has no unfinished dependencies, but its isReady is false."
            }
        }
    }

    /// What was found, in the order of adding, waits last; empty if nothing stands in the way.
    public let issues: [Issue]

    /// One finding a line.
    public var description: String { issues.map(\.description).joined(separator: "\n") }
}

extension OperationQueueAdditions where Self: OperationQueue {
    /// Looks at every unfinished operation of the queue for what keeps it from starting or finishing.
    ///
    /// It takes time in proportion to the operations and their dependencies, in other queues too, and no lock
    /// for all of it: of a queue at work it is an impression.
    public var diagnostics: QueueDiagnostics { core.diagnose() }
}

extension QueueCore {
    func diagnose() -> QueueDiagnostics {
        let (members, barriers) = snapshot
        var issues: [QueueDiagnostics.Issue] = []
        var search = CycleSearch()
        var waits = EndlessWait()
        for operation in members {
            switch operation.state.phase {
            case .waiting:
                if let cycle = search.cycle(through: operation) { issues.append(.cycle(path: cycle.map(\.label))) }
                issues += blockers(of: operation, barriers)
            case .parked where operation.waitsForKeys:
                guard let holder = operation.keyHolder, waits.isEndless(for: holder) else { break }
                issues.append(.endlessWait(waiting: operation.label, target: holder.label))
            case .parked: issues.append(.saysNotReady(operation: operation.label))
            case .starting, .announced, .executing:
                let isAtWork = operation.isExecuting || operation.isFinished
                if !isAtWork, operation.state.hasReturnedFromStart {
                    issues.append(.neitherExecutingNorFinished(operation: operation.label))
                }
            default: break
            }
        }
        return QueueDiagnostics(issues: issues + endlessWaits)
    }

    private func blockers(of operation: Operation, _ barriers: [UInt64]) -> [QueueDiagnostics.Issue] {
        operation.dependencies.compactMap { dependency in
            switch dependency.state.phase {
            case .idle:
                return .dependencyNotEnqueued(operation: operation.label, dependency: dependency.label)
            case .finished: return nil
            default:
                guard dependency.enqueuedCore === self else { return nil }
                let isBlocked = barriers.contains { operation.sequence < $0 && $0 < dependency.sequence }
                return isBlocked ? .blockedByBarrier(operation: operation.label, dependency: dependency.label) : nil
            }
        }
    }
}

/// A depth-first search for cycles among dependencies, without recursion, that visits no operation twice.
struct CycleSearch {
    private var visited: Set<ObjectIdentifier> = []
    /// The first cycle that is found from `start` on: each of its operations depends on the next.
    mutating func cycle(through start: Operation) -> [Operation]? {
        var path: [(operation: Operation, open: [Operation])] = []
        var onPath: Set<ObjectIdentifier> = []

        func enter(_ operation: Operation, _ path: inout [(operation: Operation, open: [Operation])]) {
            onPath.insert(ObjectIdentifier(operation))
            path.append((operation, operation.dependencies.filter { !$0.state.isFinished && !$0.state.isCancelled }))
        }

        guard visited.insert(ObjectIdentifier(start)).inserted else { return nil }
        enter(start, &path)
        while let last = path.indices.last {
            guard let next = path[last].open.popLast() else {
                onPath.remove(ObjectIdentifier(path.removeLast().operation))
                continue
            }
            if onPath.contains(ObjectIdentifier(next)) {
                let cycle = path.map(\.operation)
                return Array(cycle[(cycle.firstIndex { $0 === next } ?? 0)...])
            }
            guard visited.insert(ObjectIdentifier(next)).inserted else { continue }
            enter(next, &path)
        }
        return nil
    }
}
