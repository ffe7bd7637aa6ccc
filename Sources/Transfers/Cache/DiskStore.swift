import Glibc
package import OperationsCore

package import struct FoundationEssentials.Data

/// Bodies on disk, each with a record of what is known of it, under keys: as many as a limit in bytes allows.
///
/// Many processes can share a folder. Nothing happens on the caller's thread: the files are opened, read and written by one thread
/// at a time of the store's own queue. Reads come first, but none before a change of its key that was asked for earlier. The limit
/// holds at every moment, for all of the store's files together; what was not used for longest makes room for what is new, and a body
/// of more than a sixteenth of the limit is not stored.
///
/// Where it cannot work it steps back: nothing is found, and nothing is stored. A damaged database is deleted and begun anew.
package final class DiskStore<Record: StoredRecord>: Sendable {
    struct State {
        var condition = DiskCache.Condition.ready
        var statistics = DiskCache.Statistics()
        /// Bytes of bodies that wait to be stored.
        var backlog = 0
        /// Keys whose changes wait to be written, and how many of them.
        var changes: [String: Int] = [:]
        var limits: CacheLimits
    }

    /// Where the files are read and written, one at a time.
    package let queue = OperationQueue()
    /// Tells the time of day.
    package let clock: WallClock
    /// The most bytes that all files take together.
    package var limit: Int { limits.total }
    /// The most bytes of a body that is stored.
    package var mostBodyBytes: Int { limits.bodyBytes }
    let folder: CacheFolder
    let longestUnused: Int?
    let state: Lock<State>
    let files: Files
    let onCondition: @Sendable (DiskCache.Condition) -> Void

    /// Bodies that may wait to be stored, in bytes.
    private static var largestBacklog: Int { 32_000_000 }

    /// - Parameters:
    ///   - folder: The path of the folder; made when it is first needed. Other files in it are left alone.
    ///   - limit: The most bytes that all files take together, at least 4 MiB.
    ///   - longestUnused: After how many seconds without a use a body goes when others are stored; nil for never.
    ///   - clock: Tells the time of day.
    ///   - onCondition: Called when the condition has changed, on a thread of the engine.
    package init(
        folder: String, limit: Int, longestUnused: Int? = nil, clock: WallClock,
        onCondition: @escaping @Sendable (DiskCache.Condition) -> Void
    ) {
        self.folder = CacheFolder(path: folder, kind: Record.kind)
        let limits = CacheLimits(total: limit)
        state = Lock(State(limits: limits))
        files = Files(limits)
        self.longestUnused = longestUnused
        self.clock = clock
        self.onCondition = onCondition
        queue.name = "Cache queue"
        queue.maxConcurrentOperationCount = 1
    }

    private var limits: CacheLimits { state.withLock { $0.limits } }

    /// Whether it works.
    package var condition: DiskCache.Condition { state.withLock { $0.condition } }

    /// What it did so far.
    package var statistics: DiskCache.Statistics { state.withLock { $0.statistics } }

    /// Waits until everything that was given to it is on disk, or cannot be written now.
    package func flush() async {
        await withCheckedContinuation { continuation in
            queue.addBarrierBlock { [self] in
                // The process may end before a pause does, and the next one would use what was replaced.
                if files.unwritten.areCertain { files.pauses = CachePauses() }
                perform(writing: true) { store throws(SQLiteError) in try store.flushUses(now: clock.now) }
                continuation.resume()
            }
        }
    }

    // MARK: For clients

    /// Looks a record up; `then` is called on the store's queue, unless the operation is cancelled before it began.
    package func lookUp(_ key: String, then: @escaping @Sendable (Record?) -> Void) -> Operation {
        enqueueLookUp(of: [key]) { [self] in
            state.withLock { $0.statistics.lookups += 1 }
            then(record(for: key))
        }
    }

    /// Reads the body of a record; `then` is called as with ``lookUp(_:then:)``, with nil if it is not there any more.
    package func readBody(
        of record: Record, for key: String, then: @escaping @Sendable (Data?) -> Void
    ) -> Operation {
        enqueue(.high) { [self] in then(body(of: record, for: key)) }
    }

    /// Looks records up and reads their bodies; `then` is called as with ``lookUp(_:then:)``, with those that are there.
    /// - Parameter isWanted: Says of a record whether it is of use; one that is not goes.
    package func read(
        _ keys: [String], isWanted: @escaping @Sendable (Record) -> Bool,
        then: @escaping @Sendable ([String: (record: Record, body: Data)]) -> Void
    ) -> Operation {
        enqueueLookUp(of: keys) { [self] in
            state.withLock { $0.statistics.lookups += keys.count }
            var found: [String: (record: Record, body: Data)] = [:]
            for key in keys {
                guard let record = record(for: key) else { continue }
                guard isWanted(record) else {
                    remove(key)
                    continue
                }
                if let body = body(of: record, for: key) { found[key] = (record, body) }
            }
            then(found)
        }
    }

    /// Whether so much waits to be stored that more has to wait.
    package var isBehind: Bool { state.withLock { $0.backlog > Self.largestBacklog } }

    /// Stores a body, later. Of one that is too large to be stored nothing stays, also not what was stored before.
    ///
    /// - Parameter whenTaken: Called when the caller may go on: at once, unless very much waits to be stored already. Default:
    ///   nobody waits.
    package func store(
        _ record: Record, _ body: Data, for key: String, whenTaken: @escaping @Sendable () -> Void = {}
    ) {
        guard body.count <= limits.bodyBytes else {
            // What was stored before is not what there is now.
            remove([key])
            return whenTaken()
        }
        let waits = state.withLock { state in
            state.backlog += body.count
            return state.backlog > Self.largestBacklog
        }
        enqueueChange(of: [key]) { [self] in
            let now = clock.now
            if files.areTooLarge { _ = fit() }
            let isStored = perform(writing: true) { store throws(SQLiteError) in
                try store.store(record, body, for: key, now: now, notUsedSince: longestUnused.map { now - $0 })
            }
            switch isStored {
            case true?: break
            // Another process with a higher limit may have made the files larger than this one's allows.
            case false?: perform(writing: true) { store throws(SQLiteError) in try shrinkIfTooLarge(store) }
            // What was stored before is not what there is now.
            case nil:
                switch has(key) {
                case true?: files.unwritten.remove(key)
                case false?: break
                case nil: files.unwritten.replace(key)
                }
            }
            state.withLock { state in
                state.backlog -= body.count
                if isStored == true { state.statistics.stored += 1 }
            }
            if waits { whenTaken() }
        }
        if !waits { whenTaken() }
    }

    /// Replaces what is known of a body, later.
    func update(_ record: Record, for key: String) {
        enqueueChange(of: [key]) { [self] in
            let isDone: Void? = perform(writing: true) { store throws(SQLiteError) in
                try store.update(record, for: key, now: clock.now)
            }
            if isDone == nil { files.unwritten.update(record, for: key) }
        }
    }

    /// Forgets bodies, later, also those under keys that begin with one of these and a space if `withVariants`; `then` is called
    /// when they are gone.
    func remove(_ keys: [String], withVariants: Bool = false, then: @escaping @Sendable () -> Void = {}) {
        enqueueChange(of: keys) { [self] in
            let isDone: Void? = perform(writing: true) { store throws(SQLiteError) in
                for key in keys { try store.remove(key, withVariants: withVariants) }
            }
            if isDone == nil { for key in keys { files.unwritten.remove(key, withVariants: withVariants) } }
            then()
        }
    }

    /// Forgets a body, later.
    package func remove(_ key: String) { remove([key]) }

    /// Calls a closure when all that was to be written until now is written.
    func afterAll(_ then: @escaping @Sendable () -> Void) { _ = enqueue(.normal, then) }

    /// Counts the bytes that what is stored takes; `then` is called on the store's queue, with nil if that cannot be read.
    func measure(then: @escaping @Sendable (Int?) -> Void) {
        _ = enqueue(.normal) { [self] in
            if files.store?.isCurrent == false { files.store = nil }
            // Nothing is made only to find that it is empty.
            guard files.store != nil || !folder.numbers.isEmpty else { return then(0) }
            then(perform { store throws(SQLiteError) in try store.usedBytes() })
        }
    }

    /// Deletes all that was given to it until now; `then` is called on the store's queue, with why a file could not be deleted.
    func clear(then: @escaping @Sendable (String?) -> Void) {
        _ = enqueue(.normal) { [self] in
            files.store = nil
            let failure = folder.clear()
            // A disk that was full has room now.
            files.pauses = CachePauses()
            files.unwritten = UnwrittenChanges()
            then(failure.map { "\(folder.path): \(String(cString: strerror($0)))" })
        }
    }

    /// Has another limit hold; `then` is called on the store's queue when the files are within it, or cannot be.
    func setLimit(_ limit: Int, then: @escaping @Sendable () -> Void) {
        let limits = CacheLimits(total: limit)
        state.withLock { $0.limits = limits }
        _ = enqueue(.normal) { [self] in
            // Under the limit that they had: those that cannot be made smaller do not count as damaged.
            if !folder.numbers.isEmpty { _ = openStore() }
            files.limits = limits
            files.areTooLarge = files.store != nil
            fitBitByBit(then)
        }
    }

    func fitBitByBit(_ then: @escaping @Sendable () -> Void) {
        guard fit() else { return then() }
        // What somebody looks for comes in between.
        _ = enqueue(.low) { [self] in fitBitByBit(then) }
    }

    /// Adds a change, which lookups of its keys that come later wait for.
    private func enqueueChange(of keys: [String], _ block: @escaping @Sendable () -> Void) {
        state.withLock { state in
            for key in keys { state.changes[key, default: 0] += 1 }
        }
        _ = enqueue(.normal) { [self] in
            block()
            state.withLock { state in
                for key in keys { state.changes[key] = state.changes[key].flatMap { $0 > 1 ? $0 - 1 : nil } }
            }
        }
    }

    /// Adds a lookup before all changes, unless there are some of its keys: then behind them, as what they replace would be found.
    private func enqueueLookUp(of keys: [String], _ block: @escaping @Sendable () -> Void) -> Operation {
        let isChanging = state.withLock { state in keys.contains { state.changes[$0] != nil } }
        return enqueue(isChanging ? .normal : .high, block)
    }

    func enqueue(
        _ priority: Operation.QueuePriority, _ block: @escaping @Sendable () -> Void
    ) -> Operation {
        let operation = BlockOperation(block: block)
        operation.queuePriority = priority
        queue.addOperation(operation)
        return operation
    }
}
