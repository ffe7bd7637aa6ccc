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
        /// The same of a wait for all operations and barriers of a queue, of which some cannot end before it, or are held by a
        /// suspended queue.
        case endlessWaitForQueue(waiting: String?, queue: String)
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
                "\(Self.name(waiting)) waits for operation '\(target)', which cannot end before it."
            case .endlessWaitForQueue(let waiting, let queue):
                "\(Self.name(waiting)) waits for all operations of queue '\(queue)', of which some cannot end before it."
            case .saysNotReady(let operation):
                "Operation '\(operation)' has no unfinished dependencies, but its isReady is false."
            }
        }

        /// Who waits, at the beginning of a sentence.
        private static func name(_ waiting: String?) -> String { waiting.map { "Operation '\($0)'" } ?? "A barrier" }
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
                issues += search.cycles(from: operation).map { .cycle(path: $0.map(\.label)) }
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
        // They are in the order of adding.
        let next = barriers[barriers.partitioningIndex { $0 >= operation.sequence }...].first
        return operation.dependencies.compactMap { dependency in
            switch dependency.state.phase {
            case .idle:
                // A subclass with a start() of its own may be at work.
                guard !dependency.isExecuting, !dependency.isFinished else { return nil }
                return .dependencyNotEnqueued(operation: operation.label, dependency: dependency.label)
            case .finished: return nil
            default:
                guard dependency.enqueuedCore === self else { return nil }
                let isBlocked = next.map { $0 < dependency.numberInQueue } ?? false
                return isBlocked ? .blockedByBarrier(operation: operation.label, dependency: dependency.label) : nil
            }
        }
    }
}

/// A depth-first search for cycles among dependencies, without recursion, that visits no operation twice.
struct CycleSearch {
    /// One operation on the path from where the search began.
    private struct Step {
        let operation: Operation
        /// Its dependencies that were not looked at.
        var open: [Operation]
        /// The last step up to here that is part of a cycle which was found; -1 for none.
        var lastFound: Int
    }

    private var visited: Set<ObjectIdentifier> = []

    /// Cycles that are found from `start` on: each of their operations depends on the next. None is in two of them, so that they
    /// are no more than the operations; where one is broken another may come up.
    mutating func cycles(from start: Operation) -> [[Operation]] {
        var path: [Step] = []
        var places: [ObjectIdentifier: Int] = [:]
        var cycles: [[Operation]] = []

        func enter(_ operation: Operation) {
            places[ObjectIdentifier(operation)] = path.count
            let open = operation.dependencies.filter { !$0.state.isFinished && !$0.state.isCancelled }
            path.append(Step(operation: operation, open: open, lastFound: path.last?.lastFound ?? -1))
        }

        guard visited.insert(ObjectIdentifier(start)).inserted else { return [] }
        enter(start)
        while let last = path.indices.last {
            guard let next = path[last].open.popLast() else {
                places[ObjectIdentifier(path.removeLast().operation)] = nil
                continue
            }
            if let first = places[ObjectIdentifier(next)] {
                guard path[last].lastFound < first else { continue }
                cycles.append(path[first...].map(\.operation))
                for index in first...last { path[index].lastFound = index }
            } else if visited.insert(ObjectIdentifier(next)).inserted {
                enter(next)
            }
        }
        return cycles
    }
}
