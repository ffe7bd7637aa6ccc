/// How far the tasks of a plan have come, together.
public struct PlanStatus: Sendable {
    /// What one plan has brought: the first one, or one of what failed or was damaged before.
    public struct Generation: Sendable {
        /// Its number; the first plan is generation 0.
        public let number: Int
        /// Its shards, without those that were planned again later.
        public fileprivate(set) var shards = 0
        /// The rows of these.
        public fileprivate(set) var rows = 0
        /// Those shards that are committed, with a marker that can be read.
        public fileprivate(set) var committed = 0
        /// Tasks that have shards left.
        public fileprivate(set) var unfinishedTasks: [Int] = []
        /// Rows of committed shards that were written.
        public fileprivate(set) var written = 0
        /// Rows of committed shards that failed, by reason.
        public fileprivate(set) var failures: [String: Int] = [:]
        /// The bytes that were received for them.
        public fileprivate(set) var bytes = 0
    }

    /// The rows of the catalog that are planned.
    public let rows: Int
    /// Those that are not, as an earlier one has their address; nil where all are.
    public let repeatedRows: Int?
    /// The plans that this folder is of, the first one first.
    public private(set) var generations: [Generation]
    /// What is wrong with markers, a sentence each.
    public private(set) var damage: [String] = []
    /// Shards that nobody has committed.
    private(set) var missing: [PlanGenerations.Shard] = []
    /// Shards whose markers cannot be used.
    private(set) var damaged: [PlanGenerations.Shard] = []

    /// The shards of all plans.
    public var shards: Int { generations.reduce(0) { $0 + $1.shards } }
    /// Those that are committed, with a marker that can be read.
    public var committed: Int { generations.reduce(0) { $0 + $1.committed } }
    /// Rows of the catalog that were written.
    public var written: Int { generations.reduce(0) { $0 + $1.written } }
    /// Rows that failed, and were not written later.
    public private(set) var failed = 0
    /// The bytes that were received for what is committed.
    public var bytes: Int { generations.reduce(0) { $0 + $1.bytes } }
    /// Whether nothing is missing and nothing is damaged, as far as markers say.
    public var isComplete: Bool { committed == shards && damage.isEmpty }

    /// Looks at the markers in an output folder.
    ///
    /// - Throws: `planUnusable` where it is none of a plan, `planWithoutOutput` where it is a plan's own and no output.
    public init(of output: String) throws(DevelopmentError) {
        try self.init(try PlanGenerations(output)) { _, _ in }
    }

    /// - Parameter each: Told of each marker, in the shards' order.
    init(_ plans: PlanGenerations, each: (PlanGenerations.Shard, ShardMarker) -> Void) throws(DevelopmentError) {
        (rows, repeatedRows) = (plans.first.rows, plans.first.repeatedRows)
        generations = plans.outputs.indices.map { Generation(number: $0) }
        let first = plans.first.shardsByTask.joined().map(\.rows)
        var unfinished = generations.map { _ in Set<Int>() }
        var committed: [(shard: PlanGenerations.Shard, marker: ShardMarker)] = []
        var rowsInCommitted = 0
        try plans.readMarkers { shard, found in
            generations[shard.generation].shards += 1
            generations[shard.generation].rows += shard.rows
            switch found {
            case .success(let marker?):
                count(marker, in: shard.generation)
                if shard.number < first.count { rowsInCommitted += first[shard.number] }
                if generations.count > 1 { committed.append((shard, marker)) }
                each(shard, marker)
            case .success(nil):
                missing.append(shard)
                unfinished[shard.generation].insert(shard.task)
            case .failure(let error):
                damaged.append(shard)
                let reason = error.isDamage ? "it is damaged, or of another plan" : error.reason
                let output = plans.outputs[shard.generation]
                let marker = output.path + "/" + output.markerName(ofShard: shard.number)
                damage.append("the marker \(marker) cannot be used: \(reason)")
            }
        }
        for number in generations.indices { generations[number].unfinishedTasks = unfinished[number].sorted() }
        failed = max(0, rowsInCommitted - written)
        // Rows of a shard of the first plan that is not there may have been written later; how many, only the indexes say.
        guard (missing + damaged).contains(where: { $0.number < first.count }) else { return }
        if let outcomes = try? plans.outcomes(committed) { failed = outcomes.failedCount }
    }

    private mutating func count(_ marker: ShardMarker, in generation: Int) {
        generations[generation].committed += 1
        generations[generation].written += marker.written
        generations[generation].bytes += marker.bytes
        generations[generation].failures.merge(marker.failures) { $0 + $1 }
    }

    /// Numbers as engines take them: `0,3-5`.
    public static func ranges(of numbers: [Int]) -> String {
        var ranges: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = ranges.last, last.upperBound + 1 == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ",")
    }
}
