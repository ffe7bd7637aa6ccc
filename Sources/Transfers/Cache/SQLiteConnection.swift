import CSQLite

import struct FoundationEssentials.Data

/// A failure of SQLite, by its result code.
struct SQLiteError: Error, Hashable, CustomStringConvertible {
    /// The extended code.
    let code: Int32
    let text: String
    /// The statement that failed, or what else was to be done.
    let action: String

    var description: String { "\(text) (\(code)): \(action)" }

    /// The code without its details.
    var primaryCode: Int32 { code & 0xFF }
}

/// A connection to a database, for one thread at a time.
final class SQLiteConnection {
    private let pointer: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]

    /// A value in a statement.
    enum Value {
        case integer(Int)
        case text(String)
        case blob(Data)
    }

    /// Opens, and makes if need be, a database for its owner only.
    init(path: String) throws(SQLiteError) {
        var pointer: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &pointer, flags, nil)
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
    var isReadOnly: Bool { sqlite3_db_readonly(pointer, "main") == 1 }

    /// Waits so long for other processes.
    func setPatience(milliseconds: Int32) {
        sqlite3_busy_timeout(pointer, milliseconds)
    }

    /// The rows that the last statement changed.
    var changeCount: Int { Int(sqlite3_changes(pointer)) }

    /// The identity of the row that was inserted last.
    var lastInsertedRow: Int { Int(sqlite3_last_insert_rowid(pointer)) }

    /// Runs a statement to its end, row by row.
    func run(_ sql: String, _ values: [Value] = [], row: (Row) -> Void = { _ in }) throws(SQLiteError) {
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
    func number(_ sql: String, _ values: [Value] = []) throws(SQLiteError) -> Int? {
        var number: Int?
        try run(sql, values) { row in number = number ?? row.integer(0) }
        return number
    }

    /// Copies the log into the database and empties its file; false if somebody still reads what is in it.
    func emptyLog() -> Bool {
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
        case .integer(let number): sqlite3_bind_int64(statement, index, Int64(number))
        case .text(let text): sqlite3_bind_text(statement, index, text, -1, Self.copied)
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
    struct Row {
        fileprivate let statement: OpaquePointer

        func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }

        func blob(_ column: Int32) -> Data {
            guard let start = sqlite3_column_blob(statement, column) else { return Data() }
            return Data(bytes: start, count: Int(sqlite3_column_bytes(statement, column)))
        }
    }
}
