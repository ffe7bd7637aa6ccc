import Glibc
import OperationsCore

import struct FoundationEssentials.Data

/// Answers that came over HTTP, kept on disk by HTTP's rules for a private cache (RFC 9111).
///
/// One cache can serve many clients, and many processes can share a folder. Nothing happens on the caller's thread: the files are
/// opened, read and written by one thread at a time of the cache's own queue, reads first.
///
/// The limit holds at every moment, for all of the cache's files together. What was not used for longest makes room
/// for what is new, and a body of more than a sixteenth of the limit is not stored. Answers to requests with user and
/// password are not stored, those to requests with other headers (``DownloadRequest/headers``) are for requests with the same
/// ones, and the files can be read by their owner only. An address is written as its SHA-256, and the one
/// that answered, which a response from the cache names, without a query that looks like a signature or a token: signed
/// addresses let in whoever reads them. That something is not there (404, 410 and the like)
/// is stored for as long as the server says, five minutes at most; faults that may pass are not.
///
/// Where the cache cannot work it steps back (see ``condition``): transfers go on without it. A damaged database is
/// deleted and begun anew; a body that was changed on disk is found by its checksum, and fetched again.
public final class DiskCache: Sendable {
    /// Whether the cache works.
    public enum Condition: Hashable, Sendable {
        /// It works, or was not needed yet.
        case ready
        /// It can be read but not written; the text says why. It is tried again after half a minute.
        case readOnly(String)
        /// The disk is full, so that nothing is stored. It is tried again after half a minute.
        case diskFull
        /// It can be neither read nor written; the text says why. It is tried again after half a minute.
        case unavailable(String)
    }

    /// What a cache did since it was made.
    public struct Statistics: Hashable, Sendable {
        /// How often the disk was asked for an answer.
        public var lookups = 0
        /// How many bodies were read.
        public var bodiesRead = 0
        /// How many answers were stored.
        public var stored = 0
        /// How many bodies were found to be changed on disk.
        public var damagedBodies = 0
        /// How many databases were found to be damaged and begun anew.
        public var damagedDatabases = 0
        /// What SQLite said of the last of those: its message, its extended result code, and what was to be done; nil if there
        /// was none.
        public var lastDamage: String?
    }

    /// The clock by which answers grow stale.
    public let clock: WallClock
    /// The most bytes that all of the cache's files take together.
    public var limit: Int { limits.total }
    /// Where the files are read and written, one at a time.
    let queue = OperationQueue()

    private struct State {
        var condition = Condition.ready
        var statistics = Statistics()
        /// Bytes of bodies that wait to be stored.
        var backlog = 0
        var revalidating: Set<String> = []
    }

    /// What only the queue's one operation at a time touches, which makes `@unchecked Sendable` true.
    private final class Files: @unchecked Sendable {
        var store: CacheStore?
        /// Before this time nothing is opened, and before this nothing is written.
        var opensAgainAt = Int.min
        var writesAgainAt = Int.min
    }

    private let folder: CacheFolder
    private let limits: CacheLimits
    private let state = Lock(State())
    private let files = Files()
    private let onCondition: @Sendable (Condition) -> Void

    /// How long it is left alone after a failure, in seconds.
    private static let pause = 30
    /// Bodies that may wait to be stored, in bytes; with more of them transfers wait.
    private static let largestBacklog = 32_000_000

    /// A cache in a folder.
    /// - Parameters:
    ///   - folder: The path of the folder; made when it is first needed. Other files in it are left alone.
    ///   - limit: The most bytes that all files take together, at least 4 MiB. Default: 512 MB.
    ///   - clock: Tells the time of day. Default: the machine's.
    ///   - onCondition: Called when ``condition`` has changed, on a thread of the engine.
    public init(
        folder: String, limit: Int = 512_000_000, clock: WallClock = .system,
        onCondition: @escaping @Sendable (Condition) -> Void = { _ in }
    ) {
        self.folder = CacheFolder(path: folder)
        limits = CacheLimits(total: limit)
        self.clock = clock
        self.onCondition = onCondition
        queue.name = "Cache queue"
        queue.maxConcurrentOperationCount = 1
    }

    /// The folder for caches of this user: `classicphotos` in `XDG_CACHE_HOME`, or in `.cache` in the home folder; nil if
    /// the environment names neither.
    public static var standardFolder: String? {
        func variable(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        let caches = variable("XDG_CACHE_HOME") ?? variable("HOME").map { $0 + "/.cache" }
        return caches.map { $0 + "/classicphotos" }
    }

    /// Whether it works; see ``Condition``.
    public var condition: Condition { state.withLock { $0.condition } }

    /// What it did so far.
    public var statistics: Statistics { state.withLock { $0.statistics } }

    /// Waits until everything that was given to it is on disk.
    public func flush() async {
        await withCheckedContinuation { continuation in
            queue.addBarrierBlock { [self] in
                perform(writing: true) { store throws(SQLiteError) in try store.flushUses() }
                continuation.resume()
            }
        }
    }

    // MARK: For downloads

    /// Looks an answer up; `then` is called on the cache's queue, unless the operation is cancelled before it began.
    func lookUp(_ key: String, then: @escaping @Sendable (CacheRecord?) -> Void) -> Operation {
        enqueue(.high) { [self] in
            state.withLock { $0.statistics.lookups += 1 }
            then(perform { store throws(SQLiteError) in try store.record(for: key) } ?? nil)
        }
    }

    /// Reads the body of a record; `then` is called as with ``lookUp(_:then:)``, with nil if it is not there any more.
    func readBody(
        of record: CacheRecord, for key: String, then: @escaping @Sendable (Data?) -> Void
    ) -> Operation {
        enqueue(.high) { [self] in
            let now = clock.now
            let body =
                perform { store throws(SQLiteError) in
                    let body = try store.body(of: record, for: key, now: now)
                    if body == nil, try store.record(for: key) == record {
                        state.withLock { $0.statistics.damagedBodies += 1 }
                        if !store.isReadOnly { try store.remove(key) }
                    }
                    try store.noteUsesIfMany()
                    return body
                } ?? nil
            if body != nil { state.withLock { $0.statistics.bodiesRead += 1 } }
            then(body)
        }
    }

    /// Stores an answer, later.
    ///
    /// - Parameter whenTaken: Called when the caller may go on: at once, unless very much waits to be stored already.
    func store(
        _ record: CacheRecord, _ body: Data, for key: String, whenTaken: @escaping @Sendable () -> Void
    ) {
        guard body.count <= limits.bodyBytes else { return whenTaken() }
        let waits = state.withLock { state in
            state.backlog += body.count
            return state.backlog > Self.largestBacklog
        }
        let operation = enqueue(.normal) { [self] in
            let now = clock.now
            let isStored = perform(writing: true) { store throws(SQLiteError) in
                try store.store(record, body, for: key, now: now)
            }
            state.withLock { state in
                state.backlog -= body.count
                if isStored == true { state.statistics.stored += 1 }
            }
            if waits { whenTaken() }
        }
        withExtendedLifetime(operation) {}
        if !waits { whenTaken() }
    }

    /// Replaces what is known of an answer, later.
    func update(_ record: CacheRecord, for key: String) {
        _ = enqueue(.normal) { [self] in
            perform(writing: true) { store throws(SQLiteError) in try store.update(record, for: key) }
        }
    }

    /// Forgets answers, later, also those to requests with headers if `withVariants`; `then` is called when they are gone.
    func remove(_ keys: [String], withVariants: Bool = false, then: @escaping @Sendable () -> Void = {}) {
        _ = enqueue(.normal) { [self] in
            perform(writing: true) { store throws(SQLiteError) in
                for key in keys { try store.remove(key, withVariants: withVariants) }
            }
            then()
        }
    }

    /// Forgets an answer, later.
    func remove(_ key: String) { remove([key]) }

    /// Whether the caller is the one who asks the server about this answer now.
    func beginRevalidation(of key: String) -> Bool {
        state.withLock { $0.revalidating.insert(key).inserted }
    }

    /// Comes after what was found out, so that nobody asks again who has not seen that yet.
    func endRevalidation(of key: String) {
        _ = enqueue(.normal) { [self] in state.withLock { _ = $0.revalidating.remove(key) } }
    }

    private func enqueue(
        _ priority: Operation.QueuePriority, _ block: @escaping @Sendable () -> Void
    ) -> Operation {
        let operation = BlockOperation(block: block)
        operation.queuePriority = priority
        queue.addOperation(operation)
        return operation
    }

    // MARK: On the queue

    /// Does something with the database; nil if it cannot be done.
    @discardableResult
    private func perform<Result>(
        writing: Bool = false, _ work: (CacheStore) throws(SQLiteError) -> Result
    ) -> Result? {
        if writing {
            if clock.now < files.writesAgainAt { return nil }
            // Somebody deleted the file, or found it to be damaged.
            if files.store?.isCurrent == false { files.store = nil }
            // It was opened when it could only be read, which may have passed.
            if files.store?.isReadOnly == true { files.store = nil }
        }
        for _ in 0..<2 {
            guard let store = openStore() else { return nil }
            guard !(writing && store.isReadOnly) else { return nil }
            do throws(SQLiteError) {
                let result = try work(store)
                if writing { set(.ready) }
                return result
            } catch {
                // Once more after damage, with a new database.
                guard recover(from: error) else { return nil }
            }
        }
        return nil
    }

    private func openStore() -> CacheStore? {
        if let store = files.store { return store }
        guard clock.now >= files.opensAgainAt else { return nil }
        guard folder.make() else {
            stepBack(.unavailable("\(folder.path): \(String(cString: strerror(errno)))"))
            return nil
        }
        // Twice: a damaged one is replaced at once.
        for _ in 0..<2 {
            let numbers = folder.numbers
            let number = numbers.last ?? 1
            for old in numbers.dropLast() { folder.delete(old) }
            do throws(SQLiteError) {
                let store = try CacheStore(folder, number: number, limits: limits)
                files.store = store
                if store.isReadOnly { stepBack(.readOnly("\(folder.path) can only be read")) } else { set(.ready) }
                return store
            } catch {
                guard error.isDamage else {
                    // Another process is making it just now: the next request finds it.
                    if !error.isBusy { stepBackUnopened(error) }
                    return nil
                }
                abandon(number, for: error)
            }
        }
        return nil
    }

    /// Without its tables nothing can be read either, even where only the room for them is missing.
    private func stepBackUnopened(_ error: SQLiteError) {
        let isFull = error.primaryCode == SQLiteError.full
        stepBack(isFull ? .diskFull : .unavailable("\(folder.path): \(error.text)"))
        files.opensAgainAt = files.writesAgainAt
    }

    /// Takes a failure to heart; says whether to try again.
    private func recover(from error: SQLiteError) -> Bool {
        if error.isBusy { return false }
        if error.isDamage {
            let number = files.store?.number
            files.store = nil
            if let number { abandon(number, for: error) }
            return true
        }
        switch error.primaryCode {
        case SQLiteError.full: stepBack(.diskFull)
        case SQLiteError.readOnly: stepBack(.readOnly(error.text))
        default:
            // The file may have gone from under it.
            files.store = nil
            stepBack(.unavailable("\(folder.path): \(error.text)"))
        }
        return false
    }

    /// Has the next database begun, in place of a damaged one, unless another process has done so.
    private func abandon(_ number: Int, for error: SQLiteError) {
        folder.prepare(number + 1)
        folder.delete(number)
        state.withLock { state in
            state.statistics.damagedDatabases += 1
            state.statistics.lastDamage = "\(error)"
        }
    }

    private func stepBack(_ condition: Condition) {
        switch condition {
        case .ready: break
        case .readOnly, .diskFull: files.writesAgainAt = clock.now + Self.pause
        case .unavailable:
            files.opensAgainAt = clock.now + Self.pause
            files.writesAgainAt = files.opensAgainAt
        }
        set(condition)
    }

    private func set(_ condition: Condition) {
        let isNew = state.withLock { state in
            defer { state.condition = condition }
            return state.condition != condition
        }
        if isNew { onCondition(condition) }
    }
}
