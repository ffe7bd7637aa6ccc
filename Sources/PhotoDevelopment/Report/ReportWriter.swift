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

        mutating func write() {
            guard failure == nil else { return }
            do {
                try file.write(buffer)
                buffer.removeAll(keepingCapacity: true)
            } catch {
                failure = error
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
    func record(_ row: ReportRow, at index: Int) {
        state.withLock { state in
            state.waiting[index] = row
            while let row = state.waiting.removeValue(forKey: state.next) {
                state.buffer.append(contentsOf: row.csv.utf8)
                state.next += 1
            }
            if state.buffer.count >= 65_536 { state.write() }
        }
    }

    /// Ends the report and gives it its name.
    func finish() throws(DevelopmentError) {
        let failure = state.withLock { state -> FileError? in
            state.write()
            if let failure = state.failure { return failure }
            do throws(FileError) {
                try state.file.commit(to: path)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw .reportUnusable(path: path, reason: failure.reason) }
    }
}
