import Glibc
import OperationsCore

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
        /// It can be read but not written; the text says why. It is tried again after half a minute, and after ten seconds where
        /// others write it and do not come to an end.
        case readOnly(String)
        /// The disk is full, so that nothing is stored. It is tried again after half a minute.
        case diskFull
        /// It can be neither read nor written; the text says why. It is tried again after half a minute.
        case unavailable(String)
    }

    /// A file of the cache could not be deleted.
    public struct ClearingError: Error, Hashable, Sendable, CustomStringConvertible {
        /// Where the file is, and why it is still there.
        public let text: String
        /// The same.
        public var description: String { text }
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
    /// The most bytes that all of the cache's files take together; see ``setLimit(_:)``.
    public var limit: Int { answers.limit }
    /// The files.
    let answers: DiskStore<CacheRecord>
    /// The answers that a server is being asked about, and which.
    private let revalidating = Lock<[String: WebAddress.Origin]>([:])

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
        self.clock = clock
        answers = DiskStore(folder: folder, limit: limit, clock: clock, onCondition: onCondition)
    }

    /// A limit under which nothing goes that a folder has now, for a program that was told none: another one may have a higher limit
    /// for the same folder.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder, which need not be there.
    ///   - usual: The least that is returned, in bytes. Default: 512 MB.
    public static func limit(keepingWhatIsIn folder: String, usual: Int = 512_000_000) -> Int {
        let folder = CacheFolder(path: folder, kind: CacheRecord.kind)
        let most = CacheLimits(forDatabase: folder.mostDatabaseBytes).total
        // The usual one mostly does, and then nothing is opened.
        if most <= usual { return usual }
        return max(usual, folder.databaseBytes.map { CacheLimits(forDatabase: $0).total } ?? most)
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
    public var condition: Condition { answers.condition }

    /// What it did so far.
    public var statistics: Statistics { answers.statistics }

    /// Waits until everything that was given to it is on disk.
    public func flush() async { await answers.flush() }

    /// How many bytes the answers take that are kept, also those that other processes stored; 0 if there are none, nil if that
    /// cannot be read (see ``condition``).
    public func size() async -> Int? {
        await handedOver(answers.measure)
    }

    /// Deletes all answers that were given to it until now, and their files.
    ///
    /// It can be used at once afterwards. Another process that has the files open begins anew when it stores its next answer.
    public func clear() async throws(ClearingError) {
        if let failure = await handedOver(answers.clear) { throw ClearingError(text: failure) }
    }

    /// Changes the limit, and returns when the files are within it.
    ///
    /// It counts at once for what is stored from now on. Where it was lowered, what was not used for longest goes; answers that are
    /// looked for come first, and none is stored meanwhile. Where that cannot be done now, because another process reads the
    /// files, say, it is done with the next answer that is stored. Another process goes on with its own limit.
    ///
    /// - Parameter limit: In bytes, at least 4 MiB.
    public func setLimit(_ limit: Int) async {
        await withCheckedContinuation { continuation in
            answers.setLimit(limit) { continuation.resume() }
        }
    }

    // MARK: Revalidation

    /// Whether the caller is the one who asks the server about this answer now.
    ///
    /// Few do at once, as nobody waits for what they hear: those that somebody waits for need the places. Who may not ask has an
    /// answer, and its next use asks again.
    func beginRevalidation(of key: String, at origin: WebAddress.Origin) -> Bool {
        revalidating.withLock { asked in
            guard asked[key] == nil, asked.count < 8, asked.values.count(where: { $0 == origin }) < 2 else {
                return false
            }
            asked[key] = origin
            return true
        }
    }

    /// Comes after what was found out, so that nobody asks again who has not seen that yet.
    func endRevalidation(of key: String) {
        answers.afterAll { [self] in _ = revalidating.withLock { $0.removeValue(forKey: key) } }
    }
}
