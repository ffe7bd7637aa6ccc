import Glibc
import PhotoPipeline
import Transfers

/// Which rows a run takes, and what has become of the others before.
struct RowPlan: Sendable {
    /// The rows that are taken; where it is inverted, those that are not.
    private var taken: RowSet
    private var isInverted: Bool
    private var written: RowSet
    /// The endings of written rows' results that are not the usual one.
    private var endings: [Int: String] = [:]

    /// The rows that earlier runs wrote, and this one leaves alone.
    private(set) var filtered = 0
    /// The rows that failed in earlier runs, and stay so.
    private(set) var failed = 0
    /// The kinds of failure of those.
    private(set) var failures: [PhotoError.Reason: Int] = [:]
    /// The first of them, with the photos' names.
    private(set) var examples: [(name: String, error: PhotoError)] = []

    /// All of `count` rows.
    init(count: Int) {
        taken = RowSet(count: count)
        written = RowSet(count: count)
        isInverted = true
    }

    /// What a journal leaves to do.
    ///
    /// - Parameters:
    ///   - journal: The journal of an earlier run over the same rows.
    ///   - count: How many rows there are.
    ///   - store: Where the pictures are; a row whose picture is gone is not done.
    ///   - usualEnding: What most results' names end in.
    ///   - retried: The failures whose rows are taken, and no others; nil for the rows that have not come to their end.
    init(
        after journal: Journal, count: Int, in store: any ResultStore, usualEnding: String,
        retrying retried: Set<PhotoError.Reason>?
    ) throws(SQLiteError) {
        self.init(count: count)
        isInverted = retried == nil
        let isThere = try store.presence(by: journal)
        let rows = JournalRows(of: journal)
        // Rows beyond the last are those of a damaged journal.
        while let entry = rows.nextEntry(), entry.number < count { add(entry, isThere, usualEnding, retried) }
        if let failure = rows.failure { throw failure }
    }

    private mutating func add(
        _ entry: Journal.Entry, _ isThere: (Int, String) -> Bool, _ usualEnding: String,
        _ retried: Set<PhotoError.Reason>?
    ) {
        switch entry.row.outcome {
        case .filtered(let file):
            guard isThere(entry.number, file) else { return }
            if retried == nil { taken.insert(entry.number) }
            written.insert(entry.number)
            if let ending = file.nameEnding, ending != usualEnding { endings[entry.number] = ending }
            filtered += 1
        case .failed(let error):
            if let retried {
                guard !retried.contains(error.reason) else { return taken.insert(entry.number) }
            } else {
                taken.insert(entry.number)
            }
            failed += 1
            failures[error.reason, default: 0] += 1
            if examples.count < DevelopmentSummary.mostExamples { examples.append((entry.row.name, error)) }
        case .cancelled: break
        }
    }

    /// Whether the run takes a row.
    func takes(_ row: Int) -> Bool { taken.contains(row) != isInverted }

    /// The ending of the name of a row's result, where an earlier run wrote it and it is not the usual one.
    func ending(of row: Int) -> String? { endings[row] }

    /// Whether an earlier run wrote a row's file, which is there.
    func isWritten(_ row: Int) -> Bool { written.contains(row) }
}
