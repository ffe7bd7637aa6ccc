import Glibc
import Operations
import PhotoPipeline
import Transfers

/// Makes rows durable that have come to their end, many at a time.
///
/// The files of a batch are synced and get their names, then the folder is synced, then the rows are marked as done, in one
/// transaction. So what is marked is there whole, however the program or the machine ends. A batch is 256 rows, or those
/// of half a second. Nobody waits for the disk: rows are handed over, and the run is told when they are durable. Where
/// the disk does not keep up, the run is asked to hold back.
final class JournalWriter: Sendable {
    /// A row on its way into the journal.
    struct Entry {
        /// What is to be done about the row's file.
        enum File {
            /// There is none.
            case none
            /// It is to get the name that the row has.
            case unnamed(TemporaryFile)
            /// It has its name, and may not be on the disk yet.
            case named(String)
        }

        let number: Int
        let row: ReportRow
        let file: File
        /// Whether the file was there before the run.
        var isSkipped = false
    }

    private struct State {
        var waiting: [Entry] = []
        /// Small pictures of rows that are not in the journal yet.
        var images: [Int: ReportImages.Pair] = [:]
        /// The rows of the batch that is on its way.
        var inWork = 0
        var isWorking = false
        var isHoldingBack = false
        var hasFailed = false
        var batches = 0
        var timer: Task<Void, Never>?
    }

    /// Who is told.
    struct Listener {
        /// Rows are durable, or never will be.
        var whenEnded: @Sendable (_ entries: [Entry], _ areDurable: Bool) -> Void
        /// Nothing is written any more; once.
        var whenFailed: @Sendable (PhotoError) -> Void
        /// Whether to hold back; in order.
        var holdBack: @Sendable (Bool) -> Void
    }

    static let rowsOfABatch = 256
    /// With so many on their way, no more are to come until there are half as many.
    static let mostRows = 2 * rowsOfABatch

    private let folder: OutputFolder
    private let interval: Duration
    private let queue = OperationQueue()
    private let state = Lock(State())
    // Safe: only operations of the queue touch it, one at a time.
    private nonisolated(unsafe) let journal: Journal
    private let listener = Lock<Listener?>(nil)

    /// - Parameters:
    ///   - journal: The journal, which is the writer's from here on.
    ///   - folder: Where the files are.
    ///   - interval: The longest that a row waits for its batch.
    init(_ journal: Journal, folder: OutputFolder, interval: Duration = .milliseconds(500)) {
        self.journal = journal
        self.folder = folder
        self.interval = interval
        queue.name = "Journal queue"
        queue.maxConcurrentOperationCount = 1
    }

    /// Says who is told, before the first row.
    func listen(_ listener: Listener) {
        self.listener.withLock { $0 = listener }
    }

    /// Takes a row that has come to its end.
    func add(_ entry: Entry) {
        let listener = listener.withLock { $0 }
        state.withLock { state in
            state.waiting.append(entry)
            if !state.isHoldingBack, state.waiting.count + state.inWork >= Self.mostRows {
                state.isHoldingBack = true
                // In the lock, so that the last word is the true one.
                listener?.holdBack(true)
            }
            if state.waiting.count >= Self.rowsOfABatch {
                start(&state)
            } else if state.timer == nil {
                let batch = state.batches
                state.timer = Task { [self, interval] in
                    try? await Task.sleep(for: interval)
                    self.state.withLock { if $0.batches == batch { start(&$0) } }
                }
            }
        }
    }

    /// Takes the small pictures of a row, which go with the next rows that come to their end.
    func add(_ images: ReportImages.Pair, of number: Int) {
        state.withLock { $0.images[number] = images }
    }

    /// Waits for no more rows.
    func flush() {
        state.withLock { if !$0.waiting.isEmpty { start(&$0) } }
    }

    private func start(_ state: inout State) {
        guard !state.isWorking else { return }
        state.isWorking = true
        queue.addOperation { [self] in work() }
    }

    private func work() {
        let (entries, images, hasFailed) = state.withLock { state -> ([Entry], [Int: ReportImages.Pair], Bool) in
            let entries = Array(state.waiting.prefix(Self.rowsOfABatch))
            state.waiting.removeFirst(entries.count)
            state.inWork = entries.count
            state.batches += 1
            state.timer?.cancel()
            state.timer = nil
            defer { state.images = [:] }
            return (entries, state.images, state.hasFailed)
        }
        let listener = listener.withLock { $0 }
        let failure = hasFailed ? nil : write(entries, images)
        if let failure {
            state.withLock { $0.hasFailed = true }
            listener?.whenFailed(failure)
        }
        listener?.whenEnded(entries, !hasFailed && failure == nil)
        state.withLock { state in
            state.inWork = 0
            state.isWorking = false
            if state.isHoldingBack, state.waiting.count < Self.mostRows / 2 {
                state.isHoldingBack = false
                listener?.holdBack(false)
            }
            // Those that came meanwhile have waited for as long as that took.
            if !state.waiting.isEmpty { start(&state) }
        }
    }

    /// Makes a batch durable.
    ///
    /// - Returns: What failed; then none of the rows is marked.
    private func write(_ entries: [Entry], _ images: [Int: ReportImages.Pair]) -> PhotoError? {
        var hasFiles = false
        do throws(FileError) {
            for entry in entries {
                switch entry.file {
                case .none: continue
                case .unnamed(let file): try file.sync()
                case .named(let name): try folder.sync(name)
                }
                hasFiles = true
            }
        } catch {
            return PhotoError(.writeFailed, "Cannot write to the folder \(folder.path): \(error.reason).")
        }
        for entry in entries {
            guard case .unnamed(let file) = entry.file, case .filtered(let name) = entry.row.outcome else { continue }
            do throws(FileError) {
                try file.commit(to: folder.path + "/" + name)
            } catch {
                return PhotoError(.writeFailed, "Cannot write \(folder.path)/\(name): \(error.reason).")
            }
        }
        do throws(FileError) {
            if hasFiles { try folder.sync() }
        } catch {
            return PhotoError(.writeFailed, "Cannot write to the folder \(folder.path): \(error.reason).")
        }
        do throws(SQLiteError) {
            try journal.record(
                entries.map { Journal.Entry(number: $0.number, row: $0.row) }, images: images)
            return nil
        } catch {
            let place = JournalFolder(in: folder.path).database
            return PhotoError(.writeFailed, "Cannot write the journal \(place): \(error.sentence).")
        }
    }
}

extension SQLiteError {
    /// What went wrong, to be put behind a colon.
    var sentence: String {
        primaryCode == Self.full ? FileError(code: ENOSPC).reason : text
    }
}
