extension PlanStatus {
    /// The tasks of a plan with shards that nobody has committed: what an engine is to begin with, or to go on with.
    ///
    /// - Parameters:
    ///   - folder: The plan's folder.
    ///   - output: The output folder of its tasks.
    /// - Returns: Their numbers, in order; all that have rows where no task has begun yet.
    /// - Throws: `planUnusable` where there is no plan; `planDiffers` where the output is another one's.
    public static func unfinishedTasks(ofPlanIn folder: String, in output: String) throws(DevelopmentError) -> [Int] {
        let plan = try RunPlan(in: try PlanPlaces.open(folder))
        let place = PlanGenerations.place(plan.generation, in: try PlanPlaces.open(output))
        let hasBegun: Bool
        do throws(PlaceError) { hasBegun = try place.has(RunPlan.file) } catch { throw error.error(at: place.path) }
        guard hasBegun else { return plan.taskRows.indices.filter { plan.taskRows[$0] > 0 } }
        if let difference = plan.difference(from: try RunPlan(in: place)) {
            throw .planDiffers(output: place.path, reason: difference)
        }
        return try PlanStatus(of: output).generations[plan.generation].unfinishedTasks
    }
}
