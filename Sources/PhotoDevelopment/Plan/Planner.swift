public import Catalogs
import PhotoPipeline

/// Makes a plan of a catalog, in one pass; where repeated rows are left out, the files of tasks that have some are written once more.
public enum Planner {
    /// What is made.
    public struct Result: Sendable {
        /// The plan.
        public let plan: RunPlan
        /// Domains with more rows than a task has on average, the largest first. Counts may be too small, by at most one row in four
        /// thousand of the catalog.
        public let heavyDomains: [(domain: String, rows: Int)]
        /// Text of the catalog beside names and addresses that is not UTF-8; nil where there is none.
        public internal(set) var undecodedText: Catalog.UndecodedText? = nil
        /// What is left out of the catalog's folder, as by a run; nothing for a catalog that is no folder.
        public internal(set) var leftOut: [LeftOutFile] = []
    }

    /// Reads a catalog and writes its plan, whole or not at all. Blocks until that is done.
    ///
    /// A list, a table or JSON Lines may have any length, as it is read piece by piece; other formats are read at once, up to 1 GiB. Of a folder
    /// the results of earlier runs are left out, as a run leaves them out.
    ///
    /// - Parameters:
    ///   - source: Where the catalog is: a path, or nil for standard input.
    ///   - keys: What address and name are called in it.
    ///   - includesSubfolders: Whether the folders in a folder are looked through too.
    ///   - folder: The plan's folder, which is made; one that has a plan is refused.
    ///   - tasks: How many tasks, 1 to 100,000.
    ///   - rowsPerShard: How many rows are published at once, at least 1.
    ///   - leavesRepeatedRowsOut: Whether rows are left out whose address, byte by byte as it is written, an earlier row of the
    ///     catalog has. Rows without a valid address stay. Default: false.
    ///   - options: What pictures are made by.
    ///   - words: The same as the command line has it.
    /// - Throws: `catalogUnreadable` or `planUnwritable`.
    public static func plan(
        _ source: String?, keys: CatalogKeys, includingSubfolders includesSubfolders: Bool = false, into folder: String,
        tasks: Int, rowsPerShard: Int = 10_000, leavingRepeatedRowsOut leavesRepeatedRowsOut: Bool = false,
        options: DevelopmentOptions, words: [String]
    ) throws(DevelopmentError) -> Result {
        let writer = try PlanWriter(
            in: folder, tasks: tasks, rowsPerShard: rowsPerShard, leavingRepeatedRowsOut: leavesRepeatedRowsOut)
        var undecodedText: Catalog.UndecodedText?
        var leftOut: [LeftOutFile] = []
        do {
            try Catalog.readPieces(of: source, keys: keys, includingSubfolders: includesSubfolders) { piece in
                if case .folder = piece.origin {
                    leftOut = try add(folder: piece, to: writer, in: folder, options)
                } else {
                    try add(piece, to: writer)
                }
                undecodedText = .sum(undecodedText, piece.undecodedText)
            }
        } catch let error as DevelopmentError {
            throw error
        } catch let error as CatalogError {
            throw .catalogUnreadable(error)
        } catch {
            throw .catalogUnreadable(.cannotRead(path: source ?? "standard input", reason: "\(error)"))
        }
        var result = try writer.finish { _, rows, digest in
            RunPlan(
                catalog: digest, rowsPerShard: rowsPerShard, options: words, recipe: Recipe(of: options),
                taskRows: rows, repeatedRows: writer.repeatedRows)
        }
        (result.undecodedText, result.leftOut) = (undecodedText, leftOut)
        return result
    }

    /// Adds the pictures of a folder that no run has made.
    ///
    /// - Returns: What is left out.
    private static func add(
        folder catalog: Catalog, to writer: PlanWriter, in output: String, _ options: DevelopmentOptions
    ) throws(DevelopmentError) -> [LeftOutFile] {
        var options = options
        options.output = output
        let rows = CatalogRows(of: catalog, options: options)
        guard let kept = rows.kept else {
            try add(catalog, to: writer)
            return rows.leftOut
        }
        var next = kept.makeIterator()
        var wanted = next.next()
        try catalog.eachRowBytes { (row) throws(DevelopmentError) in
            guard row.index == wanted else { return }
            wanted = next.next()
            // No file is of a host.
            try addUnusual(row, of: catalog, to: writer)
        }
        return rows.leftOut
    }

    private static func add(_ piece: Catalog, to writer: PlanWriter) throws(DevelopmentError) {
        // A few rows are looked at before the first of them is added: meanwhile what is known of their hosts comes from memory.
        var ahead: [(row: Catalog.RowBytes, host: TaskAssignment.RowHost?)] = []
        func add(_ row: Catalog.RowBytes, _ host: TaskAssignment.RowHost?) throws(DevelopmentError) {
            if let host { try writer.add(row, of: host) } else { try addUnusual(row, of: piece, to: writer) }
        }
        let most = 16
        try piece.eachRowBytes { (row) throws(DevelopmentError) in
            let host = writer.plainHost(of: row)
            guard ahead.count == most else { return ahead.append((row, host)) }
            let place = row.index % most
            try add(ahead[place].row, ahead[place].host)
            ahead[place] = (row, host)
        }
        for place in piece.count..<piece.count + ahead.count {
            let (row, host) = ahead[place % ahead.count]
            try add(row, host)
        }
        withExtendedLifetime(piece) {}
    }

    /// Adds a row whose address or entry is not as most are.
    private static func addUnusual(
        _ row: Catalog.RowBytes, of piece: Catalog, to writer: PlanWriter
    ) throws(DevelopmentError) {
        let number = writer.count
        if row.isBroken {
            let broken = piece[row.index]
            var flaw: String?
            if case .failure(let error) = broken.content { flaw = PhotoError(error).detail }
            return try writer.add(UnsafeBufferPointer(start: nil, count: 0), broken.content, number: number) {
                TaskLine.append(
                    number: number, name: broken.name, address: broken.address, flaw: flaw, entry: row.entry, to: $0)
            }
        }
        try writer.add(row.address, piece[row.index].content, number: number) { line in
            // A name that is made of such an address is made of it in the task, too.
            if row.address.webSchemeLength != nil {
                TaskLine.append(number: number, name: row.ownName, address: row.address, entry: row.entry, to: line)
            } else {
                let whole = piece[row.index]
                TaskLine.append(
                    number: number, name: whole.name, address: absolute(whole), flaw: nil, entry: row.entry, to: line)
            }
        }
    }

    /// A relative address means the same to a task that runs elsewhere.
    private static func absolute(_ row: Catalog.Row) -> String {
        guard case .success(let absolute) = row.content else { return row.address }
        return absolute.text
    }
}
