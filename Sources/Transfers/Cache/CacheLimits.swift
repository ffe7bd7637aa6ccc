/// How a limit in bytes is shared out between the files of a database, so that their sum never exceeds it.
struct CacheLimits: Hashable, Sendable {
    /// Bytes of a page.
    static let pageSize = 8_192
    /// The smallest limit that leaves room for pictures.
    static let smallest = 4 << 20

    /// All files together, in bytes.
    let total: Int

    init(total: Int) {
        self.total = max(total, Self.smallest)
    }

    /// The lowest that leaves room for a database of so many bytes.
    init(forDatabase bytes: Int) {
        let pages = (bytes + Self.pageSize - 1) / Self.pageSize
        var (low, high) = (Self.smallest, max(Self.smallest, bytes * 2))
        while low < high {
            let middle = (low + high) / 2
            if CacheLimits(total: middle).databasePages >= pages { high = middle } else { low = middle + 1 }
        }
        self.init(total: low)
    }

    /// The write-ahead log: a quarter, of which a body takes at most the half.
    var logBytes: Int { total / 4 }
    /// The log is copied into the database when it has grown to so many pages: a quarter of its room and at most 4 MB, so
    /// that it is rarely in the way.
    var checkpointPages: Int { max(8, min(logBytes / 4, 4_000_000) / Self.pageSize) }
    /// The index of the log, which is shared between processes: 32 KiB for about 4,000 pages.
    var indexBytes: Int { (logBytes / Self.pageSize / 4_000 + 1) * 32_768 }
    /// The database itself: what is left, but for a margin, because what a transaction adds to the log is an estimate.
    var databasePages: Int { (total - logBytes - indexBytes) / 32 * 31 / Self.pageSize }
    /// The largest body that is stored: larger ones would push too many others out.
    var bodyBytes: Int { total / 16 }

    /// How many pages a body takes, with what belongs to it.
    static func pages(forBody count: Int) -> Int {
        // Four bytes of each page lead to the next one; a page more for each table and index that may have to be split.
        count / (pageSize - 8) + 8
    }

    /// The most that storing a body adds to the log: its pages, each with a head, and pages of the tables and lists that
    /// it and the evictions change.
    static func logBytes(forBody count: Int) -> Int {
        (pages(forBody: count) * 5 / 4 + 24) * (pageSize + 24)
    }
}
