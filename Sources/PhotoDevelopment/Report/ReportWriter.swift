import FoundationEssentials
import Operations

/// Writes the report's rows in the catalog's order while photos finish in any order.
///
/// Rows that are ahead of their turn wait; as only so many photos are on their way, only so many wait, whatever the
/// length of the catalog. The report gets its name when it is whole.
final class ReportWriter: Sendable {
    private struct State {
        let file: TemporaryFile
        var waiting: [Int: ReportRow] = [:]
        var next = 0
        var buffer = Data(ReportRow.header.utf8)
        var failure: FileError?

        /// What went wrong, if it is this time that it did.
        mutating func write() -> FileError? {
            // After a failure nothing is kept, as nothing will be written.
            defer { buffer.removeAll(keepingCapacity: true) }
            guard failure == nil else { return nil }
            do {
                try file.write(buffer)
                return nil
            } catch {
                failure = error
                return error
            }
        }
    }

    private let path: String
    private let state: Lock<State>

    /// Begins a report; fails where it could not be written.
    init(path: String) throws(DevelopmentError) {
        self.path = path
        do {
            state = Lock(State(file: try TemporaryFile(beside: path)))
        } catch {
            throw .reportUnusable(path: path, reason: error.reason)
        }
    }

    /// Takes the row of an entry in. Each entry has exactly one.
    ///
    /// - Returns: That the report cannot be written, once, when that is found.
    func record(_ row: ReportRow, at index: Int) -> FileError? {
        state.withLock { state in
            state.waiting[index] = row
            while let row = state.waiting.removeValue(forKey: state.next) {
                state.buffer.append(contentsOf: row.csv.utf8)
                state.next += 1
            }
            return state.buffer.count >= 65_536 ? state.write() : nil
        }
    }

    /// Ends the report and gives it its name.
    func finish() throws(DevelopmentError) {
        let failure = state.withLock { state -> FileError? in
            _ = state.write()
            if let failure = state.failure { return failure }
            do throws(FileError) {
                try state.file.commit()
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw .reportUnusable(path: path, reason: failure.reason) }
    }
}
