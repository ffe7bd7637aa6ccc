import Operations
import Pixels

extension SharedStages {
    /// Has a stage's operations known, and noticed when they are done.
    func add(
        _ operations: [(operation: Operation, queue: OperationQueue)], to stage: SharedStage, _ joined: inout Joined
    ) {
        stage.operations = operations
        stage.memory?.retain()
        for (operation, _) in operations {
            if let label = joined.label {
                operation.name = [operation.name, label].compactMap(\.self).joined(separator: " ")
            }
            operation.completionBlock = { [weak self] in self?.operationEnded(of: stage) }
        }
        joined.new.append(stage)
    }

    // MARK: What operations tell

    /// Tells all photos of a stage what happened in it.
    func report(_ event: Photo.Event, _ entry: ScaledPicture?, from stage: SharedStage) {
        let reporters = tables.withLock { _ in
            stage.history.append(event)
            // A beginning of a filter is not the end of the longer ones.
            let members = stage.members.values.filter { $0.isLast || event != .filteringFinished }
            for member in members { member.reporter.post(event, entry) }
            return members.map(\.reporter)
        }
        for reporter in reporters { reporter.deliver() }
    }

    /// Has a stage take what came of the one before it: out of it, if it is the last that will.
    func take<Product>(for stage: SharedStage, _ product: (_ isLast: Bool) -> Product?) -> Product? {
        let (taken, released) = tables.withLock { tables -> (Product?, [PhotoMemory]) in
            guard let upstream = stage.upstream, !stage.hasTaken else { return (nil, []) }
            stage.hasTaken = true
            upstream.consumers -= 1
            upstream.users += 1
            if upstream.consumers == 0 { upstream.isSpent = true }
            let taken = product(upstream.isSpent)
            return (taken, retire(upstream, &tables))
        }
        for memory in released { memory.release() }
        return taken
    }

    /// A stage needs what it took no longer: the memory of a body is given back when the last one says so.
    func finishUsing(for stage: SharedStage) {
        let memory = tables.withLock { _ -> PhotoMemory? in
            guard let upstream = stage.upstream else { return nil }
            upstream.users -= 1
            return upstream.spentBody
        }
        memory?.hold(0, for: .body)
    }

    private func operationEnded(of stage: SharedStage) {
        if case .fetch = stage.key { report(.transferFinished, nil, from: stage) }
        let (released, isGivenUp, spentBody) = tables.withLock { tables -> ([PhotoMemory]?, Bool, PhotoMemory?) in
            stage.operationsLeft -= 1
            guard stage.hasEnded else { return (nil, false, nil) }
            var released: [PhotoMemory] = []
            var spentBody: PhotoMemory?
            if let upstream = stage.upstream, !stage.hasTaken {
                stage.hasTaken = true
                upstream.consumers -= 1
                if upstream.consumers == 0 { upstream.isSpent = true }
                spentBody = upstream.spentBody
                released += retire(upstream, &tables)
            }
            return (released + retire(stage, &tables), stage.isGivenUp, spentBody)
        }
        guard let released else { return }
        spentBody?.hold(0, for: .body)
        // The rest of what came of the body may be in use.
        if isGivenUp, let part = stage.part { stage.memory?.hold(0, for: part) }
        for memory in released { memory.release() }
        // Only now, as whoever is told that a photo is over may count on its memory.
        let handlers = tables.withLock { _ in
            defer { stage.whenEnded = [] }
            stage.isOver = true
            return stage.whenEnded
        }
        for handler in handlers { handler() }
    }

    /// Takes a stage out of the tables if it is over and nobody will take anything from it.
    ///
    /// - Returns: Memory to be released outside the lock, as that wakes others.
    private func retire(_ stage: SharedStage, _ tables: inout Tables) -> [PhotoMemory] {
        guard stage.hasEnded, stage.consumers == 0, !stage.isRetired else { return [] }
        stage.isRetired = true
        forget(stage, &tables)
        stage.operations = []
        stage.members = [:]
        return stage.memory.map { [$0] } ?? []
    }

    private func forget(_ stage: SharedStage, _ tables: inout Tables) {
        switch stage.key {
        case .fetch(let key): if tables.fetches[key] === stage { tables.fetches[key] = nil }
        case .decode(let key): if tables.decodes[key] === stage { tables.decodes[key] = nil }
        case .filter(let key): if tables.filters[key] === stage { tables.filters[key] = nil }
        case .animation(let key): if tables.animations[key] === stage { tables.animations[key] = nil }
        }
    }

    // MARK: What photos do

    /// Calls a closure when a stage and all before it are over; at once, if they are.
    func whenEnded(_ last: SharedStage, _ handler: @escaping @Sendable () -> Void) {
        let hasEnded = tables.withLock { _ in
            let running = last.way.filter { !$0.isOver }
            let left = Countdown(running.count, whenZero: handler)
            for stage in running { stage.whenEnded.append { left.countDown() } }
            return running.isEmpty
        }
        if hasEnded { handler() }
    }

    /// Takes a photo out of all stages of its way, and cancels those that nobody else wants.
    ///
    /// - Parameter whenGone: Called when the cancelled ones and those that are ending are over; at once, if there are none.
    func leave(_ last: SharedStage, _ id: ObjectIdentifier, whenGone: @escaping @Sendable () -> Void) {
        let (operations, left) = tables.withLock { tables -> ([Operation], Countdown?) in
            let gone = last.way.filter { stage in
                stage.members[id] = nil
                stage.prioritise()
                // Those who stay get what is told at the end; what has come to its end may have been told already, and the
                // last one has what came until it left.
                if stage.payer == id, !stage.hasEnded, let other = stage.members.keys.first { stage.payer = other }
                guard !stage.isRetired else { return !stage.isOver }
                guard stage.members.isEmpty, !stage.isGivenUp else { return false }
                stage.isGivenUp = true
                forget(stage, &tables)
                return !stage.isOver
            }
            guard !gone.isEmpty else { return ([], nil) }
            let left = Countdown(gone.count, whenZero: whenGone)
            for stage in gone { stage.whenEnded.append { left.countDown() } }
            // From the end, so that no stage starts because the one before it was cancelled.
            return (gone.flatMap { $0.operations.reversed().map(\.operation) }, left)
        }
        guard left != nil else { return whenGone() }
        for operation in operations { operation.cancel() }
    }

    /// Whether the bytes of a transfer are a photo's.
    func isPayer(of fetch: SharedStage, _ id: ObjectIdentifier) -> Bool {
        tables.withLock { _ in fetch.payer == id }
    }

    /// Who follows the transfer that a stage waits for; nil if it waits for none.
    func watch(of last: SharedStage) -> ArrivalWatch? {
        tables.withLock { _ in last.way.lazy.compactMap(\.watch).first }
    }

    /// Changes how urgent a photo is: the most urgent one counts in each stage.
    func prioritise(_ last: SharedStage, _ id: ObjectIdentifier, _ priority: Operation.QueuePriority) {
        tables.withLock { _ in
            for stage in last.way {
                stage.members[id]?.priority = priority
                stage.prioritise()
            }
        }
    }
}
