import Glibc
import Operations
import PhotoPipeline
import Transfers

/// Makes rows durable that have come to their end, many at a time.
///
/// The results of a batch are committed to their store, then the rows are marked as done, in one transaction. So what is marked is
/// there whole, however the program or the machine ends. A batch is 256 rows (fewer where each has several files, which are open
/// until then, and where the system lets few files be open), those of half a second, results of some 16 MB where they wait in memory, or what there is when no others come.
/// Nobody waits for the disk: rows are handed over, and the run is told when they are durable. Where the disk does not keep up,
/// the run is asked to hold back.
final class JournalWriter: Sendable {
    /// A row on its way into the journal.
    struct Entry {
        let number: Int
        let row: ReportRow
        var result: StagedResult
        /// Whether the file was there before the run.
        var isSkipped = false
        /// Of the photo's bytes, where the row was the first to bring them and photos are compared.
        var digest: ContentDigest?
        /// The row that brought the same bytes before.
        var leader: Int?

        /// How much of a batch it is, as rows with one file count 1.
        var weight: Int { max(1, result.fileCount) }
    }

    private struct State {
        var waiting = Line<Entry>()
        /// How much of a batch those are, and the bytes that they hold in memory.
        var weight = 0
        var bytes = 0
        /// Small pictures of rows that are not in the journal yet.
        var images: [Int: ReportImages.Pair] = [:]
        /// The weight of the batch that is on its way, and the bytes that its rows hold in memory.
        var inWork = 0
        var bytesInWork = 0
        var isWorking = false
        var isHoldingBack = false
        var hasFailed = false
        var batches = 0
        var timer: Task<Void, Never>?
        /// When the last row came, and how long the last batch took.
        var lastCame = ContinuousClock.Instant.now
        var lastWrite = Duration.zero

        /// Whether so much of what may be on its way is.
        func isFull(by part: Double) -> Bool {
            Double(weight + inWork) >= part * Double(JournalWriter.mostRows)
                || Double(bytes + bytesInWork) >= part * Double(JournalWriter.mostBytes)
        }

        /// Takes a batch out of those that wait.
        mutating func takeBatch() -> [Entry] {
            var batch: [Entry] = []
            (inWork, bytesInWork) = (0, 0)
            while inWork < JournalWriter.rowsOfABatch, let entry = waiting.popFirst() {
                inWork += entry.weight
                bytesInWork += entry.result.byteCount
                batch.append(entry)
            }
            weight -= inWork
            bytes -= bytesInWork
            return batch
        }
    }

    /// Who is told.
    struct Listener {
        /// Rows are durable, or never will be.
        var whenEnded: @Sendable (_ entries: [Entry], _ areDurable: Bool) -> Void
        /// The run has to end. Rows that come after that may be written down all the same, where the room for that was kept; where that
        /// fails as well, it is told again, and nothing is written any more.
        var whenFailed: @Sendable (PhotoError) -> Void
        /// Whether to hold back; in order.
        var holdBack: @Sendable (Bool) -> Void
    }

    static let rowsOfABatch = {
        // Each is an open file until its batch is on the disk. Where the system allows few, most are left to the transfers.
        var files = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &files) == 0 else { return 256 }
        let free = Int(clamping: files.rlim_cur) - 192
        return min(256, max(8, free / 4))
    }()
    /// With so many on their way, no more are to come until there are half as many.
    static let mostRows = 2 * rowsOfABatch
    /// So many bytes that wait in memory are a batch.
    static let bytesOfABatch = 16_000_000
    /// With so many in memory, no more are to come until there are half as many.
    static let mostBytes = 2 * bytesOfABatch

    private let store: any ResultStore
    private let interval: Duration
    private let pause: Duration
    private let queue = OperationQueue()
    private let state = Lock(State())
    // Safe: only operations of the queue touch it, one at a time.
    private nonisolated(unsafe) let journal: Journal
    private let reserve: Lock<JournalReserve?>
    private let listener = Lock<Listener?>(nil)

    /// - Parameters:
    ///   - journal: The journal, which is the writer's from here on.
    ///   - store: Where the results go.
    ///   - reserve: Room for the journal; nil where a full disk may cost rows that have come to their end. Default: nil.
    ///   - interval: The longest that a row waits for its batch.
    ///   - pause: When no row came for so long, those that wait are a batch; but not before they have waited for as long as the last
    ///     batch took, so that a slow disk is not always busy with batches of a row each.
    init(
        _ journal: Journal, store: any ResultStore, reserve: JournalReserve? = nil,
        interval: Duration = .milliseconds(500), pause: Duration = .milliseconds(40)
    ) {
        (self.journal, self.reserve) = (journal, Lock(reserve))
        self.store = store
        self.interval = interval
        self.pause = pause
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
            state.weight += entry.weight
            state.bytes += entry.result.byteCount
            state.lastCame = .now
            if !state.isHoldingBack, state.isFull(by: 1) {
                state.isHoldingBack = true
                // In the lock, so that the last word is the true one.
                listener?.holdBack(true)
            }
            if state.weight >= Self.rowsOfABatch || state.bytes >= Self.bytesOfABatch {
                start(&state)
            } else if state.timer == nil {
                let batch = state.batches
                let latest = state.lastCame + interval
                state.timer = Task { await waitForOthers(of: batch, until: latest) }
            }
        }
    }

    /// Waits until no more rows come, and makes a batch of those that came.
    private func waitForOthers(of batch: Int, until latest: ContinuousClock.Instant) async {
        func due() -> ContinuousClock.Instant? {
            state.withLock { state in
                guard state.batches == batch else { return nil }
                let due = min(state.lastCame + max(pause, state.lastWrite), latest)
                if due > .now { return due }
                start(&state)
                return nil
            }
        }
        while let due = due() { try? await Task.sleep(until: due, clock: .continuous) }
    }

    /// Takes the small pictures of a row, which go with the next rows that come to their end.
    func add(_ images: ReportImages.Pair, of number: Int) {
        state.withLock { $0.images[number] = images }
    }

    /// Waits for no more rows.
    func flush() {
        state.withLock { if !$0.waiting.isEmpty { start(&$0) } }
    }

    /// Puts all that was written into the database's own file, when nothing more comes.
    ///
    /// - Returns: Whether that is where it was.
    func gather() async -> Bool {
        await withCheckedContinuation { continuation in
            queue.addOperation { [self] in
                // Nothing follows that it would be kept for, and the database needs as much as its log.
                reserve.withLock { $0.take() }?.release()
                journal.gather()
                continuation.resume(returning: !journal.isOrphaned)
            }
        }
    }

    private func start(_ state: inout State) {
        guard !state.isWorking else { return }
        state.isWorking = true
        queue.addOperation { [self] in work() }
    }

    private func work() {
        var (entries, images, hasFailed) = state.withLock { state -> ([Entry], [Int: ReportImages.Pair], Bool) in
            let entries = state.takeBatch()
            state.batches += 1
            state.timer?.cancel()
            state.timer = nil
            defer { state.images = [:] }
            return (entries, state.images, state.hasFailed)
        }
        let listener = listener.withLock { $0 }
        var failure: PhotoError?
        if !hasFailed {
            let duration = ContinuousClock().measure { failure = write(entries, images) }
            state.withLock { ($0.hasFailed, $0.lastWrite) = (failure != nil, duration) }
            if let failure { listener?.whenFailed(failure) }
        }
        // Files that got no name are removed before it is told: the program may end then.
        for index in entries.indices { entries[index].result = .none }
        listener?.whenEnded(entries, !hasFailed && failure == nil)
        state.withLock { state in
            (state.inWork, state.bytesInWork) = (0, 0)
            state.isWorking = false
            if state.isHoldingBack, !state.isFull(by: 0.5) {
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
        let folder = JournalFolder(in: store.folder.path)
        // Results whose rows nobody will know are not given their names.
        if journal.isOrphaned { return folder.writeFailedAsGone }
        let committed: CommittedSamples
        do throws(PhotoError) {
            committed = try store.commit(entries, journal)
        } catch {
            return error
        }
        func record(_ images: [Int: ReportImages.Pair]) throws(SQLiteError) {
            try journal.record(
                entries.map { Journal.Entry(number: $0.number, row: $0.row, digest: $0.digest, leader: $0.leader) },
                images: images, committed)
        }
        do throws(SQLiteError) {
            do throws(SQLiteError) { try record(images) } catch {
                guard error.isLackOfRoom, let room = reserve.withLock({ $0.take() }) else { throw error }
                // The run ends first, so that its pictures do not take the room.
                listener.withLock { $0 }?.whenFailed(folder.writeFailed(error))
                room.release()
                // Small pictures take most of the room, and the report does without them.
                do throws(SQLiteError) { try record(images) } catch { try record([:]) }
            }
            return nil
        } catch {
            return folder.writeFailed(error)
        }
    }
}

extension JournalFolder {
    /// Why the journal cannot be written.
    func writeFailed(_ error: SQLiteError) -> PhotoError {
        PhotoError(.writeFailed, "Cannot write the journal \(database): \(error.sentence).")
    }

    /// That the journal is not where it was.
    var writeFailedAsGone: PhotoError {
        PhotoError(.writeFailed, "Cannot write the journal \(database): \(Self.goneReason).")
    }

    /// That a journal cannot be read on that is not where it was.
    var unusableAsGone: DevelopmentError { .journalUnusable(path: database, reason: Self.goneReason) }

    private static let goneReason = "somebody has moved or removed it"

    /// Why the journal cannot be used.
    func unusable(_ error: SQLiteError) -> DevelopmentError {
        .journalUnusable(path: database, reason: error.sentence)
    }
}

extension SQLiteError {
    /// What went wrong, to be put behind a colon.
    var sentence: String {
        primaryCode == Self.full ? FileError(code: ENOSPC).reason : text
    }
}
