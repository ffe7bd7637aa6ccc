import PhotoDevelopment
import PhotoPipeline
import Transfers
import Wording

/// `classicphotos plan`: a catalog cut into tasks.
enum PlanCommand {
    static let parser = {
        var parser = OptionParser(
            command: "classicphotos plan", arguments: "CATALOG",
            summary: """
                Cuts a catalog into tasks, which many machines may do, each with classicphotos develop --plan.

                CATALOG is a file, a folder of pictures, or - for standard input, in a format that develop reads. A list, a table and
                JSON Lines may have any length; they are read in one pass and little memory.
                """,
            details: """
                \(ImageOptions.filterHelp)

                All photos of a registrable domain, such as example.org, are in one task, so that a limit for a host holds for all
                machines together, but not for a host to which redirects lead from several domains. The task with the most photos is
                task 0. Pictures are written in shards, tar files as of develop --layout webdataset, each published whole or not at all.

                --dedupe plans each address once: rows whose address, as it is written, an earlier row of the catalog has are left
                out, and counted. Without it an address is fetched once in each shard that has it.

                The options about pictures belong to the plan; those about transfers to develop --plan.

                \(FurtherPlanOptions.help)

                Exit status: 0 written, 1 there is nothing to be planned by --failed-of or --repair, 2 wrong usage,
                3 the catalog or the folder DIR cannot be read, 4 the plan cannot be written.

                Examples:
                  classicphotos plan photos.csv -o plan --tasks 100 --filter none --size 512
                  classicphotos plan photos.jsonl -o plan --tasks 100 --dedupe --original
                  duckdb -csv -c "SELECT url FROM 'photos.parquet'" | classicphotos plan - -o plan --tasks 1000
                  classicphotos develop --plan plan --task 0 -o /shared/pictures
                  classicphotos plan --failed-of /shared/pictures --class timeout,http -o again
                """)
        parser.value("output", short: "o", "PLAN", "The folder of the plan; made if it is not there")
        parser.value(
            "tasks", "N", "How many tasks, from 1 to 100000 (default: 100; with --failed-of as in the first plan)")
        parser.value("rows-per-shard", "N", "Photos that are published at once (default: 10000)")
        parser.flag("dedupe", "Leave out rows whose address an earlier row of the catalog has")
        FurtherPlanOptions.add(to: &parser)
        CatalogOptions.add(to: &parser)
        PictureOptions.add(to: &parser)
        parser.flag("quiet", "No summary; errors are said")
        return parser
    }()

    static func run(arguments: [String]) -> ExitStatus {
        let (catalog, options, words): (CatalogOptions, DevelopmentOptions, [String])
        let (output, tasks, rowsPerShard): (String, Int, Int)
        let (isQuiet, isDeduplicated): (Bool, Bool)
        do throws(UsageError) {
            guard var values = try parser.read(arguments) else { return .success }
            guard let folder = values.text("output"), !folder.isEmpty else {
                throw UsageError("where to? --output names the folder for the plan")
            }
            if let further = try FurtherPlanOptions(values, into: folder) { return further.run() }
            tasks = try values.number("tasks", in: 1...100_000) ?? 100
            rowsPerShard = try values.number("rows-per-shard", in: 1...100_000_000) ?? 10_000
            if let first = values.arguments.first, case .address = Catalog.Source(argument: first) {
                throw UsageError(
                    "a plan is made of a file: classicphotos catalog convert \(first.printable) list.jsonl, "
                        + "and then classicphotos plan list.jsonl …")
            }
            (output, isQuiet, isDeduplicated) = (folder, values.has("quiet"), values.has("dedupe"))
            words = PictureOptions.words(of: values)
            values.texts["layout"] = "webdataset"
            values.texts["rows-per-shard"] = "\(rowsPerShard)"
            let understood = try DevelopArguments(values)
            (catalog, options) = (understood.catalog, understood.options)
        } catch {
            return Console.usageError(error, command: "plan")
        }
        do throws(DevelopmentError) {
            let path: String?
            switch Catalog.Source(argument: catalog.argument) {
            case .path(let file): path = file
            case .standardInput, .address: path = nil
            }
            // Before the plan's folder is made. What cannot be read is said by the planner.
            if let path, FileStatus(path: path, followsLinks: true)?.kind == .folder,
                let folder = try? Catalog.load(contentsOf: path, includingSubfolders: catalog.includesSubfolders),
                !CatalogLoading.isOfUse(folder, named: catalog.argument)
            {
                return .unreadableCatalog
            }
            let result = try Planner.plan(
                path, keys: catalog.keys, includingSubfolders: catalog.includesSubfolders, into: output, tasks: tasks,
                rowsPerShard: rowsPerShard, leavingRepeatedRowsOut: isDeduplicated, options: options, words: words)
            UndecodedTextWarning.tell(result.undecodedText)
            if !isQuiet { Console.output(PlanText.summary(result, output)) }
            return .success
        } catch {
            if case .catalogUnreadable(let cause) = error {
                CatalogLoading.tell(.notRead(cause), about: catalog.argument)
            } else {
                Console.problem(error)
            }
            return ExitStatus(error)
        }
    }
}
