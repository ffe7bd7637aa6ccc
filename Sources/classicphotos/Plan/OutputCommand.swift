import PhotoDevelopment
import Wording

/// What the commands about the output folder of a plan have in common.
enum OutputCommand {
    /// Runs a command whose only argument is that folder.
    static func run(
        _ name: String, _ parser: OptionParser, _ arguments: [String],
        _ body: (String, OptionValues) throws(DevelopmentError) -> ExitStatus
    ) -> ExitStatus {
        let (folder, values): (String, OptionValues)
        do throws(UsageError) {
            guard let read = try parser.read(arguments) else { return .success }
            values = read
            guard let first = values.arguments.first else {
                throw UsageError("of which run? DIR is the output folder of develop --plan")
            }
            guard values.arguments.count == 1 else {
                throw UsageError("one folder at a time; \(values.arguments[1].printable) is one too many")
            }
            folder = first
        } catch {
            return Console.usageError(error, command: name)
        }
        do throws(DevelopmentError) {
            return try body(folder, values)
        } catch {
            Console.problem(error)
            return ExitStatus(error)
        }
    }

    /// Says what is missing and what is damaged.
    ///
    /// - Parameter needsRepair: Whether shards are damaged; `merge` alone makes a data set anew.
    static func tell(_ status: PlanStatus, damage: [String], needsRepair: Bool, in folder: String) {
        for sentence in damage {
            let told = Message(text: sentence, templates: DevelopmentError.namedReasons).translated
            Console.error("classicphotos: \(told.printable)\n")
        }
        if needsRepair {
            Console.problem("classicphotos plan --repair \(folder.printable) -o PLAN makes a plan of what is damaged")
        }
        for generation in status.generations where !generation.unfinishedTasks.isEmpty {
            let tasks = PlanStatus.ranges(of: generation.unfinishedTasks)
            Console.problem(
                generation.number == 0
                    ? "not complete; tasks with shards left: \(tasks)"
                    : "not complete; tasks of generation \(generation.number) with shards left: \(tasks)")
        }
    }
}

/// `classicphotos status`.
enum StatusCommand {
    static let parser = {
        var parser = OptionParser(
            command: "classicphotos status", arguments: "DIR",
            summary: "Says how far the tasks of a plan have come that write to the folder DIR, by their markers alone.",
            details: """
                --tasks-of PLAN is for engines and scripts: sbatch --array=$(classicphotos status --tasks-of PLAN DIR) …

                Exit status: 0 all shards are committed, 1 some are missing or their markers damaged, 2 wrong usage, or DIR
                is another plan's, 3 DIR is no output folder of a plan, 4 DIR cannot be read at present.
                """)
        parser.value(
            "tasks-of", "PLAN",
            "Print only which tasks of this plan have shards left, such as 0-2,7; all where none has begun")
        return parser
    }()

    static func run(arguments: [String]) -> ExitStatus {
        OutputCommand.run("status", parser, arguments) { (folder, values) throws(DevelopmentError) in
            if let plan = values.text("tasks-of") {
                let left = try PlanStatus.unfinishedTasks(ofPlanIn: plan, in: folder)
                Console.output(PlanStatus.ranges(of: left.tasks) + "\n")
                for sentence in left.damage { Console.error("classicphotos: \(sentence.printable)\n") }
                return left.tasks.isEmpty && left.damage.isEmpty ? .success : .someFailed
            }
            let status = try PlanStatus(of: folder)
            var lines = [
                tr("\(status.committed) of \(CountedMessage.shards(status.shards)) committed"),
                tr(
                    status.written, "\(status.written) photo written and \(status.failed) failed, of \(status.rows)",
                    "\(status.written) photos written and \(status.failed) failed, of \(status.rows)"),
            ]
            if let repeated = status.repeatedRows { lines.append(PlanText.leftOut(repeated)) }
            for generation in status.generations {
                if status.generations.count > 1 {
                    let failed = generation.failures.values.reduce(0, +)
                    lines.append(
                        tr(
                            "generation \(generation.number): \(generation.committed) of "
                                + "\(CountedMessage.shards(generation.shards)), \(CountedMessage.photos(generation.written)) "
                                + "written and \(failed) failed, of \(generation.rows)"))
                }
                for (reason, count) in generation.failures.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
                    lines.append("  \(count) \(reason.printable)")
                }
            }
            Console.output(lines.joined(separator: "\n") + "\n")
            OutputCommand.tell(status, damage: status.damage, needsRepair: !status.damage.isEmpty, in: folder)
            return status.isComplete ? .success : .someFailed
        }
    }
}

/// `classicphotos merge`.
enum MergeCommand {
    static let parser = OptionParser(
        command: "classicphotos merge", arguments: "DIR",
        summary: "Publishes the shards of a plan, which its tasks have written to the folder DIR, as one data set.",
        details: """
            Writes DIR/dataset with a tar file and a table (Parquet) for each shard, which take no more room in a folder, and are
            copies in an object store; DIR/index.jsonl, a line for each photo; DIR/shards.txt, the names of the tar files; and
            DIR/totals.json. Nothing is written where a shard is missing. After plan --failed-of or --repair, and the tasks of that
            plan, the same command brings the data set up to date.

            Exit status: 0 written, 1 shards are missing or their markers damaged, 2 wrong usage, 3 DIR is no output folder
            of a plan, or an index is not what was committed, 4 something cannot be read or written.
            """)

    static func run(arguments: [String]) async -> ExitStatus {
        let interruption = await Interruption()
        let status = OutputCommand.run("merge", parser, arguments) { (folder, _) throws(DevelopmentError) in
            let status = try PlanMerge.merge(folder) { interruption.onInterrupt($0) }
            guard status.isComplete else {
                OutputCommand.tell(status, damage: status.damage, needsRepair: !status.damage.isEmpty, in: folder)
                return .someFailed
            }
            Console.output(
                tr(
                    "\(CountedMessage.photos(status.written)) in \(CountedMessage.shards(status.shards)): "
                        + "\(folder.printable)/dataset") + "\n")
            return .success
        }
        return status == .success ? status : interruption.status ?? status
    }
}

/// `classicphotos verify`.
enum VerifyCommand {
    static let parser = {
        var parser = OptionParser(
            command: "classicphotos verify", arguments: "DIR",
            summary:
                "Reads every byte of the shards in the folder DIR, and of the data set made of them, and names what is damaged.",
            details: """
                Exit status: 0 all is there as it was committed, 1 something is missing or damaged, 2 wrong usage,
                3 DIR is no output folder of a plan, 4 DIR cannot be read at present.
                """)
        parser.flag("gc", "Remove what lost: the files of workers that were killed, or came second")
        return parser
    }()

    static func run(arguments: [String]) -> ExitStatus {
        OutputCommand.run("verify", parser, arguments) { (folder, values) throws(DevelopmentError) in
            let verification = try PlanVerification(of: folder, collectsGarbage: values.has("gc"))
            let status = verification.status
            Console.output(tr("\(verification.read) of \(CountedMessage.shards(status.shards)) read") + "\n")
            if values.has("gc") {
                let removed = verification.removed
                Console.output(tr(removed, "\(removed) file removed", "\(removed) files removed") + "\n")
            }
            OutputCommand.tell(
                status, damage: verification.damage, needsRepair: verification.hasDamagedShards, in: folder)
            return verification.isWhole ? .success : .someFailed
        }
    }
}
