public import PhotoPipeline

/// How many photos of a run came to which end.
public struct ReportTotals: Hashable, Sendable {
    /// The photos of the catalog.
    public let rows: Int
    /// Those that were written.
    public internal(set) var filtered = 0
    /// Those of them whose data is damaged, and that were kept all the same.
    public internal(set) var damaged = 0
    /// Those that failed.
    public internal(set) var failed = 0
    /// How often each kind of failure happened.
    public internal(set) var failures: [PhotoError.Reason: Int] = [:]
    /// The bytes that were received for them.
    public internal(set) var bytes = 0

    init(rows: Int) {
        self.rows = rows
    }

    /// Those that have not come to their end.
    public var unfinished: Int { rows - filtered - failed }
}
