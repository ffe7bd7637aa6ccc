import CSQLite

extension SQLiteError {
    static let full = SQLITE_FULL
    static let readOnly = SQLITE_READONLY
    static let noDatabase = SQLITE_NOTADB

    /// The file is no database, or its structure is damaged.
    var isDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

    /// Another process is at work for longer than is worth waiting.
    var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }
}
