import CSQLite

package import struct FoundationEssentials.Data

/// A connection to a database, for one thread at a time.
package final class SQLiteConnection {
    private let pointer: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]

    /// A value in a statement.
    package enum Value {
        case null
        case integer(Int)
        case text(String)
        case blob(Data)
    }

    /// Opens a database.
    ///
    /// - Parameters:
    ///   - path: The path of its file.
    ///   - creates: Whether the file is made where there is none; otherwise that is an error.
    package convenience init(path: String, creates: Bool = true) throws(SQLiteError) {
        try self.init(path, flags: creates ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READWRITE)
    }

    /// Opens a database that nobody writes to, and reads nothing but its file: also where there is no room beside it for the
    /// files that SQLite needs otherwise.
    package convenience init(immutable path: String) throws(SQLiteError) {
        var address = "file:"
        for byte in path.utf8 {
            let isPlain =
                byte == UInt8(ascii: "/") || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
            let digits = String(byte, radix: 16)
            address += isPlain && byte < 0x80 ? String(UnicodeScalar(byte)) : (byte < 16 ? "%0" : "%") + digits
        }
        try self.init(address + "?immutable=1", flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
    }

    private init(_ path: String, flags: Int32) throws(SQLiteError) {
        var pointer: OpaquePointer?
        let code = sqlite3_open_v2(path, &pointer, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard code == SQLITE_OK, let pointer else {
            let text = pointer.map { String(cString: sqlite3_errmsg($0)) } ?? "there is no memory"
            sqlite3_close_v2(pointer)
            throw SQLiteError(code: code, text: text, action: "open \(path)")
        }
        self.pointer = pointer
        // What a damaged file says about its own structure is not to be believed.
        _ = sqlite3_exec(pointer, "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON", nil, nil, nil)
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(pointer)
    }

    /// Whether the file can only be read.
    package var isReadOnly: Bool { sqlite3_db_readonly(pointer, "main") == 1 }

    /// Whether its file has been removed, moved or replaced since it was opened: what is written then is for nobody.
    package var isOrphaned: Bool {
        var isMoved: Int32 = 0
        return sqlite3_file_control(pointer, "main", SQLITE_FCNTL_HAS_MOVED, &isMoved) == SQLITE_OK && isMoved != 0
    }

    /// Waits so long for other processes.
    package func setPatience(milliseconds: Int32) {
        sqlite3_busy_timeout(pointer, milliseconds)
    }

    /// The rows that the last statement changed.
    package var changeCount: Int { Int(sqlite3_changes(pointer)) }

    /// The identity of the row that was inserted last.
    package var lastInsertedRow: Int { Int(sqlite3_last_insert_rowid(pointer)) }

    /// Runs a statement to its end, row by row.
    package func run(_ sql: String, _ values: [Value] = [], row: (Row) -> Void = { _ in }) throws(SQLiteError) {
        let statement = try prepared(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() {
            let code = bind(value, to: statement, at: Int32(index + 1))
            guard code == SQLITE_OK else { throw failure(code, sql) }
        }
        while true {
            let code = sqlite3_step(statement)
            switch code {
            case SQLITE_ROW: row(Row(statement: statement))
            case SQLITE_DONE: return
            default: throw failure(code, sql)
            }
        }
    }

    /// The number that a statement gives first.
    package func number(_ sql: String, _ values: [Value] = []) throws(SQLiteError) -> Int? {
        var number: Int?
        try run(sql, values) { row in number = number ?? row.integer(0) }
        return number
    }

    /// Copies the log into the database and empties its file; false if somebody still reads what is in it.
    package func emptyLog() -> Bool {
        sqlite3_wal_checkpoint_v2(pointer, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) == SQLITE_OK
    }

    private func prepared(_ sql: String) throws(SQLiteError) -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v3(pointer, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw failure(code, sql) }
        statements[sql] = statement
        return statement
    }

    private func bind(_ value: Value, to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let number): sqlite3_bind_int64(statement, index, Int64(number))
        // With its length, as a text may hold a zero.
        case .text(let text): sqlite3_bind_text(statement, index, text, Int32(text.utf8.count), Self.copied)
        case .blob(let bytes):
            bytes.withUnsafeBytes { bytes in
                bytes.isEmpty
                    ? sqlite3_bind_zeroblob(statement, index, 0)
                    : sqlite3_bind_blob64(statement, index, bytes.baseAddress, UInt64(bytes.count), Self.copied)
            }
        }
    }

    /// `SQLITE_TRANSIENT`, a macro that Swift does not import: SQLite makes a copy.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private func failure(_ code: Int32, _ action: String) -> SQLiteError {
        SQLiteError(code: code, text: String(cString: sqlite3_errmsg(pointer)), action: action)
    }

    /// A row of a result, valid only while it is being looked at.
    package struct Row {
        fileprivate let statement: OpaquePointer

        package func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }

        /// The text of a column; empty where there is none.
        package func text(_ column: Int32) -> String {
            guard let start = sqlite3_column_text(statement, column) else { return "" }
            let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
            return String(decoding: bytes, as: UTF8.self)
        }

        package func blob(_ column: Int32) -> Data {
            guard let start = sqlite3_column_blob(statement, column) else { return Data() }
            return Data(bytes: start, count: Int(sqlite3_column_bytes(statement, column)))
        }
    }
}
