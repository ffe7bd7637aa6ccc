import struct FoundationEssentials.Data

/// The database of a ``DiskStore``, for one thread at a time.
///
/// A body and what is known of it are stored in one transaction of SQLite's write-ahead log: a process that is killed leaves the one
/// before or the one after, and processes can share the file. Bodies are blobs, in a table of their own, so that noting a
/// use does not copy them.
///
/// SQLite does not look over the bytes of a body, so both carry a checksum. What fails it counts as not stored.
final class CacheStore<Record: StoredRecord> {
    private let folder: CacheFolder
    var limits: CacheLimits
    /// Which of the folder's databases it is.
    let number: Int
    private let identity: UInt64?
    let connection: SQLiteConnection
    private var patience: Int32
    /// When entries were used since that was last written down.
    private var uses: [String: Int] = [:]
    private static var mostUses: Int { 128 }
    /// How many are noted where they cannot be written down.
    private static var mostNotedUses: Int { 4_096 }
    /// How many are written down at once: each may change a page of its own, and the log has room for few.
    private static var usesAtOnce: Int { 16 }

    /// Whether it can only be read.
    var isReadOnly: Bool { connection.isReadOnly }

    /// Opens database `number`.
    ///
    /// - Parameter patience: How long others are waited for, in milliseconds.
    init(_ folder: CacheFolder, number: Int, limits: CacheLimits, patience: Int32) throws(SQLiteError) {
        self.folder = folder
        self.limits = limits
        self.number = number
        self.patience = patience
        folder.prepare(number)
        guard folder.isUsable(number) else {
            throw SQLiteError(code: SQLiteError.noDatabase, text: "it is no file", action: "open")
        }
        connection = try SQLiteConnection(path: folder.database(number))
        connection.setPatience(milliseconds: patience)
        identity = folder.identity(number)
        try setUp()
        if isReadOnly { return }
        guard try canShrink else {
            guard try isTooLarge else { return }
            throw SQLiteError(
                code: SQLiteError.noDatabase, text: "it is larger than the limit, and cannot be made smaller",
                action: "open")
        }
    }

    private func setUp() throws(SQLiteError) {
        if connection.isReadOnly {
            return try check(version: connection.number("PRAGMA user_version") ?? 0)
        }
        // Others may be writing: what needs their lock is only done where there is nothing yet.
        let isNew = try connection.number("PRAGMA user_version") ?? 0 == 0
        if isNew {
            // Before the first table: afterwards they have no effect.
            try connection.run("PRAGMA page_size = \(CacheLimits.pageSize)")
            // The file can be made smaller bit by bit, when the limit is lowered.
            try connection.run("PRAGMA auto_vacuum = INCREMENTAL")
        }
        try connection.run("PRAGMA journal_mode = WAL")
        // The log is not synchronised with the disk, the database is before the log begins anew: a power failure can lose
        // the newest entries and no others.
        try connection.run("PRAGMA synchronous = NORMAL")
        try boundLog()
        // Debian's SQLite would otherwise overwrite what is evicted.
        try connection.run("PRAGMA secure_delete = OFF")
        if isNew { try makeTables() } else { try check(version: connection.number("PRAGMA user_version") ?? 0) }
    }

    private func makeTables() throws(SQLiteError) {
        try connection.run("BEGIN IMMEDIATE")
        do throws(SQLiteError) {
            let version = try connection.number("PRAGMA user_version") ?? 0
            if version == 0 {
                try connection.run(
                    """
                    CREATE TABLE entry (
                        id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, record BLOB NOT NULL, checksum INTEGER NOT NULL,
                        pages INTEGER NOT NULL, used INTEGER NOT NULL) STRICT
                    """)
                try connection.run("CREATE INDEX entry_used ON entry (used)")
                try connection.run("CREATE TABLE body (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT")
                try connection.run("PRAGMA user_version = \(CacheFolder.schema)")
            } else {
                try check(version: version)
            }
            try connection.run("COMMIT")
        } catch {
            try? connection.run("ROLLBACK")
            throw error
        }
    }

    func boundLog() throws(SQLiteError) {
        try connection.run("PRAGMA wal_autocheckpoint = \(limits.checkpointPages)")
        try connection.run("PRAGMA journal_size_limit = \(limits.logBytes / 2)")
    }

    private func check(version: Int) throws(SQLiteError) {
        guard version != CacheFolder.schema else { return }
        throw SQLiteError(code: SQLiteError.noDatabase, text: "it has tables of version \(version)", action: "open")
    }

    /// Waits so long for others.
    func setPatience(milliseconds: Int32) {
        patience = milliseconds
        connection.setPatience(milliseconds: milliseconds)
    }

    /// Whether the file is still the one that is found under its name.
    var isCurrent: Bool { identity != nil && identity == folder.identity(number) && folder.numbers.last == number }

    // MARK: Reading

    /// What is known of a stored body; nil if there is none, or if it was damaged.
    func record(for key: String) throws(SQLiteError) -> Record? {
        var found: (record: Data, checksum: Int)?
        try connection.run("SELECT record, checksum FROM entry WHERE key = ?", [.text(key)]) { row in
            found = (row.blob(0), row.integer(1))
        }
        guard let found, found.checksum == Self.checksum(key, found.record) else { return nil }
        return Record(found.record)
    }

    /// The body that belongs to a record; nil if it was replaced or evicted since, or if it was damaged.
    func body(of record: Record, for key: String, now: Int) throws(SQLiteError) -> Data? {
        var body: Data?
        let sql = "SELECT bytes FROM body JOIN entry USING (id) WHERE key = ?"
        try connection.run(sql, [.text(key)]) { row in body = row.blob(0) }
        guard let body, body.count == record.bodyCount, Checksum.of(body) == record.bodyChecksum else { return nil }
        if uses.count < Self.mostNotedUses { uses[key] = now }
        return body
    }

    /// How many bytes of the file are in use; 0 if nothing is stored.
    func usedBytes() throws(SQLiteError) -> Int {
        guard try connection.number("SELECT EXISTS (SELECT * FROM entry)") == 1 else { return 0 }
        return try usedPages * CacheLimits.pageSize
    }

    /// All pages of the file, also those that nothing is in.
    var pageCount: Int {
        get throws(SQLiteError) { try connection.number("PRAGMA page_count") ?? 0 }
    }

    var usedPages: Int {
        get throws(SQLiteError) { try pageCount - (connection.number("PRAGMA freelist_count") ?? 0) }
    }

    // MARK: Writing

    /// Stores a body in place of what was stored under its key, and evicts what was not used for longest if there is no room.
    ///
    /// - Parameter expiry: What was not used since then goes in any case, some at a time; nil for nothing.
    /// - Returns: Whether it was stored; false if there is no room for it. What was stored before under its key is gone in any case.
    func store(
        _ record: Record, _ body: Data, for key: String, now: Int, notUsedSince expiry: Int? = nil
    ) throws(SQLiteError) -> Bool {
        guard body.count <= limits.bodyBytes, let bytes = record.bytes else {
            try remove(key)
            return false
        }
        do throws(SQLiteError) {
            return try insert(record, bytes, body, for: key, now: now, notUsedSince: expiry)
        } catch {
            // There may be room for what is smaller, so that this is no reason to leave all alone.
            guard error == Self.logIsInUse else { throw error }
            try remove(key)
            return false
        }
    }

    private func insert(
        _ record: Record, _ bytes: Data, _ body: Data, for key: String, now: Int, notUsedSince expiry: Int?
    ) throws(SQLiteError) -> Bool {
        let pages = CacheLimits.pages(forBody: body.count)
        var isStored = false
        _ = try write(logBytes: CacheLimits.logBytes(forBody: body.count)) { () throws(SQLiteError) in
            try delete(key)
            try noteUses(now: now)
            // The limit is lower than the one before, or than that of others, and the file has yet to follow.
            guard try !isTooLarge else { return true }
            if let expiry { try removeSome(notUsedSince: expiry) }
            guard try makeRoom(pages: pages) else { return true }
            // What is new is what was used last, also where there is something of a time that the clock was set back from.
            let used = try max(now, lastUse)
            try connection.run(
                "INSERT INTO entry (key, record, checksum, pages, used) VALUES (?, ?, ?, ?, ?)",
                [.text(key), .blob(bytes), .integer(Self.checksum(key, bytes)), .integer(pages), .integer(used)])
            let row = connection.lastInsertedRow
            try connection.run("INSERT INTO body (id, bytes) VALUES (?, ?)", [.integer(row), .blob(body)])
            isStored = true
            return true
        }
        return isStored
    }

    /// Replaces what is known of a stored answer, whose body stays.
    func update(_ record: Record, for key: String, now: Int) throws(SQLiteError) {
        guard let bytes = record.bytes else { return }
        _ = try write(logBytes: CacheLimits.logBytes(forBody: 0)) { () throws(SQLiteError) in
            // Another process may have stored another body meanwhile, or have learned something later. What is of the future is from
            // before the clock was set back.
            guard let stored = try self.record(for: key), stored.bodyChecksum == record.bodyChecksum,
                stored.receivedAt <= record.receivedAt || stored.receivedAt > now
            else { return false }
            try connection.run(
                "UPDATE entry SET record = ?, checksum = ? WHERE key = ?",
                [.blob(bytes), .integer(Self.checksum(key, bytes)), .text(key)])
            return true
        }
    }

    /// Forgets an answer.
    /// - Parameter withVariants: Whether those go, too, whose keys begin with this one and a space.
    func remove(_ key: String, withVariants: Bool = false) throws(SQLiteError) {
        _ = try write(logBytes: CacheLimits.logBytes(forBody: 0)) { () throws(SQLiteError) in
            var keys = [key]
            if withVariants {
                // What follows a space in ASCII is an exclamation mark.
                let sql = "SELECT key FROM entry WHERE key > ? AND key < ?"
                try connection.run(sql, [.text(key + " "), .text(key + "!")]) { keys.append($0.text(0)) }
            }
            for key in keys { try delete(key) }
            return true
        }
    }

    /// Forgets all.
    func removeAll() throws(SQLiteError) {
        repeat {
            let isGone = try write(logBytes: CacheLimits.logBytes(forBody: 0)) { () throws(SQLiteError) in
                try evictSome(pages: .max)
            }
            if !isGone { return }
        } while true
    }

    /// Whether many uses wait to be written down.
    var hasManyUses: Bool { uses.count >= Self.mostUses }

    /// Writes down when entries were used.
    func flushUses(now: Int) throws(SQLiteError) {
        guard !connection.isReadOnly else { return }
        while !uses.isEmpty {
            _ = try write(logBytes: CacheLimits.logBytes(forBody: 0)) { () throws(SQLiteError) in
                try noteUses(now: now)
                return true
            }
        }
    }

    /// Notes some of the uses; within a transaction.
    private func noteUses(now: Int) throws(SQLiteError) {
        let last = try lastUse
        for (key, time) in Array(uses.prefix(Self.usesAtOnce)) {
            let used = last > now ? last : time
            try connection.run("UPDATE entry SET used = max(used, ?) WHERE key = ?", [.integer(used), .text(key)])
            uses[key] = nil
        }
        // Times that the clock was set back from become the present, some at a time and in their order, so that all is as it was
        // in the end.
        guard last > now else { return }
        try connection.run(
            "UPDATE entry SET used = ? WHERE id IN (SELECT id FROM entry WHERE used > ? ORDER BY used, id LIMIT 8)",
            [.integer(now), .integer(now)])
    }

    /// When the entry was used that was used last; it may be later than now.
    private var lastUse: Int {
        get throws(SQLiteError) { try connection.number("SELECT max(used) FROM entry") ?? 0 }
    }

    private func delete(_ key: String) throws(SQLiteError) {
        try connection.run("DELETE FROM body WHERE id IN (SELECT id FROM entry WHERE key = ?)", [.text(key)])
        try connection.run("DELETE FROM entry WHERE key = ?", [.text(key)])
        uses[key] = nil
    }

    /// Evicts until so many pages are free; within a transaction.
    private func makeRoom(pages: Int) throws(SQLiteError) -> Bool {
        while true {
            let room = try limits.databasePages - usedPages
            if room >= pages { return true }
            guard try evictSome(pages: pages - room) else { return false }
        }
    }

    /// Evicts some of what was not used for longest, until about so many pages more are free; within a transaction.
    ///
    /// - Returns: Whether there was anything.
    func evictSome(pages: Int) throws(SQLiteError) -> Bool {
        var oldest: [(id: Int, pages: Int)] = []
        try connection.run("SELECT id, pages FROM entry ORDER BY used LIMIT 16") { row in
            oldest.append((row.integer(0), row.integer(1)))
        }
        var missing = pages
        for entry in oldest where missing > 0 {
            try delete(row: entry.id)
            missing -= entry.pages
        }
        return !oldest.isEmpty
    }

    /// Removes some of what was not used since a time; within a transaction. Few, as the log has room for few changes.
    private func removeSome(notUsedSince time: Int) throws(SQLiteError) {
        var expired: [Int] = []
        try connection.run("SELECT id FROM entry WHERE used < ? ORDER BY used LIMIT 16", [.integer(time)]) { row in
            expired.append(row.integer(0))
        }
        for row in expired { try delete(row: row) }
    }

    private func delete(row: Int) throws(SQLiteError) {
        try connection.run("DELETE FROM body WHERE id = ?", [.integer(row)])
        try connection.run("DELETE FROM entry WHERE id = ?", [.integer(row)])
    }

    /// Changes the database in a transaction, if the log has room for `logBytes` more.
    ///
    /// - Returns: What `change` does: false if it wants nothing to have happened.
    /// - Throws: Also, as where others write, if there is no room because somebody reads what is in the log.
    func write(logBytes: Int, _ change: () throws(SQLiteError) -> Bool) throws(SQLiteError) -> Bool {
        // Not kept by the file, so that it is the limit of whoever writes.
        try connection.run("PRAGMA max_page_count = \(limits.databasePages)")
        for attempt in 0..<2 {
            try connection.run("BEGIN IMMEDIATE")
            // Nobody else makes the log longer from here on.
            guard folder.logBytes(number) + logBytes <= limits.logBytes else {
                try connection.run("ROLLBACK")
                if attempt > 0 || !emptyLog() { break }
                continue
            }
            do throws(SQLiteError) {
                let isWanted = try change()
                try connection.run(isWanted ? "COMMIT" : "ROLLBACK")
                return isWanted
            } catch {
                try? connection.run("ROLLBACK")
                throw error
            }
        }
        throw Self.logIsInUse
    }

    /// Empties the log, unless somebody reads it for longer than a moment: each body that it has no room for waits.
    private func emptyLog() -> Bool {
        connection.setPatience(milliseconds: min(patience, 100))
        defer { connection.setPatience(milliseconds: patience) }
        return connection.emptyLog()
    }

    private static var logIsInUse: SQLiteError {
        SQLiteError(code: SQLiteError.busy, text: "others read what is in its log", action: "write")
    }

    /// Of a record with its key, so that no record is ever taken for another's.
    private static func checksum(_ key: String, _ record: Data) -> Int {
        Int(bitPattern: UInt(Checksum.of(record, seed: Checksum.of(Data(key.utf8)))))
    }
}
