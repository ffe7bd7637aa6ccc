import Catalogs
import PhotoPipeline

extension Planner {
    /// Writes a plan of the rows that failed in the committed shards of an output folder, in any generation, and were not written later.
    ///
    /// Keys, entries and the recipe stay those of the catalog. `develop` writes its results into the same folder.
    ///
    /// - Parameters:
    ///   - output: The output folder.
    ///   - failures: Why they failed, in the last generation that tried; nil for any reason.
    ///   - folder: The plan's folder, which is made.
    ///   - tasks: How many tasks, 1 to 100,000; nil for as many as the first plan has.
    /// - Returns: Nil where no row failed so, and nothing was written.
    /// - Throws: `planUnusable` where the output folder is none of a plan, `generationUnfinished` where an earlier plan of this kind has
    ///   shards left, `shardsDamaged` or `planUnwritable`.
    public static func planFailures(
        of output: String, for failures: FailureSelection? = nil, into folder: String, tasks: Int? = nil
    ) throws(DevelopmentError) -> Result? {
        let plans = try PlanGenerations(output)
        var committed: [(shard: PlanGenerations.Shard, marker: ShardMarker)] = []
        let status = try PlanStatus(plans) { committed.append(($0, $1)) }
        if !status.damaged.isEmpty {
            throw .shardsDamaged(output: output, shards: status.damaged.map(\.number))
        }
        // A row that is planned already is not planned twice, as it could be written twice.
        if let unfinished = status.generations.dropFirst().first(where: { !$0.unfinishedTasks.isEmpty }) {
            throw .generationUnfinished(
                output: output, generation: unfinished.number, tasks: unfinished.unfinishedTasks)
        }
        let outcomes = try plans.outcomes(committed)
        var writer: PlanWriter?
        try plans.eachIndex(of: committed) { (shard, _, index) throws(DevelopmentError) in
            var lines: [UInt8] = []
            try plans.eachLine(of: index, in: shard) { line, text in
                guard line.reason != nil, failures.map({ line.failed(with: $0) }) ?? true,
                    outcomes.map({ $0.generation(of: line.row) == shard.generation }) ?? true
                else { return }
                IndexLine.appendTaskLine(line, text, to: &lines)
            }
            guard !lines.isEmpty else { return }
            // Where nothing failed no folder is made.
            let opened: PlanWriter
            if let writer {
                opened = writer
            } else {
                opened = try PlanWriter(
                    in: folder, tasks: tasks ?? max(1, plans.first.taskRows.count),
                    rowsPerShard: plans.first.rowsPerShard)
                writer = opened
            }
            try add(lines, to: opened)
        }
        guard let writer else { return nil }
        return try writer.finish { _, rows, digest in
            let shards = RunPlan.shards(of: rows, rowsPerShard: plans.first.rowsPerShard, from: plans.nextNumber)
            return RunPlan(after: plans.first, plans.parent(of: shards), rows: digest, taskRows: rows)
        }
    }

    private static func add(_ lines: [UInt8], to writer: PlanWriter) throws(DevelopmentError) {
        let catalog: Catalog
        do throws(CatalogError) {
            catalog = try TaskRows.catalog(lines)
        } catch {
            throw .catalogUnreadable(error)
        }
        for row in catalog {
            guard let line = row.entry, let number = TaskLine.number(of: line.utf8) else { continue }
            try row.withAddressBytes { (address) throws(DevelopmentError) in
                try writer.add(address, row.content, number: number) {
                    $0.append(line)
                    $0.append(0x0A)
                }
            }
        }
    }
}
