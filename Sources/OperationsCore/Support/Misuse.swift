import Foundation

/// The messages of traps: each names the operation and the mistake.
enum Misuse {
    /// Traps with a message unless `condition` holds.
    ///
    /// A failed precondition says nothing in a release build, which is where people meet the mistake.
    @inline(__always)
    static func require(_ condition: Bool, _ message: @autoclosure () -> String) {
        if !condition { trap(message()) }
    }

    @inline(never)
    private static func trap(_ message: String) -> Never {
        fatalError(message)
    }

    static func dependsOnItself(_ operation: Operation) -> String {
        "Operation '\(operation.label)' was made to depend on itself."
    }

    static func added(_ operation: Operation, to queue: String) -> String {
        let label = operation.label
        switch operation.state.phase {
        case .finished: return "Operation '\(label)' was added to queue '\(queue)' after it had finished."
        case .idle where operation.hasStartedByItself,
            .starting where !operation.state.isEnqueued, .executing where !operation.state.isEnqueued:
            return "Operation '\(label)' was added to queue '\(queue)' after it had been started by hand."
        default:
            let other = operation.core?.name ?? queue
            return other == queue
                ? "Operation '\(label)' was added to queue '\(queue)' twice."
                : "Operation '\(label)' was added to queue '\(queue)' while it is in queue '\(other)'."
        }
    }

    static func started(_ operation: Operation) -> String {
        operation.state.phase == .idle
            ? "Operation '\(operation.label)' was started before its dependencies had finished."
            : "Operation '\(operation.label)' was started by hand while it is in a queue, which will start it."
    }

    static func waitedForItself(_ operation: Operation) -> String {
        "Operation '\(operation.label)' waits for itself to finish."
    }

    static func waitedOnMainThread(_ operation: Operation) -> String {
        "The main thread waits for operation '\(operation.label)' of the main queue, which only that thread can start."
    }

    static func waitedForOwnQueue(_ queue: String, in operation: Operation) -> String {
        "Operation '\(operation.label)' waits for all operations of its own queue '\(queue)', itself among them."
    }

    static func waitedForOwnQueue(_ queue: String) -> String {
        "A barrier of queue '\(queue)' waits for all operations of that queue, and holds them up."
    }

    static func waitedForMainQueue() -> String {
        "The main thread waits for all operations of the main queue, which only that thread can run."
    }

    static func blockAfterStart(_ operation: Operation) -> String {
        "A block was added to operation '\(operation.label)' after it had started."
    }

    static func width(_ count: Int, of queue: String) -> String {
        "Queue '\(queue)' was given \(count) as maxConcurrentOperationCount: it is 0 or more, or -1 for the default."
    }

    static func underlyingQueue(of queue: String) -> String {
        "Queue '\(queue)' was given another underlyingQueue while it has operations."
    }
}
