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
    private var shardBytes: ShardBytes
    /// Leaves rows out whose address an earlier one has; nil where they stay.
    private let deduplication: PlanDeduplication?
    /// Tasks with shards of too many bytes, which rows that are left out may make smaller.
    private var tasksOfTooManyBytes: Set<Int> = []
    /// How many rows were left out; nil where all stay.
    var repeatedRows: Int? { deduplication?.count }

    /// - Parameters:
    ///   - folder: The plan's folder, which is made.
    ///   - tasks: How many tasks.
    ///   - rowsPerShard: How many rows of a task are a shard.
    ///   - leavesRepeatedRowsOut: Whether rows are left out whose address an earlier row has.
    ///   - mostShardBytes: How many bytes these may have: a task reads the rows of a shard at once. Default: as many as it can.
    /// - Throws: `planUnwritable`, also where there is a plan in it.
    init(
        in folder: String, tasks: Int, rowsPerShard: Int, leavingRepeatedRowsOut leavesRepeatedRowsOut: Bool = false,
        mostShardBytes: Int = CatalogLimits().maximumBytes
    ) throws(DevelopmentError) {
        shardBytes = ShardBytes(tasks: tasks, rowsPerShard: rowsPerShard, most: mostShardBytes)
        destination = try PlanDestination(folder)
        assignment = TaskAssignment(tasks: tasks)
        do throws(FileError) {
            let path = destination.folder + "/tasks"
            files = try TaskFiles(in: path, tasks: tasks)
            deduplication = leavesRepeatedRowsOut ? try PlanDeduplication(in: path, tasks: tasks) : nil
        } catch {
            throw destination.failure(error)
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
        try add(to: assignment.task(of: address, content(), number: number), address, write)
    }

    /// Adds a row to a task.
    ///
    /// - Parameters:
    ///   - address: Its address as it stands; empty for a row that stays in any case.
    ///   - write: Appends the row's line.
    func add(
        to task: Int, _ address: UnsafeBufferPointer<UInt8> = UnsafeBufferPointer(start: nil, count: 0),
        _ write: (LineBuffer) -> Void
    ) throws(DevelopmentError) {
        let start = lines.count
        write(lines)
        try addLine(from: start, address, to: task)
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
        try addLine(from: start, row.address, to: task)
    }

    private func addLine(
        from start: Int, _ address: UnsafeBufferPointer<UInt8>, to task: Int
    ) throws(DevelopmentError) {
        let line = lines.bytes(from: start)
        if !shardBytes.add(line.count, to: task) {
            guard deduplication != nil else { throw tooManyBytes }
            tasksOfTooManyBytes.insert(task)
        }
        do throws(FileError) {
            try files.add(line, to: task)
            try deduplication?.add(address, to: task)
        } catch {
            throw destination.failure(error)
        }
        if lines.count >= 1 << 16 { addToDigest() }
        count += 1
    }

    private var tooManyBytes: DevelopmentError {
        .planUnwritable(
            path: destination.path, reason: "the rows of a shard are more than 1 GiB; take fewer rows for each")
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
        let repeated = try leaveRepeatedRowsOut()
        let (order, rows): ([Int], [Int])
        var digests: [String] = []
        do throws(FileError) {
            let path = { [destination] (task: Int) in destination.folder + "/" + RunPlan.file(ofTask: task) }
            (order, rows) = try files.finish(path)
            for task in order.indices { digests.append(try RunPlan.digest(of: path(task))) }
        } catch {
            throw destination.namingFailure(error)
        }
        var plan = makePlan(order, rows, sum.finalize())
        plan.taskDigests = digests
        guard plan.isSound else {
            throw .planUnwritable(
                path: destination.path, reason: "it has too many shards; take more rows for each")
        }
        try destination.publish(plan)
        let least = max(2, plan.rows / max(1, order.count) + 1)
        return Planner.Result(
            plan: plan, heavyDomains: repeated?.domains(withAtLeast: least) ?? assignment.domains(withAtLeast: least))
    }

    /// - Returns: Whose rows were left out; nil where all stay.
    private func leaveRepeatedRowsOut() throws(DevelopmentError) -> RepeatedHosts? {
        guard let deduplication else { return nil }
        var hosts = RepeatedHosts(among: assignment)
        var last: Int?
        try deduplication.finish(files) { (task, bytes) throws(DevelopmentError) in
            guard let bytes else {
                if tasksOfTooManyBytes.contains(task) { throw tooManyBytes }
                return
            }
            if last != task { shardBytes.reset(task) }
            last = task
            guard shardBytes.add(bytes, to: task) else { throw tooManyBytes }
        } leaveOut: {
            hosts.leaveOut($0)
        }
        return hosts
    }
}
