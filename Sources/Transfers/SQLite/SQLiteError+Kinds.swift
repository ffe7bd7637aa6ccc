import CSQLite

extension SQLiteError {
    package static let full = SQLITE_FULL
    package static let busy = SQLITE_BUSY
    package static let readOnly = SQLITE_READONLY
    package static let noDatabase = SQLITE_NOTADB

    /// The file is no database, or its structure is damaged.
    package var isDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

    /// The file, or what SQLite needs beside it, cannot be written.
    package var isUnwritable: Bool { primaryCode == SQLITE_READONLY || primaryCode == SQLITE_CANTOPEN }

    /// There is no room on the disk, or none for this user: SQLite gives a quota that is used up as a write that failed.
    package var isLackOfRoom: Bool { primaryCode == SQLITE_FULL || code == SQLITE_IOERR | 3 << 8 }

    /// Another process is at work for longer than is worth waiting.
    package var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }
}
