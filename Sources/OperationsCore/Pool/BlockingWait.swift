/// A wait that is about to block a thread: what a pool without threads is told of it, so that it can run what ends it.
package struct BlockingWait: Sendable {
    /// Whether its end has come.
    package let isOver: @Sendable () -> Bool
    /// What waits; nil outside of all queues' work.
    private let place: (core: QueueCore, number: UInt64?)?
    private let target: Target

    private enum Target {
        case known(QueueCore.WaitTarget)
        /// Something else, in words.
        case other(String)
    }

    init(
        for target: QueueCore.WaitTarget, at place: (core: QueueCore, number: UInt64?)?,
        until isOver: @escaping @Sendable () -> Bool
    ) {
        self.target = .known(target)
        self.place = place
        self.isOver = isOver
    }

    /// - Parameter target: What is waited for, in words.
    init(
        for target: String, at place: (core: QueueCore, number: UInt64?)?, until isOver: @escaping @Sendable () -> Bool
    ) {
        self.target = .other(target)
        self.place = place
        self.isOver = isOver
    }

    /// Who waits for what, as the beginning of a sentence.
    package var description: String { "\(waiting) waits for \(awaited)" }

    /// What the diagnostics of the queues say that have to do with it.
    package var findings: [String] {
        var cores = place.map { [$0.core] } ?? []
        if case .known(let target) = target, let core = Self.core(of: target), !cores.contains(where: { $0 === core }) {
            cores.append(core)
        }
        return cores.flatMap { $0.diagnose().issues.map(\.description) }
    }

    private var waiting: String {
        guard let (core, number) = place else { return "code outside of the queues" }
        guard let number else { return "a barrier of queue '\(core.name)'" }
        let operation = core.operations.first { $0.sequence == number }
        return "operation '\(operation?.label ?? "")' of queue '\(core.name)'"
    }

    private var awaited: String {
        switch target {
        case .known(.operation(let operation)):
            "operation '\(operation.label)'" + (operation.core.map { " of queue '\($0.name)'" } ?? "")
        case .known(.queue(let core)): "all operations of queue '\(core.name)'"
        case .other(let words): words
        }
    }

    private static func core(of target: QueueCore.WaitTarget) -> QueueCore? {
        switch target {
        case .operation(let operation): operation.core
        case .queue(let core): core
        }
    }
}
