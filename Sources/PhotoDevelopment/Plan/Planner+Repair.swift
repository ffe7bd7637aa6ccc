import FoundationEssentials
import PhotoPipeline

extension Planner {
    /// What was planned of shards that are damaged or missing.
    public struct Repair: Sendable {
        /// What was made.
        public let plan: RunPlan
        /// Shards of earlier generations that are left for another repair, after this one is done.
        public let left: Int
    }

    /// Writes a plan of the shards of an output folder that are missing, or not what was committed. They are made again whole, under their
    /// numbers, but for rows that were written in other shards meanwhile. Blocks until every byte of the folder is read.
    ///
    /// - Parameters:
    ///   - output: The output folder.
    ///   - source: The folder of the plan that the shards are of; nil for the one that `develop` had.
    ///   - folder: The plan's folder, which is made.
    /// - Returns: Nil where all shards are whole, and nothing was written.
    /// - Throws: `planUnusable` where the output folder is none of a plan, or the plan's folder is not there; `shardsDamaged` or
    ///   `planUnwritable`.
    public static func planRepair(
        of output: String, from source: String? = nil, into folder: String
    ) throws(DevelopmentError) -> Repair? {
        let plans = try PlanGenerations(output)
        let verification = try PlanVerification(of: plans, collectsGarbage: false, readsDataSet: false)
        let broken = verification.status.missing + verification.status.damaged + verification.damaged
        // Tasks of one plan have no host in common, and those of two may have.
        guard let generation = broken.map(\.generation).max() else { return nil }
        let chosen = Set(broken.filter { $0.generation == generation }.map(\.number))
        let written = try rowsWrittenElsewhere(plans, but: Set(broken.map(\.number)))
        let plan = plans.outputs[generation].plan
        let place = try self.place(of: plans.outputs[generation], source)
        let tasks = plan.shardsByTask.indices.filter { task in
            plan.shardsByTask[task].contains { chosen.contains($0.number) }
        }
        // Each shard has rows of one that is there already, and no others.
        let writer = try PlanWriter(in: folder, tasks: tasks.count, rowsPerShard: 1)
        var shards: [[RunPlan.Shard]] = []
        for (position, task) in tasks.enumerated() {
            let rows = try TaskRows(task: task, of: plan, in: place)
            shards.append([])
            for shard in plan.shardsByTask[task] {
                guard chosen.contains(shard.number) else {
                    try rows.skip(shard.rows)
                    continue
                }
                let first = writer.count
                for line in try rows.nextLines(shard.rows).split(separator: 0x0A) {
                    guard let number = TaskLine.number(of: line), number < plans.first.catalogRows else {
                        throw .planUnusable(path: place.path, reason: "the rows of task \(task) are damaged")
                    }
                    if written?.isWritten(number) ?? false { continue }
                    try writer.add(to: position) { bytes in
                        line.withUnsafeBytes { bytes.append($0) }
                        bytes.append(0x0A)
                    }
                }
                shards[position].append(RunPlan.Shard(number: shard.number, rows: writer.count - first))
            }
        }
        let result = try writer.finish { order, rows, digest in
            RunPlan(
                after: plans.first, plans.parent(of: order.map { shards[$0] }), rows: digest, taskRows: rows)
        }
        return Repair(plan: result.plan, left: broken.count - chosen.count)
    }

    /// What is known of rows from shards that are whole.
    private static func rowsWrittenElsewhere(
        _ plans: PlanGenerations, but broken: Set<Int>
    ) throws(DevelopmentError) -> RowOutcomes? {
        var whole: [(shard: PlanGenerations.Shard, marker: ShardMarker)] = []
        _ = try PlanStatus(plans) { if !broken.contains($0.number) { whole.append(($0, $1)) } }
        return try plans.outcomes(whole)
    }

    /// The folder of the plan that an output folder is of.
    private static func place(
        of output: PlanOutput, _ source: String?
    ) throws(DevelopmentError) -> any PlanPlace {
        let folder = source ?? output.knownPlanFolder ?? output.path
        let place = try PlanPlaces.open(folder)
        let problem: String
        do throws(DevelopmentError) {
            if try RunPlan(in: place) == output.plan { return place }
            problem = "it is not the plan of \(output.path)"
        } catch {
            guard case .planUnusable(_, let reason) = error else { throw error }
            problem = reason
        }
        throw .planUnusable(
            path: folder,
            reason: "\(problem); name the folder of the plan of \(output.path): classicphotos plan PLAN --repair DIR")
    }
}
