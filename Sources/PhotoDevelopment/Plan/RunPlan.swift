import FoundationEssentials
import PhotoPipeline
import Transfers

/// A catalog cut into tasks, with all that decides what its pictures become: the contents of `plan.json`.
///
/// A task is what an engine such as Slurm schedules; a shard is what is published whole or not at all. The shards of all tasks are counted
/// through, those of task 0 first.
public struct RunPlan: Codable, Equatable, Sendable {
    /// One option that decides what pictures become, with its value.
    struct Item: Codable, Equatable, Sendable {
        let option: String
        let value: String
    }

    /// The versions of the files: that of all plans, and that of plans which leave rows out, whose keys earlier programs would count otherwise.
    private static let (usualFormat, formatWithGaps) = (1, 2)

    /// The version of the files.
    let format: Int
    /// The digest of the lines of all rows, in the catalog's order, with those that were left out as their addresses are repeated.
    let catalog: String
    /// How many rows it has: those of the catalog, or of a further plan some of them.
    public let rows: Int
    /// How many rows of the catalog were left out, as an earlier one has their address; nil where all are planned, and in further plans.
    public let repeatedRows: Int?
    /// How many rows a shard has; the last one of a task may have fewer.
    public let rowsPerShard: Int
    /// The options that pictures are made by, as the command line has them.
    public let options: [String]
    /// What these options come to.
    let recipe: [Item]
    /// How many rows each task has.
    public let taskRows: [Int]
    /// What tells the file of each task from others: the first digits of its SHA-256. Nil in plans of earlier versions. It does not
    /// tell plans from each other, as the same rows may be compressed in several ways.
    var taskDigests: [String]?
    /// What it goes on from; nil for the first plan of a catalog.
    let parent: Parent?

    init(
        catalog: CatalogDigest, rowsPerShard: Int, options: [String], recipe: Recipe, taskRows: [Int],
        repeatedRows: Int? = nil
    ) {
        format = repeatedRows == nil ? Self.usualFormat : Self.formatWithGaps
        self.catalog = catalog.text
        rows = taskRows.reduce(0, +)
        self.rowsPerShard = max(1, rowsPerShard)
        self.options = options
        self.recipe = recipe.items.map { Item(option: $0.option, value: $0.value) }
        (self.taskRows, self.repeatedRows) = (taskRows, repeatedRows)
        parent = nil
    }

    /// A plan of some rows of another one, which are made into pictures in the same way.
    init(after first: RunPlan, _ parent: Parent, rows: CatalogDigest, taskRows: [Int]) {
        format = Self.usualFormat
        catalog = rows.text
        self.rows = taskRows.reduce(0, +)
        (rowsPerShard, options, recipe) = (first.rowsPerShard, first.options, first.recipe)
        (self.taskRows, self.parent, repeatedRows) = (taskRows, parent, nil)
    }

    // MARK: Shards

    /// How many shards there are in all.
    public var shardCount: Int { shardsByTask.reduce(0) { $0 + $1.count } }

    /// How many rows the catalog has: the numbers of planned rows are below.
    var catalogRows: Int { parent?.rows ?? rows + (repeatedRows ?? 0) }

    /// How shards and samples are called.
    var names: ShardNames {
        ShardNames(rows: catalogRows, shards: parent?.shards ?? shardCount)
    }

    // MARK: Files

    static let file = "plan.json"

    /// The folder of the tasks' rows in the plan's folder.
    static let tasks = "tasks"

    /// The file of a task's rows, from the plan's folder.
    static func file(ofTask task: Int) -> String {
        let digits = String(task)
        return "\(tasks)/" + String(repeating: "0", count: max(0, 5 - digits.count)) + digits + ".jsonl.zst"
    }

    /// Whether a file in the folder of tasks is called as the rows of one are.
    static func isFileOfTask(_ name: String) -> Bool {
        Int(name.prefix { $0 != "." }).map { $0 >= 0 && file(ofTask: $0) == "\(tasks)/\(name)" } ?? false
    }

    /// The text of the file; the same for the same plan.
    func text() -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Nothing in it can fail to be encoded.
        return ((try? encoder.encode(self)) ?? Data()) + Data("\n".utf8)
    }

    /// What tells one plan from another: SHA-256 of the file without ``taskDigests``.
    var digest: String {
        var plan = self
        plan.taskDigests = nil
        return SHA256.hexDigest(of: plan.text())
    }

    public static func == (one: RunPlan, other: RunPlan) -> Bool { one.digest == other.digest }

    /// Reads the plan of a folder: the plan's own, or an output folder's.
    ///
    /// - Throws: `planUnusable` where it is not there, or damaged; `runInsteadOfPlan` where a run's journal is there; `placeUnreadable`, `storeRefused` or `storeUnavailable`.
    public init(in folder: String) throws(DevelopmentError) {
        try self.init(in: try PlanPlaces.open(folder))
    }

    init(in place: any PlanPlace) throws(DevelopmentError) {
        let folder = place.path
        guard let bytes = try Self.read(place) else {
            // A store has no journals.
            if place is FolderPlace, JournalFolder(in: folder).hasJournal { throw .runInsteadOfPlan(path: folder) }
            throw .planUnusable(path: folder, reason: "there is no \(Self.file) in this folder")
        }
        guard let plan = try? JSONDecoder().decode(RunPlan.self, from: bytes) else {
            throw .planUnusable(path: folder, reason: "\(Self.file) is damaged, or of another version")
        }
        guard plan.isSound else {
            throw .planUnusable(path: folder, reason: "\(Self.file) is damaged, or of another version")
        }
        self = plan
    }

    /// Whether a folder is a plan's, or one that the tasks of a plan write to.
    static func isThere(in folder: String) -> Bool { (try? RunPlan(in: FolderPlace(path: folder))) != nil }

    private static func read(_ place: any PlanPlace) throws(DevelopmentError) -> Data? {
        do throws(PlaceError) {
            return try place.read(file, limit: 1 << 30)
        } catch {
            throw error.error(at: place.path, ofFile: DevelopmentError.placeUnreadable)
        }
    }

    /// Rows and shards of a plan, at most: more than any catalog has, and few enough to be counted.
    private static let (mostRows, mostShards) = (1 << 40, 1 << 26)

    /// Whether its numbers may be used, also those that were read.
    var isSound: Bool {
        guard format == (repeatedRows == nil ? Self.usualFormat : Self.formatWithGaps), rowsPerShard > 0,
            taskRows.count <= 1 << 20,
            taskRows.allSatisfy({ (0...Self.mostRows).contains($0) }),
            taskDigests.map({ $0.count == taskRows.count }) ?? true,
            rows <= Self.mostRows, rows == taskRows.reduce(0, +), (0...Self.mostRows).contains(repeatedRows ?? 0)
        else { return false }
        if let parent { return parent.isSound(for: taskRows) }
        return taskRows.count + rows / rowsPerShard <= Self.mostShards
    }

    /// What differs from another plan first, in words; nil where they are equal.
    func difference(from other: RunPlan) -> String? {
        if self == other { return nil }
        if let (option, before, now) = Recipe(recipe).difference(from: Recipe(other.recipe)) {
            return "\(option) was \(before), and is \(now) now"
        }
        if parent != other.parent, parent?.generation != other.parent?.generation || parent?.plan != other.parent?.plan
        {
            return "it goes on from another one"
        }
        if catalog != other.catalog { return "it was made of \(parent == nil ? "another catalog" : "other rows")" }
        if (repeatedRows == nil) != (other.repeatedRows == nil) {
            return repeatedRows == nil ? "--dedupe was given, and is not now" : "--dedupe was not given, and is now"
        }
        if taskRows.count != other.taskRows.count {
            return "--tasks was \(other.taskRows.count), and is \(taskRows.count) now"
        }
        if rowsPerShard != other.rowsPerShard {
            return "--rows-per-shard was \(other.rowsPerShard), and is \(rowsPerShard) now"
        }
        return "rows lie in other tasks, or options are written otherwise"
    }

    /// Checks that options of this program make the pictures that the plan is about.
    func check(_ options: DevelopmentOptions, of folder: String) throws(DevelopmentError) {
        if let (option, before, now) = Recipe(of: options).difference(from: Recipe(recipe)) {
            throw .planUnusable(
                path: folder,
                reason: "\(option) was \(before) in it, and is \(now) in this version of the program; plan anew")
        }
    }

    /// Whether a file is the one that was made for a task: a folder with files of two plans would lose rows, and double others.
    func isFile(_ path: String, ofTask task: Int) throws(FileError) -> Bool {
        try taskDigests.map { (digests) throws(FileError) in try Self.digest(of: path) == digests[task] } ?? true
    }

    /// What tells a file of a task from others.
    static func digest(of file: String) throws(FileError) -> String {
        String(try ShardMarker.File(at: file).sha256.prefix(16))
    }

    /// Checks that there is a task.
    func check(task: Int) throws(DevelopmentError) {
        guard taskRows.indices.contains(task) else { throw .noSuchTask(number: task, tasks: taskRows.count) }
    }
}

extension Recipe {
    fileprivate init(_ items: [RunPlan.Item]) {
        self.init(items.map { Item(option: $0.option, value: $0.value) })
    }
}
