import Glibc
import PhotoDevelopment
import Wording

/// `develop --plan`: which task of which plan.
struct TaskOptions {
    /// The plan's folder.
    let plan: String
    let task: Int
    /// The command line, with what the plan says about pictures.
    let values: OptionValues
    /// Why the plan cannot be read; nil where it can.
    let planError: DevelopmentError?

    static func add(to parser: inout OptionParser) {
        parser.value("plan", "PLAN", "Do a task of this plan, which classicphotos plan has made, in place of a catalog")
        parser.value("task", "N|auto", "The number of the task, from 0; auto: as the engine that runs it says")
    }

    static let help = """
        --plan PLAN --task N does one task of a plan, from 0, whose photos and pictures the plan says. --task auto asks Slurm,
        Kubernetes, AWS Batch, Grid Engine or PBS, by SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, AWS_BATCH_JOB_ARRAY_INDEX,
        SGE_TASK_ID (less 1) or PBS_ARRAY_INDEX. An array of Slurm that has as many numbers as the plan has tasks may begin
        with 1. All tasks write to one DIR, which machines share.

        PLAN and DIR may also be places in an object store, s3://BUCKET/PREFIX. Keys, region and endpoint are those of AWS
        tools: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT_URL, or AWS_PROFILE in ~/.aws/credentials.
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
        let known: RunPlan?
        do throws(DevelopmentError) {
            (known, planError) = (try RunPlan(in: plan), nil)
        } catch {
            (known, planError) = (nil, error)
        }
        switch values.text("task") {
        case nil: throw UsageError("which task? --task takes a number from 0, or auto")
        case "auto":
            task = try Self.automaticTask(of: known?.taskRows.count) { getenv($0).map { String(cString: $0) } }
        case let text?:
            guard let number = Int(text), number >= 0 else {
                throw UsageError("--task takes a number from 0, or auto, not \(text.printable)")
            }
            task = number
        }
        self.plan = plan
        var merged = values
        if let known {
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

    private static let engines = [
        "SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX", "SGE_TASK_ID", "PBS_ARRAY_INDEX",
    ]

    /// The task that the engine means, which runs this program.
    ///
    /// An array's number is the task, so that the tasks that `status` names can be submitted alone. Arrays of Grid Engine cannot have 0, so
    /// that theirs are one more. An array of Slurm that is as long as the plan and begins with another number than 0 has a number that is no
    /// task: there the first one is task 0.
    ///
    /// - Parameters:
    ///   - count: How many tasks the plan has; nil where that is not known.
    ///   - variable: The value of a variable of the environment.
    static func automaticTask(of count: Int?, _ variable: (String) -> String?) throws(UsageError) -> Int {
        for engine in engines {
            // Grid Engine says so of a job that is no array.
            guard let text = variable(engine), text != "undefined" else { continue }
            let first =
                switch engine {
                case "SLURM_ARRAY_TASK_ID": firstOfSlurm(count, variable)
                case "SGE_TASK_ID": 1
                default: 0
                }
            guard let index = Int(text), index >= first else {
                throw UsageError("--task auto: \(engine) is \(text.printable), which is no task")
            }
            return index - first
        }
        throw UsageError(
            "--task auto finds none of \(engines.joined(separator: ", ")); name the task by its number")
    }

    /// What is taken off a number of Slurm: the first one, where the array has as many in a row as there are tasks.
    private static func firstOfSlurm(_ count: Int?, _ variable: (String) -> String?) -> Int {
        func number(_ name: String) -> Int? { variable("SLURM_ARRAY_TASK_" + name).flatMap { Int($0) } }
        guard let count, let first = number("MIN"), let last = number("MAX"), number("COUNT") == count,
            last.subtractingReportingOverflow(first).partialValue == count - 1
        else { return 0 }
        return first
    }
}
