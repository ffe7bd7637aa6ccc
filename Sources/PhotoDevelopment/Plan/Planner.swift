public import Catalogs
import PhotoPipeline

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
        let writer = try PlanWriter(in: folder, tasks: tasks)
        let sum = CatalogDigest.Sum()
        do {
            try Catalog.readPieces(of: source, keys: keys, includingSubfolders: includesSubfolders) { piece in
                for row in piece {
                    let (name, address, entry) = (row.name, row.address, row.entry)
                    sum.add(name: name, address: address, entry: entry)
                    var flaw: String?
                    if row.isBroken, case .failure(let error) = row.content { flaw = PhotoError(error).detail }
                    let usable = flaw == nil ? address : ""
                    let absolute = absolute(usable, row)
                    let number = writer.count
                    try writer.add(usable, row.content, number: number) {
                        TaskLine.append(
                            number: number, name: name, address: absolute, flaw: flaw, entry: entry, to: &$0)
                    }
                }
            }
        } catch let error as DevelopmentError {
            throw error
        } catch {
            throw .catalogUnreadable(reason: "\(error)")
        }
        return try writer.finish { _, rows in
            RunPlan(
                catalog: sum.digest, rowsPerShard: rowsPerShard, options: words, recipe: Recipe(of: options),
                taskRows: rows)
        }
    }

    /// A relative address means the same to a task that runs elsewhere.
    private static func absolute(_ address: String, _ row: Catalog.Row) -> String {
        if address.hasPrefix("http://") || address.hasPrefix("https://") { return address }
        guard case .success(let absolute) = row.content else { return address }
        return absolute.text
    }
}
