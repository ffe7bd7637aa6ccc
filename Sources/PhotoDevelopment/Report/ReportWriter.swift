import FoundationEssentials
import Operations

/// Writes the report's rows in the catalog's order while photos finish in any order.
///
/// Rows that are ahead of their turn are set aside, mostly on disk. The report gets its name when it is whole.
final class ReportWriter: Sendable {
    private struct State {
        let file: TemporaryFile
        var ahead: RowsAhead
        var next = 0
        var buffer = Data(ReportRow.header.utf8)
        var failure: FileError?

        mutating func take(_ row: ReportRow, at index: Int) throws(FileError) {
            guard index == next else { return try ahead.set(row.csv, at: index - next) }
            buffer.append(contentsOf: row.csv.utf8)
            next += 1
            while let text = try ahead.advance() {
                buffer.append(text)
                next += 1
                if buffer.count >= 65_536 { try write() }
            }
            if buffer.count >= 65_536 { try write() }
        }

        mutating func write() throws(FileError) {
            try file.write(buffer)
            buffer.removeAll(keepingCapacity: true)
        }
    }

    private let path: String
    private let state: Lock<State>

    /// Begins a report; fails where it could not be written.
    init(path: String) throws(DevelopmentError) {
        self.path = path
        do {
            let file = try TemporaryFile(beside: path)
            state = Lock(State(file: file, ahead: RowsAhead(folder: file.folder)))
        } catch {
            throw .reportUnusable(path: path, reason: error.reason)
        }
    }

    /// Takes the row of an entry in. Each entry has exactly one.
    ///
    /// - Returns: That the report cannot be written, once, when that is found.
    func record(_ row: ReportRow, at index: Int) -> FileError? {
        state.withLock { state in
            // After a failure nothing is kept, as nothing will be written.
            guard state.failure == nil else { return nil }
            do throws(FileError) {
                try state.take(row, at: index)
                return nil
            } catch {
                state.failure = error
                state.buffer = Data()
                state.ahead = RowsAhead(folder: "")
                return error
            }
        }
    }

    /// Ends the report and gives it its name.
    func finish() throws(DevelopmentError) {
        let failure = state.withLock { state -> FileError? in
            if let failure = state.failure { return failure }
            do throws(FileError) {
                try state.write()
                try state.file.commit()
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw .reportUnusable(path: path, reason: failure.reason) }
    }
}
