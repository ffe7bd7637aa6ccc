public import Catalogs
import FoundationEssentials
import Glibc
import PhotoPipeline
import Transfers

/// Makes a plan of a catalog, in one pass.
public enum Planner {
    /// What is made.
    public struct Result: Sendable {
        /// The plan.
        public let plan: RunPlan
        /// Domains with more rows than a task has on average, the largest first. Counts may be too small, by at most one row in four
        /// thousand of the catalog.
        public let heavyDomains: [(domain: String, rows: Int)]
    }

    /// Reads a catalog and writes its plan, whole or not at all. Blocks until that is done.
    ///
    /// A list, a table or JSON Lines may have any length, as it is read piece by piece; other formats are read at once, up to 1 GiB.
    ///
    /// - Parameters:
    ///   - source: Where the catalog is: a path, or nil for standard input.
    ///   - keys: What address and name are called in it.
    ///   - includesSubfolders: Whether the folders in a folder are looked through too.
    ///   - folder: The plan's folder, which is made; one that has a plan is refused.
    ///   - tasks: How many tasks, 1 to 100,000.
    ///   - rowsPerShard: How many rows are published at once, at least 1.
    ///   - options: What pictures are made by.
    ///   - words: The same as the command line has it.
    /// - Throws: `catalogUnreadable` or `planUnwritable`.
    public static func plan(
        _ source: String?, keys: CatalogKeys, includingSubfolders includesSubfolders: Bool = false, into folder: String,
        tasks: Int, rowsPerShard: Int = 10_000, options: DevelopmentOptions, words: [String]
    ) throws(DevelopmentError) -> Result {
        do throws(FileError) {
            guard makeFolder(folder + "/tasks", mode: 0o777) else { throw FileError.last }
        } catch {
            throw .planUnwritable(path: folder, reason: error.reason)
        }
        guard access(folder + "/" + RunPlan.file, F_OK) != 0 else {
            throw .planUnwritable(path: folder, reason: "there is a plan in it; take another folder")
        }
        guard folderNames(folder + "/tasks").allSatisfy({ $0.hasPrefix(".") || $0.hasSuffix(".part") }) else {
            throw .planUnwritable(path: folder, reason: "there are tasks in it, without a plan; take another folder")
        }
        for name in folderNames(folder + "/tasks") where name.hasSuffix(".part") { unlink(folder + "/tasks/" + name) }
        let sum = CatalogDigest.Sum()
        var assignment = TaskAssignment(tasks: tasks)
        var heavy = HeavyHosts()
        var count = 0
        let taskRows: [Int]
        do {
            let files = try TaskFiles(in: folder + "/tasks", tasks: tasks)
            try Catalog.readPieces(of: source, keys: keys, includingSubfolders: includesSubfolders) { piece in
                for row in piece {
                    let (name, address, entry) = (row.name, row.address, row.entry)
                    sum.add(name: name, address: address, entry: entry)
                    // In a task it fails as an entry without an address does.
                    let usable = row.isBroken ? "" : address
                    let place = assignment.place(of: usable, row.content, number: count)
                    if let domain = place.domain { heavy.add(domain) }
                    let absolute = absolute(usable, row)
                    try files.add(to: place.task) {
                        TaskLine.append(number: count, name: name, address: absolute, entry: entry, to: &$0)
                    }
                    count += 1
                }
            }
            taskRows = try files.finish { folder + "/" + RunPlan.file(ofTask: $0) }
        } catch let error as FileError {
            throw .planUnwritable(path: folder, reason: error.reason)
        } catch {
            throw .catalogUnreadable(reason: "\(error)")
        }
        let plan = RunPlan(
            catalog: sum.digest, rowsPerShard: rowsPerShard, options: words, recipe: Recipe(of: options),
            taskRows: taskRows)
        do throws(FileError) {
            let file = try TemporaryFile(beside: folder + "/" + RunPlan.file)
            try file.write(plan.text())
            try file.commit()
            try OutputFolder(unprepared: folder).sync()
        } catch {
            throw .planUnwritable(path: folder, reason: error.reason)
        }
        return Result(
            plan: plan,
            heavyDomains: heavy.keys(withAtLeast: max(2, count / max(1, tasks) + 1)).map { ($0.key, $0.count) })
    }

    /// A relative address means the same to a task that runs elsewhere.
    private static func absolute(_ address: String, _ row: Catalog.Row) -> String {
        if address.hasPrefix("http://") || address.hasPrefix("https://") { return address }
        guard case .success(let absolute) = row.content else { return address }
        return absolute.text
    }
}
