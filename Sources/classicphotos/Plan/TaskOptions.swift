import Glibc
import PhotoDevelopment

/// `develop --plan`: which task of which plan.
struct TaskOptions {
    /// The plan's folder.
    let plan: String
    let task: Int
    /// The command line, with what the plan says about pictures.
    let values: OptionValues

    static func add(to parser: inout OptionParser) {
        parser.value("plan", "PLAN", "Do a task of this plan, which classicphotos plan has made, in place of a catalog")
        parser.value("task", "N|auto", "The number of the task, from 0; auto: as the engine that runs it says")
    }

    static let help = """
        --plan PLAN --task N does one task of a plan, from 0, whose photos and pictures the plan says. --task auto asks Slurm,
        Kubernetes, AWS Batch, Grid Engine or PBS, by SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, AWS_BATCH_JOB_ARRAY_INDEX,
        SGE_TASK_ID or PBS_ARRAY_INDEX; an array's first number is task 0. All tasks write to one DIR, which machines share.
        """

    /// Options that have no place in a task.
    private static let unfit = [
        "layout", "rows-per-shard", "names", "shard-folders", "dedupe", "report", "contact-sheet", "trace", "metrics",
        "fresh", "only-failed", "skip-existing", "dry-run", "recursive", "url-column", "name-column", "progress",
    ]

    /// Nil where the command line has no plan.
    init?(_ values: OptionValues) throws(UsageError) {
        guard let plan = values.text("plan") else {
            if values.text("task") != nil { throw UsageError("--task needs --plan, which names the plan") }
            return nil
        }
        func has(_ name: String) -> Bool {
            values.has(name) || values.text(name) != nil || !values.list(name).isEmpty
        }
        if let option = PictureOptions.names.first(where: has) {
            throw UsageError("--\(option) belongs to classicphotos plan, as all tasks make the same pictures")
        }
        if let option = Self.unfit.first(where: has) { throw UsageError("--\(option) cannot be given with --plan") }
        if let first = values.arguments.first {
            throw UsageError("\(first.printable) is one too many: the plan says which photos")
        }
        switch values.text("task") {
        case nil: throw UsageError("which task? --task takes a number from 0, or auto")
        case "auto": task = try Self.automaticTask { getenv($0).map { String(cString: $0) } }
        case let text?:
            guard let number = Int(text), number >= 0 else {
                throw UsageError("--task takes a number from 0, or auto, not \(text.printable)")
            }
            task = number
        }
        self.plan = plan
        var merged = values
        // A plan that cannot be read is told of by who opens it.
        if let known = try? RunPlan(in: plan) {
            let recipe = try PictureOptions.values(of: known.options)
            merged.texts["rows-per-shard"] = "\(known.rowsPerShard)"
            merged.flags.formUnion(recipe.flags)
            merged.texts.merge(recipe.texts) { $1 }
            merged.lists.merge(recipe.lists) { $1 }
        }
        merged.arguments = ["-"]
        merged.texts["layout"] = "webdataset"
        self.values = merged
    }

    /// The task that the engine means, which runs this program.
    ///
    /// - Parameter variable: The value of a variable of the environment.
    static func automaticTask(_ variable: (String) -> String?) throws(UsageError) -> Int {
        let engines: [(index: String, first: String?)] = [
            ("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN"), ("JOB_COMPLETION_INDEX", nil),
            ("AWS_BATCH_JOB_ARRAY_INDEX", nil), ("SGE_TASK_ID", "SGE_TASK_FIRST"), ("PBS_ARRAY_INDEX", nil),
        ]
        for engine in engines {
            // Grid Engine says so of a job that is no array.
            guard let text = variable(engine.index), text != "undefined" else { continue }
            let first = engine.first.flatMap(variable).flatMap { Int($0) } ?? 0
            guard let index = Int(text), index >= first else {
                throw UsageError("--task auto: \(engine.index) is \(text.printable), which is no task")
            }
            return index - first
        }
        throw UsageError(
            "--task auto finds none of \(engines.map(\.index).joined(separator: ", ")); name the task by its number")
    }
}
