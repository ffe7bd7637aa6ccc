/// The shards that a task is at, in the order in which they were begun.
///
/// A plain value. One shard is at work at a time; where the last one only waits, the next one is begun beside it.
///
/// A shard that waits has its rows and its journal in memory, some two kilobytes a row. It has no open file, but in an object store
/// a folder with its results on this machine. That is what the limits are for. A host that refuses is given up after twice the
/// patience, which is two minutes by default; while that goes on, the shards of 64 times two seconds of work can be open, or ten of
/// 10,000 rows with twelve seconds of work each.
struct OpenShards {
    /// How many may be open.
    static let most = 64
    /// How many rows they may have together; one alone may have more.
    static let mostRows = 100_000

    private var attempts: [ShardAttempt] = []
    /// Whether the last one only waits.
    private var lastWaits = false

    var isEmpty: Bool { attempts.isEmpty }
    var last: ShardAttempt? { attempts.last }

    /// Whether a shard may be begun; always where no other one is open.
    func mayBegin(_ shard: RunPlan.Shard) -> Bool {
        attempts.isEmpty || lastWaits && Self.hasRoom(for: shard.rows, beside: attempts.map(\.rowCount))
    }

    /// Whether one of so many rows may be open beside others of so many.
    static func hasRoom(for rows: Int, beside open: [Int]) -> Bool {
        open.count < most && open.reduce(rows, +) <= mostRows
    }

    mutating func add(_ attempt: ShardAttempt) {
        attempts.append(attempt)
        lastWaits = false
    }

    /// A shard only waits.
    mutating func waits(_ shard: Int) { if attempts.last?.number == shard { lastWaits = true } }

    /// Takes a shard out that has come to its end. Whether the last one still waits is to be asked again.
    mutating func remove(_ shard: Int) -> ShardAttempt? {
        lastWaits = false
        return attempts.firstIndex { $0.number == shard }.map { attempts.remove(at: $0) }
    }
}
