import Catalogs
import PhotoPipeline
import Transfers

/// The folder of a plan while it is made; for one thread.
final class PlanWriter {
    private let destination: PlanDestination
    private let files: TaskFiles
    private let assignment: TaskAssignment
    private var sum = CatalogDigest.Sum()
    /// The lines that are not in the digest yet, the one at hand last.
    private let lines = LineBuffer()
    /// How many rows it has so far.
    private(set) var count = 0
    /// Of the shard that each task is at, how many rows it has so far, and how many bytes these have.
    private var shards: [(rows: Int, bytes: Int)]
    private let rowsPerShard: Int
    private let mostShardBytes: Int

    /// - Parameters:
    ///   - folder: The plan's folder, which is made.
    ///   - tasks: How many tasks.
    ///   - rowsPerShard: How many rows of a task are a shard.
    ///   - mostShardBytes: How many bytes these may have: a task reads the rows of a shard at once. Default: as many as it can.
    /// - Throws: `planUnwritable`, also where there is a plan in it.
    init(
        in folder: String, tasks: Int, rowsPerShard: Int, mostShardBytes: Int = CatalogLimits().maximumBytes
    ) throws(DevelopmentError) {
        shards = Array(repeating: (0, 0), count: tasks)
        (self.rowsPerShard, self.mostShardBytes) = (rowsPerShard, mostShardBytes)
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
        _ write: (LineBuffer) -> Void
    ) throws(DevelopmentError) {
        try add(to: assignment.task(of: address, content(), number: number), write)
    }

    /// Adds a row to a task.
    ///
    /// - Parameter write: Appends the row's line.
    func add(to task: Int, _ write: (LineBuffer) -> Void) throws(DevelopmentError) {
        let start = lines.count
        write(lines)
        try addLine(from: start, to: task)
    }

    /// The host of a row whose address is written as most are; nil of any other.
    func plainHost(of row: Catalog.RowBytes) -> TaskAssignment.RowHost? {
        row.isBroken ? nil : assignment.plainHost(row.address)
    }

    /// Adds a row whose host is known to the task of its domain.
    func add(_ row: Catalog.RowBytes, of host: TaskAssignment.RowHost) throws(DevelopmentError) {
        let task = assignment.task(of: host)
        let start = lines.count
        // A name that is made of such an address is made of it in the task, too.
        TaskLine.append(number: count, name: row.ownName, address: row.address, entry: row.entry, to: lines)
        try addLine(from: start, to: task)
    }

    private func addLine(from start: Int, to task: Int) throws(DevelopmentError) {
        let line = lines.bytes(from: start)
        if shards[task].rows == rowsPerShard { shards[task] = (0, 0) }
        shards[task].rows += 1
        shards[task].bytes += line.count
        guard shards[task].bytes <= mostShardBytes else {
            throw .planUnwritable(
                path: destination.path, reason: "the rows of a shard are more than 1 GiB; take fewer rows for each")
        }
        do throws(FileError) {
            try files.add(line, to: task)
        } catch {
            throw .planUnwritable(path: destination.folder, reason: error.reason)
        }
        if lines.count >= 1 << 16 { addToDigest() }
        count += 1
    }

    private func addToDigest() {
        sum.add(lines.bytes(from: 0))
        lines.removeAll()
    }

    /// Ends the plan, whole or not at all.
    ///
    /// - Parameter makePlan: Makes it of the tasks in their order, by their numbers before, of their rows, and of the digest of all rows.
    func finish(_ makePlan: (_ order: [Int], _ rows: [Int], _ digest: CatalogDigest) -> RunPlan)
        throws(DevelopmentError)
        -> Planner.Result
    {
        addToDigest()
        let (order, rows): ([Int], [Int])
        var digests: [String] = []
        do throws(FileError) {
            let path = { [destination] (task: Int) in destination.folder + "/" + RunPlan.file(ofTask: task) }
            (order, rows) = try files.finish(path)
            for task in order.indices { digests.append(try RunPlan.digest(of: path(task))) }
        } catch {
            throw .planUnwritable(path: destination.folder, reason: error.reason)
        }
        var plan = makePlan(order, rows, sum.finalize())
        plan.taskDigests = digests
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
