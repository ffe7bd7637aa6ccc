import Glibc
import PhotoPipeline
import Transfers

/// Which rows a run takes, and what has become of the others before.
struct RowPlan: Sendable {
    /// The rows that are taken; where it is inverted, those that are not.
    private var taken: RowSet
    private var isInverted: Bool
    /// The rows that are asked for again whatever a cache has of them.
    private var reloaded: RowSet
    private var written: RowSet
    /// The endings of the names of written rows' results.
    private(set) var endings: ResultEndings
    /// What is wrong with the data of written rows that were kept all the same.
    private(set) var damages: [Int: String] = [:]

    /// The rows that earlier runs wrote, and this one leaves alone.
    private(set) var filtered = 0
    /// The rows that failed in earlier runs, and stay so.
    private(set) var failed = 0
    /// The kinds of failure of those.
    private(set) var failures: [PhotoError.Reason: Int] = [:]
    /// The first of them, with the photos' names.
    private(set) var examples: [(name: String, error: PhotoError)] = []

    /// All of `count` rows.
    ///
    /// - Parameters:
    ///   - count: How many rows there are.
    ///   - renditions: What is made of a photo.
    init(count: Int, of renditions: [Rendition]) {
        taken = RowSet(count: count)
        reloaded = RowSet(count: count)
        written = RowSet(count: count)
        isInverted = true
        endings = ResultEndings(usual: renditions.map(\.usualEnding))
    }

    /// What a journal leaves to do.
    ///
    /// - Parameters:
    ///   - journal: The journal of an earlier run over the same rows.
    ///   - count: How many rows there are.
    ///   - store: Where the pictures are; a row whose picture is gone is not done.
    ///   - renditions: What is made of a photo.
    ///   - retried: The failures whose rows are taken, and no others; nil for the rows that have not come to their end.
    init(
        after journal: Journal, count: Int, in store: any ResultStore, renditions: [Rendition],
        retrying retried: FailureSelection?
    ) throws(DevelopmentError) {
        self.init(count: count, of: renditions)
        isInverted = retried == nil
        let isThere = try store.presence(by: journal)
        let rows = JournalRows(of: journal)
        // Rows beyond the last are those of a damaged journal.
        while let entry = rows.nextEntry(), entry.number < count { add(entry, isThere, retried) }
        if let failure = rows.failure { throw JournalFolder(in: store.folder.path).unusable(failure) }
    }

    private mutating func add(
        _ entry: Journal.Entry, _ isThere: (Int, [String]) -> Bool, _ retried: FailureSelection?
    ) {
        switch entry.row.outcome {
        case .filtered(let files, let damage):
            // A row with fewer or more is that of a damaged journal.
            guard files.count == endings.usual.count, isThere(entry.number, files) else { return }
            if retried == nil { taken.insert(entry.number) }
            written.insert(entry.number)
            endings.note(files, of: entry.number)
            damages[entry.number] = damage
            filtered += 1
        case .failed(let error):
            if let retried {
                guard !retried.contains(error) else {
                    if error.isAboutBody || error.reason == .http { reloaded.insert(entry.number) }
                    return taken.insert(entry.number)
                }
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

    /// How caches are used for a row: not for one that is taken again because of what came, as a cache may have kept that.
    func cachePolicy(of row: Int) -> CachePolicy { reloaded.contains(row) ? .reload : .standard }

    /// Whether an earlier run wrote a row's file, which is there.
    func isWritten(_ row: Int) -> Bool { written.contains(row) }

    /// Whether others may share what an earlier run made of a row: not where its data is damaged, and this run keeps no such photos.
    func isShared(_ row: Int, keepsDamaged: Bool) -> Bool {
        isWritten(row) && (keepsDamaged || damages[row] == nil)
    }
}
