/// Finds out whether a wait can end: it cannot if all that could end it waits as well, in whatever queues.
///
/// It goes through all that the answer depends on, and takes off from there what can end: what is left never does. So it takes
/// time in proportion to the waits and dependencies, however they are linked, and what it has found out is not asked again.
/// It takes no lock for the whole, so that of queues at work the answer is an impression; where nothing can end any
/// more nothing changes, and the answer is right.
struct EndlessWait {
    /// What may come to an end, or to a beginning.
    private enum Subject {
        /// The operation finishes.
        case operation(Operation)
        /// What one that runs waits for ends, by its number in the queue; nil for a barrier.
        case work(QueueCore, UInt64?)
        /// A place in the queue becomes free.
        case place(QueueCore)
        /// The queue's first barrier finishes.
        case barrier(QueueCore)
        /// The queue has nothing left.
        case queue(QueueCore)

        enum Key: Hashable {
            case operation(ObjectIdentifier)
            case work(ObjectIdentifier, UInt64?)
            case place(ObjectIdentifier)
            case barrier(ObjectIdentifier)
            case queue(ObjectIdentifier)
        }

        var key: Key {
            switch self {
            case .operation(let operation): .operation(ObjectIdentifier(operation))
            case .work(let core, let number): .work(ObjectIdentifier(core), number)
            case .place(let core): .place(ObjectIdentifier(core))
            case .barrier(let core): .barrier(ObjectIdentifier(core))
            case .queue(let core): .queue(ObjectIdentifier(core))
            }
        }

        init(_ target: QueueCore.WaitTarget) {
            switch target {
            case .operation(let operation): self = .operation(operation)
            case .queue(let core): self = .queue(core)
            }
        }
    }

    /// When a subject ends.
    private enum Condition {
        /// When all of these have.
        case all([Subject])
        /// When one of these has.
        case one(of: [Subject])

        /// It does, or may, by what is at work.
        static let met = Condition.all([])
        /// Only when somebody outside resumes a queue, widens it, or cancels.
        static let never = Condition.one(of: [])

        /// How many of how many.
        var need: (count: Int, subjects: [Subject]) {
            switch self {
            case .all(let subjects): (subjects.count, subjects)
            case .one(let subjects): (subjects.isEmpty ? .max : 1, subjects)
            }
        }
    }

    /// Whether what was asked about never ends.
    private var known: [Subject.Key: Bool] = [:]
    private var holds: [ObjectIdentifier: QueueCore.Holds] = [:]

    /// True if `operation` can never finish, unless somebody outside resumes a queue, widens it or cancels.
    mutating func isEndless(for operation: Operation) -> Bool { isEndless(.operation(operation)) }

    /// True if what somebody waits for never comes.
    mutating func isEndless(for target: QueueCore.WaitTarget) -> Bool { isEndless(Subject(target)) }

    private mutating func isEndless(_ subject: Subject) -> Bool {
        if known[subject.key] == nil { findOut(subject) }
        return known[subject.key] ?? false
    }

    // MARK: Going through

    private struct Node {
        let subject: Subject
        /// How many of those that it depends on have to end until it does.
        var missing = 0
        /// Those that depend on it.
        var dependents: [Int] = []
    }

    /// Finds out about a subject and all that it depends on.
    private mutating func findOut(_ first: Subject) {
        var nodes = [Node(subject: first)]
        var places = [first.key: 0]
        var current = 0
        while current < nodes.count {
            let (count, subjects) = condition(of: nodes[current].subject).need
            nodes[current].missing = count
            for subject in subjects {
                let key = subject.key
                if let isEndless = known[key] {
                    if !isEndless { nodes[current].missing -= 1 }
                    continue
                }
                let place = places[key] ?? nodes.count
                if place == nodes.count {
                    places[key] = place
                    nodes.append(Node(subject: subject))
                }
                nodes[place].dependents.append(current)
            }
            current += 1
        }
        var ending = nodes.indices.filter { nodes[$0].missing <= 0 }
        while let place = ending.popLast() {
            for dependent in nodes[place].dependents {
                nodes[dependent].missing -= 1
                if nodes[dependent].missing == 0 { ending.append(dependent) }
            }
        }
        for node in nodes { known[node.subject.key] = node.missing > 0 }
    }

    // MARK: What ends what

    private mutating func condition(of subject: Subject) -> Condition {
        switch subject {
        case .operation(let operation): return condition(of: operation)
        case .work(let core, let number):
            let holds = holds(of: core)
            let targets = number.map { holds.targets[$0] ?? [] } ?? holds.barrierTargets
            return .all(targets.map { Subject($0) })
        case .place(let core):
            let holds = holds(of: core)
            if holds.isSuspended { return .never }
            guard holds.isFull, holds.waiting >= holds.running else { return .met }
            let barrier = holds.barrierTargets.isEmpty ? [] : [Subject.work(core, nil)]
            return .one(of: barrier + holds.targets.keys.map { .work(core, $0) })
        case .barrier(let core):
            let holds = holds(of: core)
            if holds.isBarrierRunning { return .all([.work(core, nil)]) }
            return .all([.place(core)] + holds.beforeBarrier.map { .operation($0) })
        case .queue(let core):
            let holds = holds(of: core)
            // In one in which somebody is at work nothing is looked at yet.
            if holds.running > holds.waiting { return .met }
            let barrier = holds.barriers.isEmpty ? [] : [Subject.barrier(core)]
            return .all(barrier + core.operations.map { .operation($0) })
        }
    }

    private mutating func condition(of operation: Operation) -> Condition {
        let state = operation.state
        guard !state.isFinished, let core = operation.enqueuedCore else { return .met }
        if state.hasBegun { return .all([.work(core, operation.sequence)]) }
        let holds = holds(of: core)
        if holds.isSuspended { return .never }
        var all = [Subject.place(core)]
        if let barrier = holds.barriers.first, barrier < operation.numberInQueue { all.append(.barrier(core)) }
        if state.phase == .parked, let holder = operation.keyHolder { all.append(.operation(holder)) }
        if !state.isUnhindered { all += operation.dependencies.map { .operation($0) } }
        return .all(all)
    }

    private mutating func holds(of core: QueueCore) -> QueueCore.Holds {
        if let holds = holds[ObjectIdentifier(core)] { return holds }
        let made = core.holds
        holds[ObjectIdentifier(core)] = made
        return made
    }
}
