import FoundationEssentials
import PhotoPipeline
import Transfers

/// What a run remembers: for which catalog and by which recipe it was, and each row that came to its end.
///
/// A database of SQLite with a write-ahead log, for one thread at a time. Others may read it meanwhile, with a journal of
/// their own.
final class Journal {
    /// The version of the tables. The first one had one result for each row; it is read, and brought into the present form by a run
    /// that goes on.
    static let schema = 2
    private static let firstSchema = 1

    /// A row that came to its end.
    struct Entry {
        /// The row's place in the catalog.
        let number: Int
        let row: ReportRow
        /// Of the photo's bytes, where it is to be remembered that this row brought them first.
        var digest: ContentDigest?
        /// The row whose small pictures are this one's, too.
        var leader: Int?
    }

    /// Whether it was left by a run that was killed before it could write down what it is about.
    let isBlank: Bool

    let connection: SQLiteConnection
    /// Whether rows may have fields of EXIF.
    private(set) lazy var hasEXIF =
        (try? connection.number("SELECT count(*) FROM sqlite_schema WHERE name = 'exif'")) == 1

    /// Whether it may be remembered which rows brought their bytes first; known before the first row is written down.
    private(set) lazy var hasContents =
        (try? connection.number("SELECT count(*) FROM sqlite_schema WHERE name = 'content'")) == 1

    /// Opens a journal that is there.
    ///
    /// - Throws: Also where it is no journal, or one of another version.
    init(opening path: String) throws(SQLiteError) {
        connection = try Self.connection(opening: path)
        isBlank = try connection.number("SELECT count(*) FROM sqlite_schema") == 0
        if isBlank { return }
        let schema = try value(of: Self.schemaKey)
        guard schema == "\(Self.schema)" || schema == "\(Self.firstSchema)" else {
            let text = schema.map { "it was written by another version (\($0))" } ?? "it is no journal"
            throw SQLiteError(code: SQLiteError.noDatabase, text: text, action: "open")
        }
        try prepareToWrite()
    }

    /// Makes a journal.
    init(
        creating path: String, digest: CatalogDigest, count: Int, recipe: Recipe, source: String = "",
        leavesFiles: Bool = false
    ) throws(SQLiteError) {
        isBlank = false
        connection = try SQLiteConnection(path: path)
        connection.setPatience(milliseconds: Self.patience)
        try connection.run("PRAGMA journal_mode = WAL")
        try prepareToWrite()
        try transaction { () throws(SQLiteError) in
            try connection.run("CREATE TABLE run (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT")
            try connection.run(
                """
                CREATE TABLE row (
                    number INTEGER PRIMARY KEY, name TEXT NOT NULL, url TEXT NOT NULL, status TEXT NOT NULL, reason TEXT,
                    detail TEXT, file TEXT, bytes INTEGER NOT NULL, milliseconds INTEGER NOT NULL) STRICT
                """)
            try connection.run(
                "CREATE TABLE picture (number INTEGER PRIMARY KEY, original BLOB NOT NULL, result BLOB NOT NULL) STRICT"
            )
            try makeSampleTables()
            let values =
                [(Self.schemaKey, "\(Self.schema)"), ("catalog", digest.text), ("rows", "\(count)")]
                + [(Self.sourceKey, source), (Self.startKey, Self.now)]
                + (leavesFiles ? [(Self.leavesFilesKey, "1")] : [])
                + recipe.items.map { (Self.recipePrefix + $0.option, $0.value) }
            for (key, value) in values {
                try connection.run("INSERT INTO run (key, value) VALUES (?, ?)", [.text(key), .text(value)])
            }
        }
    }

    /// A connection to a journal that is there, also in a folder that can only be read.
    private static func connection(opening path: String) throws(SQLiteError) -> SQLiteConnection {
        do throws(SQLiteError) {
            let connection = try SQLiteConnection(path: path, creates: false)
            connection.setPatience(milliseconds: patience)
            _ = try connection.number("SELECT count(*) FROM sqlite_schema")
            return connection
        } catch {
            guard error.isUnwritable, FileStatus(path: path) != nil else { throw error }
            // What a run that was killed has left there belongs to the database, and can only be put into it by writing.
            if let log = FileStatus(path: path + "-wal"), log.size > 0 {
                throw SQLiteError(
                    code: error.code,
                    text:
                        "a run has not closed it, and its folder cannot be written to; copy the output folder to where it can be, and name "
                        + "the copy", action: error.action)
            }
            return try SQLiteConnection(immutable: path)
        }
    }

    /// How long is waited for others, who hold it for moments only.
    private static let patience: Int32 = 10_000
    private static let recipePrefix = "recipe "
    private static let schemaKey = "schema"
    private static let sourceKey = "source"
    private static let startKey = "started"
    private static let leavesFilesKey = "leaves files"
    private static let latestKey = "latest"
    private static var now: String { "\(Int(Date().timeIntervalSince1970))" }

    /// Brings the tables of an earlier version into the present form. Only while no other run writes.
    func upgrade() throws(SQLiteError) {
        guard try value(of: Self.schemaKey) == "\(Self.firstSchema)" else { return }
        try transaction { () throws(SQLiteError) in
            try upgradeSampleTable()
            try connection.run(
                "UPDATE run SET value = ? WHERE key = ?", [.text("\(Self.schema)"), .text(Self.schemaKey)])
        }
    }

    /// Whether its file has been removed, moved or replaced.
    var isOrphaned: Bool { connection.isOrphaned }

    /// Puts what stands in the log beside the database into its file. Where somebody reads at this moment, or the disk is full, the
    /// log keeps it, and loses nothing.
    func gather() {
        // A run does not wait for its readers.
        connection.setPatience(milliseconds: 0)
        _ = connection.emptyLog()
        connection.setPatience(milliseconds: Self.patience)
    }

    private func prepareToWrite() throws(SQLiteError) {
        guard !connection.isReadOnly else { return }
        // A transaction is on the disk when it ends: what is marked as done is not done again after a power failure.
        try connection.run("PRAGMA synchronous = FULL")
    }

    func transaction(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
        try connection.run("BEGIN IMMEDIATE")
        do throws(SQLiteError) {
            try body()
            try connection.run("COMMIT")
        } catch {
            try? connection.run("ROLLBACK")
            throw error
        }
    }

    // MARK: What it is about

    private func value(of key: String) throws(SQLiteError) -> String? {
        var value: String?
        try connection.run("SELECT value FROM run WHERE key = ?", [.text(key)]) { value = $0.text(0) }
        return value
    }

    /// The catalog's digest.
    func digest() throws(SQLiteError) -> CatalogDigest {
        CatalogDigest(text: try value(of: "catalog") ?? "")
    }

    /// The catalog's rows.
    func count() throws(SQLiteError) -> Int {
        max(0, try value(of: "rows").flatMap { Int($0) } ?? 0)
    }

    func recipe() throws(SQLiteError) -> Recipe {
        var items: [Recipe.Item] = []
        try connection.run("SELECT key, value FROM run ORDER BY rowid") { row in
            let key = row.text(0)
            guard key.hasPrefix(Self.recipePrefix) else { return }
            items.append(Recipe.Item(option: String(key.dropFirst(Self.recipePrefix.count)), value: row.text(1)))
        }
        return Recipe(items)
    }

    /// Where the catalog was; empty where that is not known.
    func source() throws(SQLiteError) -> String { try value(of: Self.sourceKey) ?? "" }

    /// Whether files that were there before the run are left alone.
    func leavesFiles() throws(SQLiteError) -> Bool { try value(of: Self.leavesFilesKey) != nil }

    /// When the first run began here.
    func started() throws(SQLiteError) -> Date? { try time(of: Self.startKey) }

    /// When a row came to its end last.
    func latest() throws(SQLiteError) -> Date? { try time(of: Self.latestKey) }

    private func time(of key: String) throws(SQLiteError) -> Date? {
        try value(of: key).flatMap { Double($0) }.map { Date(timeIntervalSince1970: $0) }
    }

    // MARK: Rows

    /// Writes rows down, small pictures of rows by their numbers, and what the rows have brought into shards; all or nothing.
    func record(
        _ entries: [Entry], images: [Int: ReportImages.Pair] = [:], _ committed: CommittedSamples = CommittedSamples()
    ) throws(SQLiteError) {
        try transaction { () throws(SQLiteError) in
            try record(committed)
            for (number, pair) in images {
                try connection.run(
                    "INSERT OR REPLACE INTO picture VALUES (?, ?, ?)",
                    [.integer(number), .blob(pair.original), .blob(pair.result)])
            }
            try connection.run(
                "INSERT OR REPLACE INTO run (key, value) VALUES (?, ?)", [.text(Self.latestKey), .text(Self.now)])
            for entry in entries {
                let (file, error, detail): (String?, PhotoError?, String?)
                switch entry.row.outcome {
                // Names hold no line feeds.
                case .filtered(let names, let damage):
                    (file, error, detail) = (names.joined(separator: "\n"), nil, damage)
                case .failed(let failure): (file, error, detail) = (nil, failure, failure.detail)
                // It has not come to its end.
                case .cancelled: continue
                }
                try connection.run(
                    "INSERT OR REPLACE INTO row VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    [
                        .integer(entry.number), .text(entry.row.name), .text(entry.row.address),
                        .text(error == nil ? "filtered" : "failed"), Self.value(error?.reason.rawValue),
                        Self.value(detail), Self.value(file), .integer(entry.row.bytes),
                        .integer(Int(entry.row.milliseconds)),
                    ])
                if error == nil { try recordContent(of: entry) }
            }
        }
    }

    private static func value(_ text: String?) -> SQLiteConnection.Value { text.map { .text($0) } ?? .null }

    /// Rows from a number on, in the catalog's order.
    ///
    /// - Parameters:
    ///   - number: The first row's number, if it has come to its end.
    ///   - limit: How many rows at most.
    func entries(from number: Int, limit: Int) throws(SQLiteError) -> [Entry] {
        var entries: [Entry] = []
        try connection.run(
            """
            SELECT number, name, url, status, reason, detail, file, bytes, milliseconds FROM row
            WHERE number >= ? ORDER BY number LIMIT ?
            """, [.integer(number), .integer(limit)]
        ) { row in
            entries.append(
                Entry(
                    number: row.integer(0),
                    row: ReportRow(
                        name: row.text(1), address: row.text(2),
                        outcome: Self.outcome(
                            status: row.text(3), reason: row.text(4), detail: row.text(5), file: row.text(6)),
                        bytes: row.integer(7), milliseconds: Int64(row.integer(8)))))
        }
        return entries
    }

    /// Reads what the results of rows are called that have some.
    func readFiles(_ body: (_ row: Int, _ names: [String]) -> Void) throws(SQLiteError) {
        try connection.run("SELECT number, file FROM row WHERE status = 'filtered'") { row in
            body(row.integer(0), Self.names(row.text(1)))
        }
    }

    /// The small pictures of a row.
    func images(of number: Int) throws(SQLiteError) -> ReportImages.Pair? {
        var pair: ReportImages.Pair?
        try connection.run("SELECT original, result FROM picture WHERE number = ?", [.integer(number)]) { row in
            pair = ReportImages.Pair(original: row.blob(0), result: row.blob(1))
        }
        return pair
    }

    private static func outcome(
        status: String, reason: String, detail: String, file: String
    ) -> ReportRow.Outcome {
        if status == "filtered" {
            return .filtered(files: names(file), damage: detail.isEmpty ? nil : detail)
        }
        guard let reason = PhotoError.Reason(rawValue: reason) else { return .cancelled }
        return .failed(PhotoError(reason, detail))
    }

    private static func names(_ file: String) -> [String] {
        file.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// Sees all that follows as it is now, whatever is written meanwhile.
    func withSnapshot<Failure: Error>(
        _ body: () throws(Failure) -> Void
    ) throws(Failure) {
        // Where that fails, each page of rows is as it is when it is read.
        try? connection.run("BEGIN")
        defer { try? connection.run("COMMIT") }
        try body()
    }

    /// What has come of the rows.
    func totals() throws(SQLiteError) -> ReportTotals {
        var totals = ReportTotals(rows: try count())
        try connection.run(
            "SELECT status, reason, count(*), sum(bytes), sum(detail <> '') FROM row GROUP BY status, reason"
        ) { row in
            totals.bytes &+= row.integer(3)
            if row.text(0) == "filtered" {
                totals.filtered += row.integer(2)
                totals.damaged += row.integer(4)
            } else {
                totals.failed += row.integer(2)
                if let reason = PhotoError.Reason(rawValue: row.text(1)) {
                    totals.failures[reason, default: 0] += row.integer(2)
                }
            }
        }
        return totals
    }
}
