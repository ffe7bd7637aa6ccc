import PhotoDevelopment
import Wording

/// `plan --failed-of` and `plan --repair`: a plan of some rows of a catalog that an output folder has been made of.
struct FurtherPlanOptions {
    private enum Kind {
        case failures(FailureSelection?, tasks: Int?)
        case repair(plan: String?)
    }

    private let kind: Kind
    /// The output folder.
    private let folder: String
    private let plan: String
    private let isQuiet: Bool

    static func add(to parser: inout OptionParser) {
        parser.value("failed-of", "DIR", "Plan the photos that failed in this output folder, in place of a catalog")
        parser.value("class", "WHY", "Only those that failed for these reasons of a report (default: any)")
        parser.value("repair", "DIR", "Plan the shards of this output folder that are damaged or missing")
    }

    static let help = """
        --failed-of DIR plans the photos that failed in the shards of DIR that are committed, and --repair DIR the shards that
        are missing, or not what verify wants. How pictures are made stays as it was. Give develop --plan the same
        --output DIR: it writes to DIR/gen-1, then DIR/gen-2 and so on, and status, merge and verify look at all of
        them. Of each photo the last success counts. --repair reads the plan that DIR was made by; where that has been moved,
        its folder is named in place of a catalog.
        """

    private static let unfit = ["rows-per-shard", "dedupe", "recursive", "url-column", "name-column"]

    /// Nil where neither is asked for.
    init?(_ values: OptionValues, into plan: String) throws(UsageError) {
        let (failedOf, repair) = (values.text("failed-of"), values.text("repair"))
        guard let folder = failedOf ?? repair else {
            if values.text("class") != nil { throw UsageError("--class needs --failed-of, which names the folder") }
            return nil
        }
        let name = failedOf == nil ? "repair" : "failed-of"
        if failedOf != nil, repair != nil { throw UsageError("--failed-of and --repair cannot be given together") }
        if folder.isEmpty { throw UsageError("--\(name) needs the output folder of develop --plan") }
        func has(_ name: String) -> Bool {
            values.has(name) || values.text(name) != nil || !values.list(name).isEmpty
        }
        if let option = (PictureOptions.names + Self.unfit).first(where: has) {
            throw UsageError("--\(option) cannot be given with --\(name): all pictures of a catalog are made alike")
        }
        if let second = values.arguments.dropFirst(failedOf == nil ? 1 : 0).first {
            throw UsageError("\(second.printable) is one too many: --\(name) says which photos")
        }
        if failedOf != nil {
            if values.text("class")?.isEmpty == true { throw UsageError("--class needs reasons as a report has them") }
            let failures: FailureSelection? =
                if let text = values.text("class") { try FailureReasons.failures(text, of: "class") } else { nil }
            kind = .failures(failures, tasks: try values.number("tasks", in: 1...100_000))
        } else {
            for option in ["class", "tasks"] where has(option) {
                throw UsageError("--\(option) cannot be given with --repair, which keeps shards and tasks as they were")
            }
            kind = .repair(plan: values.arguments.first)
        }
        (self.folder, self.plan, isQuiet) = (folder, plan, values.has("quiet"))
    }

    /// Makes the plan.
    func run() -> ExitStatus {
        do throws(DevelopmentError) {
            switch kind {
            case .failures(let failures, let tasks):
                let result = try Planner.planFailures(of: folder, for: failures, into: plan, tasks: tasks)
                let status = try PlanStatus(of: folder)
                if status.committed < status.shards {
                    let left = status.shards - status.committed
                    let warning = tr(
                        left, "\(left) shard is not committed yet; what fails in it can be planned later",
                        "\(left) shards are not committed yet; what fails in them can be planned later")
                    Console.warn("classicphotos: \(warning)\n")
                }
                guard let result else {
                    return nothing(
                        failures == nil
                            ? "nothing to be planned: no photo failed in \(folder.printable)"
                            : "nothing to be planned: no photo failed for these reasons in \(folder.printable)")
                }
                tell(PlanText.summary(result, plan))
            case .repair(let source):
                guard let repair = try Planner.planRepair(of: folder, from: source, into: plan) else {
                    return nothing("nothing to be planned: no shard is damaged or missing in \(folder.printable)")
                }
                let (photos, shards) = (repair.plan.rows, repair.plan.shardCount)
                tell(
                    tr("\(CountedMessage.photos(photos)) in \(CountedMessage.shards(shards)): \(plan.printable)") + "\n"
                )
                if repair.left > 0 {
                    let warning = tr(
                        repair.left,
                        "\(repair.left) shard of earlier plans is left; plan --repair again when this is done",
                        "\(repair.left) shards of earlier plans are left; plan --repair again when this is done")
                    Console.warn("classicphotos: \(warning)\n")
                }
            }
            return .success
        } catch {
            Console.problem(error)
            return ExitStatus(error)
        }
    }

    private func tell(_ text: String) {
        if !isQuiet { Console.output(text) }
    }

    private func nothing(_ sentence: Message) -> ExitStatus {
        Console.problem(sentence)
        return .someFailed
    }
}
