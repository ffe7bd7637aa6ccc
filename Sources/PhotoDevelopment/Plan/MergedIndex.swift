import FoundationEssentials
import PhotoPipeline

/// The index of a whole data set: each row of the catalog once.
struct MergedIndex: ~Copyable {
    private let plans: PlanGenerations
    private var sum = ShardMarker.File.Sum()
    /// What was written, when all was.
    private(set) var file = ShardMarker.File(of: Data())
    /// How many rows were written.
    private(set) var written = 0
    /// How many failed, by reason.
    private(set) var failures: [String: Int] = [:]

    init(of plans: PlanGenerations) {
        self.plans = plans
    }

    /// Writes the lines of all shards; of a row that several have, the one that counts.
    ///
    /// - Throws: `shardsDamaged` or `outputUnusable`.
    mutating func write(
        _ committed: [(shard: PlanGenerations.Shard, marker: ShardMarker)], to file: TemporaryFile
    ) throws(DevelopmentError) {
        let outcomes = try plans.outcomes(committed)
        var buffer = Data()
        var count = 0
        try plans.eachIndex(of: committed) { (shard, marker, index) throws(DevelopmentError) in
            if let outcomes {
                let (lines, taken) = try takeLines(of: index, in: shard, outcomes)
                buffer.append(contentsOf: lines)
                count += taken
            } else {
                buffer.append(contentsOf: index)
                count += marker.rows
                written += marker.written
                failures.merge(marker.failures) { $0 + $1 }
            }
            if buffer.count >= 1 << 20 { try flush(&buffer, to: file) }
        }
        try flush(&buffer, to: file)
        self.file = sum.finalize()
        guard count == plans.first.rows else {
            throw .outputUnusable(
                path: plans.path,
                reason:
                    "shards have \(count) of the plan's \(plans.first.rows) rows; classicphotos verify names what is "
                    + "damaged")
        }
    }

    private mutating func takeLines(
        of index: [UInt8], in shard: PlanGenerations.Shard, _ outcomes: RowOutcomes
    ) throws(DevelopmentError) -> (lines: [UInt8], count: Int) {
        var lines: [UInt8] = []
        var (count, written, failures) = (0, 0, [String: Int]())
        try plans.eachLine(of: index, in: shard) { line, text in
            guard outcomes.generation(of: line.row) == shard.generation else { return }
            lines.append(contentsOf: text)
            lines.append(0x0A)
            count += 1
            if let reason = line.reason { failures[reason, default: 0] += 1 } else { written += 1 }
        }
        self.written += written
        self.failures.merge(failures) { $0 + $1 }
        return (lines, count)
    }

    private mutating func flush(_ buffer: inout Data, to file: TemporaryFile) throws(DevelopmentError) {
        do throws(FileError) {
            try file.write(buffer)
            buffer.withUnsafeBytes { sum.add($0) }
        } catch {
            throw plans.place.failure(error).error(at: plans.path)
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
