import Glibc
import Transfers

extension PlanStatus {
    /// The tasks of a plan with shards that nobody has committed: what an engine is to begin with, or to go on with.
    ///
    /// - Parameters:
    ///   - folder: The plan's folder.
    ///   - output: The output folder of its tasks.
    /// - Returns: Their numbers, in order; all that have shards where no task has begun yet. And what is wrong with markers, a sentence each:
    ///   tasks do not mend that.
    /// - Throws: `planUnusable` where there is no plan, or the output is no folder; `planDiffers` or `parentDiffers` where the output is
    ///   another plan's.
    public static func unfinishedTasks(
        ofPlanIn folder: String, in output: String
    ) throws(DevelopmentError) -> (tasks: [Int], damage: [String]) {
        let plan = try RunPlan(in: try PlanPlaces.open(folder))
        let whole = try PlanPlaces.open(output)
        if whole is FolderPlace, let status = FileStatus(path: output), status.kind != .folder {
            throw .planUnusable(path: output, reason: FileError(code: ENOTDIR).reason)
        }
        try PlanOutput.check(plan, goesOnIn: whole)
        let place = PlanGenerations.place(plan.generation, in: whole)
        let hasBegun: Bool
        do throws(PlaceError) {
            hasBegun = try place.has(RunPlan.file)
        } catch {
            throw error.error(at: place.path, ofFile: DevelopmentError.placeUnreadable)
        }
        guard hasBegun else {
            // A shard of a repair may have no rows left, and is to be committed all the same.
            let tasks = plan.shardsByTask
            return (tasks.indices.filter { !tasks[$0].isEmpty }, [])
        }
        if let difference = plan.difference(from: try RunPlan(in: place)) {
            throw .planDiffers(output: place.path, reason: difference)
        }
        // A task may write to the plan's own folder.
        let status = try PlanStatus(try PlanGenerations(whole)) { _, _ in }
        return (status.generations[plan.generation].unfinishedTasks, status.damage)
    }
}
