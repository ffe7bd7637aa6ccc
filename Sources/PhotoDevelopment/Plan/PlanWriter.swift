import PhotoPipeline
import Transfers

/// The folder of a plan while it is made; for one thread.
final class PlanWriter {
    private let destination: PlanDestination
    private let files: TaskFiles
    private var assignment: TaskAssignment
    private var sum = CatalogDigest.Sum()
    /// The line at hand.
    private var line: [UInt8] = []
    /// How many rows it has so far.
    private(set) var count = 0

    /// - Parameters:
    ///   - folder: The plan's folder, which is made.
    ///   - tasks: How many tasks.
    /// - Throws: `planUnwritable`, also where there is a plan in it.
    init(in folder: String, tasks: Int) throws(DevelopmentError) {
        destination = try PlanDestination(folder)
        assignment = TaskAssignment(tasks: tasks)
        do throws(FileError) {
            files = try TaskFiles(in: destination.folder + "/tasks", tasks: tasks)
        } catch {
            throw .planUnwritable(path: destination.folder, reason: error.reason)
        }
    }

    /// Adds a row to the task of its domain.
    ///
    /// - Parameters:
    ///   - address: Its address as it stands; empty for a broken entry.
    ///   - content: What that means.
    ///   - number: The number of the row.
    ///   - write: Appends the row's line.
    func add(
        _ address: UnsafeBufferPointer<UInt8>,
        _ content: @autoclosure () -> Result<ResourceAddress, CatalogEntryError>, number: Int,
        _ write: (inout [UInt8]) -> Void
    ) throws(DevelopmentError) {
        try add(to: assignment.task(of: address, content(), number: number), write)
    }

    /// Adds a row to a task.
    ///
    /// - Parameter write: Appends the row's line.
    func add(to task: Int, _ write: (inout [UInt8]) -> Void) throws(DevelopmentError) {
        line.removeAll(keepingCapacity: true)
        write(&line)
        sum.add(line)
        do throws(FileError) {
            try files.add(line, to: task)
        } catch {
            throw .planUnwritable(path: destination.folder, reason: error.reason)
        }
        count += 1
    }

    /// Ends the plan, whole or not at all.
    ///
    /// - Parameter makePlan: Makes it of the tasks in their order, by their numbers before, of their rows, and of the digest of all rows.
    func finish(_ makePlan: (_ order: [Int], _ rows: [Int], _ digest: CatalogDigest) -> RunPlan)
        throws(DevelopmentError)
        -> Planner.Result
    {
        let order: [Int]
        do throws(FileError) {
            order = try files.finish { destination.folder + "/" + RunPlan.file(ofTask: $0) }
        } catch {
            throw .planUnwritable(path: destination.folder, reason: error.reason)
        }
        let plan = makePlan(order, order.map { files.rows[$0] }, sum.finalize())
        guard plan.isSound else {
            throw .planUnwritable(
                path: destination.path, reason: "it has too many shards; take more rows for each")
        }
        try destination.publish(plan)
        return Planner.Result(
            plan: plan,
            heavyDomains: assignment.domains(withAtLeast: max(2, count / max(1, order.count) + 1)))
    }
}
